// RUN: ingot-opt --pack="vector-bits=256 vector-registers=16" --fuse --lower-to-loops="vector-bits=256 vector-registers=16" --cse %s | FileCheck %s

// Tiles of the columns of one row: for each row of the window, one run over its taps and channels, contiguous in the
// padded operand. Accumulators stay in registers through both loops.
#x = #ingot.dims<1, height, width, 24>
#y = #ingot.dims<1, height, width, 16>
module attributes {ingot.model = {name = "m", symbols = ["height", "width"],
    inputs = [{name = "x", type = tensor<1x?x?x24xf32, #x>}, {name = "w", type = tensor<3x3x24x16xf32>}],
    outputs = [{name = "y", type = tensor<1x?x?x16xf32, #y>}]}} {
  func.func @main(%x: tensor<1x?x?x24xf32, #x>, %w: tensor<3x3x24x16xf32>) -> tensor<1x?x?x16xf32, #y> {
    %0 = ingot.conv %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x?x?x24xf32, #x>, tensor<3x3x24x16xf32>) -> tensor<1x?x?x16xf32, #y>
    %1 = ingot.relu %0 : (tensor<1x?x?x16xf32, #y>) -> tensor<1x?x?x16xf32, #y>
    return %1 : tensor<1x?x?x16xf32, #y>
  }
}

// CHECK-LABEL: func.func private @relu
// CHECK: scf.for %[[Y:.*]] = %c0 to %arg3 step %c1
// CHECK: scf.for %[[X:.*]] = %c0 to %{{.*}} step
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args
// CHECK: scf.for %{{.*}} = %c0 to %c72 step %c1 iter_args
// CHECK: vector.load %arg1{{.*}} {ingot.register} {{.*}} vector<8xf32>
// CHECK: vector.load %arg1{{.*}} {ingot.register} {{.*}} vector<8xf32>
// CHECK: memref.load %arg0
// CHECK: math.fma
// CHECK: math.fma
// CHECK: scf.yield
// CHECK: arith.select
// CHECK: vector.store {{.*}} %arg2
// CHECK-NOT: memref.store
// CHECK-LABEL: func.func @main
// CHECK: call @pad
// CHECK: call @pack
// CHECK: call @relu
