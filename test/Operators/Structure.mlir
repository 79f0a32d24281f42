// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @group
// CHECK: ingot.group(%{{.*}}) {in_place = array<i64: 0, 0>, name = "step"} : (tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<4xf32>):
// CHECK-NEXT: %[[Y:.*]] = ingot.relu %[[X]]
// CHECK-NEXT: ingot.yield %[[Y]]
func.func @group(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.group(%x) {name = "step", in_place = array<i64: 0, 0>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = ingot.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    ingot.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: @branches
// CHECK: ingot.if %{{.*}} : (tensor<i1>) -> tensor<4xf32> {
// CHECK: } else {
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.if %c : (tensor<i1>) -> tensor<4xf32> {
    %1 = ingot.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    ingot.yield %1 : tensor<4xf32>
  } else {
    ingot.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @condition(%c: tensor<2xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{the condition must hold one element}}
  %0 = ingot.if %c : (tensor<2xi1>) -> tensor<4xf32> {
    ingot.yield %x : tensor<4xf32>
  } else {
    ingot.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @results(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{a region must end in a yield of values of the result types}}
  %0 = ingot.if %c : (tensor<i1>) -> tensor<4xf32> {
    ingot.yield %x : tensor<4xf32>
  } else {
    ingot.yield %y : tensor<5xf32>
  }
  return %0 : tensor<4xf32>
}
