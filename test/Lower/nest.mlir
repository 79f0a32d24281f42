// RUN: ingot-opt --lower-to-loops="vector-bits=512" --cse %s | FileCheck %s

#d = #ingot.dims<1, width, 24>
module attributes {ingot.model = {name = "m", symbols = ["width"],
    inputs = [{name = "x", type = tensor<1x?x24xf32, #d>}],
    outputs = [{name = "y", type = tensor<1x?x24xf32, #d>}]}} {
  func.func @main(%x: tensor<1x?x24xf32, #d>) -> tensor<1x?x24xf32, #d> {
    %s = ingot.constant dense<[1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0]> : tensor<24xf32>
    %0 = ingot.group(%x, %s) : (tensor<1x?x24xf32, #d>, tensor<24xf32>) -> tensor<1x?x24xf32, #d> {
    ^bb0(%a: tensor<1x?x24xf32, #d>, %b: tensor<24xf32>):
      %c = ingot.constant dense<3.0> : tensor<f32>
      %1 = ingot.mul %a, %b : (tensor<1x?x24xf32, #d>, tensor<24xf32>) -> tensor<1x?x24xf32, #d>
      %2 = ingot.add %1, %c : (tensor<1x?x24xf32, #d>, tensor<f32>) -> tensor<1x?x24xf32, #d>
      %3 = ingot.exp %2 : (tensor<1x?x24xf32, #d>) -> tensor<1x?x24xf32, #d>
      ingot.yield %3 : tensor<1x?x24xf32, #d>
    }
    return %0 : tensor<1x?x24xf32, #d>
  }
}

// CHECK-LABEL: func.func private @exp
// CHECK-SAME: %[[WIDTH:[a-z0-9]+]]: index {ingot.name = "width"}
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[WIDTH]]
// 24 channels are two vectors of 16, the second beginning at 8.
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %c24
// CHECK: vector.load %arg0[%[[ROW]]] : memref<?xf32>, vector<16xf32>
// CHECK: vector.store
// CHECK: %[[SECOND:.*]] = arith.addi %[[ROW]], %c8
// CHECK: vector.load %arg0[%[[SECOND]]] : memref<?xf32>, vector<16xf32>
// CHECK: vector.store
// CHECK-NOT: memref.store
// CHECK-LABEL: func.func @main
// CHECK: call @exp
