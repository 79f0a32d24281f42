// RUN: ingot-opt --pack="vector-bits=256 vector-registers=16" --fuse --lower-to-loops="vector-bits=256 vector-registers=16" --cse %s | FileCheck %s

// A row of the result: the columns on the left whose windows reach outside, tiles of columns that share each weight,
// the columns that remain, and those on the right. No padded copy.
#x = #ingot.dims<1, height, width, 24>
module attributes {ingot.model = {name = "m", symbols = ["height", "width"],
    inputs = [{name = "x", type = tensor<1x?x?x24xf32, #x>}, {name = "w", type = tensor<3x3x1x24xf32>}],
    outputs = [{name = "y", type = tensor<1x?x?x24xf32, #x>}]}} {
  func.func @main(%x: tensor<1x?x?x24xf32, #x>, %w: tensor<3x3x1x24xf32>) -> tensor<1x?x?x24xf32, #x> {
    %0 = ingot.conv %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, groups = 24 : i64} : (tensor<1x?x?x24xf32, #x>, tensor<3x3x1x24xf32>) -> tensor<1x?x?x24xf32, #x>
    %1 = ingot.relu %0 : (tensor<1x?x?x24xf32, #x>) -> tensor<1x?x?x24xf32, #x>
    return %1 : tensor<1x?x?x24xf32, #x>
  }
}

// CHECK-LABEL: func.func private @relu
// CHECK: scf.for %[[Y:.*]] = %c0 to %arg3 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %[[LEFT:.*]] step %c1
// CHECK: scf.for {{.*}} -> (vector<8xf32>)
// CHECK: scf.for {{.*}} -> (vector<8xf32>)
// CHECK: vector.store
// CHECK: scf.for %{{.*}} = %[[LEFT]] to %{{.*}} step %c[[COLUMNS:[2-9]]]
// CHECK: scf.for %{{.*}} step %c1 iter_args
// CHECK: %[[W:.*]] = vector.load %arg1
// CHECK: vector.load %arg0
// CHECK: math.fma %{{.*}}, %[[W]]
// CHECK: vector.load %arg0
// CHECK: math.fma %{{.*}}, %[[W]]
// CHECK: scf.yield
// CHECK-NOT: scf.if
// CHECK: arith.select
// CHECK: vector.store {{.*}} %arg2
// CHECK-NOT: memref.store
// CHECK-LABEL: func.func @main
// CHECK-NOT: @pad
