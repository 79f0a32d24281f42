// RUN: ingot-opt --pack="vector-bits=256 vector-registers=16" --fuse --lower-to-loops="vector-bits=256 vector-registers=16" --cse %s | FileCheck %s

// Blocks of rows; within one, tiles of rows that keep every accumulator in a register through the whole depth; the
// element-wise tail on the accumulators, before they are stored. The rows that remain come after.
module attributes {ingot.model = {name = "m", symbols = ["rows"],
    inputs = [{name = "x", type = tensor<?x64xf32, #ingot.dims<rows, 64>>}, {name="w", type = tensor<64x48xf32>}],
    outputs = [{name = "y", type = tensor<?x48xf32, #ingot.dims<rows, 48>>}]}} {
  func.func @main(%x: tensor<?x64xf32, #ingot.dims<rows, 64>>, %w: tensor<64x48xf32>) -> tensor<?x48xf32, #ingot.dims<rows, 48>> {
    %0 = ingot.matmul %x, %w : (tensor<?x64xf32, #ingot.dims<rows, 64>>, tensor<64x48xf32>) -> tensor<?x48xf32, #ingot.dims<rows, 48>>
    %1 = ingot.relu %0 : (tensor<?x48xf32, #ingot.dims<rows, 48>>) -> tensor<?x48xf32, #ingot.dims<rows, 48>>
    return %1 : tensor<?x48xf32, #ingot.dims<rows, 48>>
  }
}

// CHECK-LABEL: func.func private @relu
// CHECK: scf.for %[[BLOCK:.*]] = %c0 to %[[ROWS:.*]] step %c{{[0-9]+}}
// CHECK: arith.minsi
// CHECK: scf.for %{{.*}} = %[[BLOCK]] to
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c1 iter_args
// CHECK: vector.load %arg1{{.*}} {ingot.register} {{.*}} vector<8xf32>
// CHECK: memref.load %arg0
// CHECK: vector.broadcast
// CHECK: math.fma
// CHECK: scf.yield
// CHECK-NOT: vector.load
// CHECK: arith.select
// CHECK: vector.store {{.*}} %arg2
// CHECK-NOT: memref.store
// CHECK-LABEL: func.func @main
