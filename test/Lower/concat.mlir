// RUN: ingot-opt --fuse --lower-to-loops="vector-bits=256" --cse %s | FileCheck %s

// One loop for each operand, with vectors in each.
module attributes {ingot.model = {name = "m", symbols = [],
    inputs = [{name = "x", type = tensor<10x12xf32>}, {name = "y", type = tensor<10x4xf32>}],
    outputs = [{name = "z", type = tensor<10x16xf32>}]}} {
  func.func @main(%x: tensor<10x12xf32>, %y: tensor<10x4xf32>) -> tensor<10x16xf32> {
    %0 = ingot.concat %x, %y {axis = 1 : i64} : (tensor<10x12xf32>, tensor<10x4xf32>) -> tensor<10x16xf32>
    %1 = ingot.relu %0 : (tensor<10x16xf32>) -> tensor<10x16xf32>
    return %1 : tensor<10x16xf32>
  }
}

// CHECK-LABEL: func.func private @relu
// CHECK: scf.for
// CHECK: vector.load %arg0{{.*}} vector<8xf32>
// CHECK: vector.load %arg0{{.*}} vector<8xf32>
// CHECK: vector.load %arg1{{.*}} vector<4xf32>
// CHECK: vector.store {{.*}} vector<4xf32>
// CHECK-NOT: scf.if
// CHECK-LABEL: func.func @main
