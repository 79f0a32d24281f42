// RUN: ingot-opt --simplify --split-input-file %s | FileCheck %s

ingot.data_type @List ["Cons", "Nil"] [[tensor<i32>, !ingot.data<"List">], []]

// CHECK-LABEL: func.func @known_constructor
// CHECK-NOT: ingot.match
// CHECK: return %arg0
func.func @known_constructor(%x: tensor<i32>, %rest: !ingot.data<"List">) -> tensor<i32> {
  %list = ingot.construct 0(%x, %rest) : (tensor<i32>, !ingot.data<"List">) -> !ingot.data<"List">
  %0 = ingot.match %list [0, 1] : (!ingot.data<"List">) -> tensor<i32> {
  ^bb0(%first: tensor<i32>, %others: !ingot.data<"List">):
    ingot.yield %first : tensor<i32>
  }, {
    %zero = ingot.constant dense<0> : tensor<i32>
    ingot.yield %zero : tensor<i32>
  }
  return %0 : tensor<i32>
}

// The region for the rest has no arguments.
// CHECK-LABEL: func.func @constructor_of_the_rest
// CHECK-NOT: ingot.match
// CHECK: return %arg2
func.func @constructor_of_the_rest(%x: tensor<i32>, %rest: !ingot.data<"List">, %y: tensor<i32>) -> tensor<i32> {
  %list = ingot.construct 0(%x, %rest) : (tensor<i32>, !ingot.data<"List">) -> !ingot.data<"List">
  %0 = ingot.match %list [1] : (!ingot.data<"List">) -> tensor<i32> {
    ingot.yield %x : tensor<i32>
  }, {
    ingot.yield %y : tensor<i32>
  }
  return %0 : tensor<i32>
}

// What the caller gave is not known.
// CHECK-LABEL: func.func @unknown_constructor
// CHECK: ingot.match %arg0
func.func @unknown_constructor(%list: !ingot.data<"List">) -> tensor<i32> {
  %0 = ingot.match %list [0, 1] : (!ingot.data<"List">) -> tensor<i32> {
  ^bb0(%first: tensor<i32>, %others: !ingot.data<"List">):
    ingot.yield %first : tensor<i32>
  }, {
    %zero = ingot.constant dense<0> : tensor<i32>
    ingot.yield %zero : tensor<i32>
  }
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @known_condition
// CHECK-NOT: ingot.if
// CHECK: return %arg1
func.func @known_condition(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %no = ingot.constant dense<false> : tensor<i1>
  %0 = ingot.if %no : (tensor<i1>) -> tensor<i32> {
    ingot.yield %x : tensor<i32>
  } else {
    ingot.yield %y : tensor<i32>
  }
  return %0 : tensor<i32>
}

// Nobody reads the product, so nobody computes it; the sum stays.
// CHECK-LABEL: func.func @unread_results
// CHECK: ingot.match %arg0 [0, 1] : (!ingot.data<"List">) -> tensor<i32>
// CHECK-NOT: ingot.mul
// CHECK: ingot.add
// CHECK-NOT: ingot.mul
func.func @unread_results(%list: !ingot.data<"List">, %x: tensor<i32>) -> tensor<i32> {
  %0:2 = ingot.match %list [0, 1] : (!ingot.data<"List">) -> (tensor<i32>, tensor<i32>) {
  ^bb0(%first: tensor<i32>, %others: !ingot.data<"List">):
    %product = ingot.mul %first, %x : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sum = ingot.add %first, %x : (tensor<i32>, tensor<i32>) -> tensor<i32>
    ingot.yield %product, %sum : tensor<i32>, tensor<i32>
  }, {
    ingot.yield %x, %x : tensor<i32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}
