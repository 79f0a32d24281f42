// RUN: ingot-opt --defunctionalise %s | FileCheck %s

// The functions of one type are the constructors of one data type, what they capture its fields; a call goes through one
// function that matches. No closure is left.
// CHECK-NOT: ingot.closure
// CHECK: ingot.data_type @[[TYPE:.*]] ["plus", "negate"] {{\[\[}}tensor<i32>], []]
// CHECK-LABEL: func.func @main
// CHECK: ingot.construct 0(%arg1) : (tensor<i32>) -> !ingot.data<"[[TYPE]]">
// CHECK: ingot.construct 1 : () -> !ingot.data<"[[TYPE]]">
// CHECK: ingot.call @[[APPLY:.*]](%{{.*}}, %arg2)
// CHECK: func.func private @[[APPLY]]
// CHECK: ingot.match %arg0 [0, 1]
// CHECK-NEXT: ^bb0(%[[K:.*]]: tensor<i32>):
// CHECK-NEXT: ingot.call @plus(%[[K]], %arg1)
// CHECK: ingot.call @negate(%arg1)
func.func private @plus(%k: tensor<i32>, %x: tensor<i32>) -> tensor<i32> {
  %0 = ingot.add %k, %x : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @negate(%x: tensor<i32>) -> tensor<i32> {
  %0 = ingot.neg %x : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @main(%c: tensor<i1>, %k: tensor<i32>, %x: tensor<i32>) -> tensor<i32> {
  %f = ingot.if %c : (tensor<i1>) -> !ingot.closure<(tensor<i32>) -> tensor<i32>> {
    %0 = ingot.closure @plus(%k) : (tensor<i32>) -> !ingot.closure<(tensor<i32>) -> tensor<i32>>
    ingot.yield %0 : !ingot.closure<(tensor<i32>) -> tensor<i32>>
  } else {
    %1 = ingot.closure @negate : () -> !ingot.closure<(tensor<i32>) -> tensor<i32>>
    ingot.yield %1 : !ingot.closure<(tensor<i32>) -> tensor<i32>>
  }
  %r = ingot.apply %f(%x) : (tensor<i32>) -> tensor<i32> by !ingot.closure<(tensor<i32>) -> tensor<i32>>
  return %r : tensor<i32>
}
