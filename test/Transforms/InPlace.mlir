// RUN: ingot-opt --in-place --split-input-file %s | FileCheck %s

// The first result is needed no more: the second is written over it. The argument belongs to the caller.
// CHECK-LABEL: func.func @dies
// CHECK: %[[A:.*]] = ingot.group(%arg0) :
// CHECK: ingot.group(%[[A]]) {{.*}}in_place = array<i64: 0, 0>
func.func @dies(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ingot.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %1 = ingot.group(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.tanh %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %2 = ingot.group(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %t = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %t : tensor<4x4xf32>
  }
  return %2 : tensor<4x4xf32>
}

// -----

// Used again afterwards.
// CHECK-LABEL: func.func @lives
// CHECK-NOT: in_place
func.func @lives(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ingot.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %1 = ingot.group(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.tanh %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %2 = ingot.group(%0, %1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %t = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = ingot.add %t, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %s : tensor<4x4xf32>
  }
  return %2 : tensor<4x4xf32>
}

// -----

// Used again afterwards through a view.
// CHECK-LABEL: func.func @lives_as_view
// CHECK-NOT: in_place
func.func @lives_as_view(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ingot.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %v = ingot.reshape %0 {shape = #ingot.dims<16>} : (tensor<4x4xf32>) -> tensor<16xf32>
  %w = ingot.reshape %v {shape = #ingot.dims<4, 4>} : (tensor<16xf32>) -> tensor<4x4xf32>
  %1 = ingot.group(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.tanh %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %2 = ingot.group(%w, %1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %t = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = ingot.add %t, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %s : tensor<4x4xf32>
  }
  return %2 : tensor<4x4xf32>
}

// -----

// A transposition reads elements that are overwritten already.
// CHECK-LABEL: func.func @neighbours
// CHECK-NOT: in_place
func.func @neighbours(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ingot.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %1 = ingot.group(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %t = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = ingot.tanh %t : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %s : tensor<4x4xf32>
  }
  %2 = ingot.group(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %t = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %t : tensor<4x4xf32>
  }
  return %2 : tensor<4x4xf32>
}

// -----

// Of another element type, though of the same size.
// CHECK-LABEL: func.func @other_type
// CHECK-NOT: in_place
func.func @other_type(%x: tensor<4x4xf32>) -> tensor<4x4xi32> {
  %0 = ingot.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %1 = ingot.group(%0) : (tensor<4x4xf32>) -> tensor<4x4xi32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.cast %a {to = i32} : (tensor<4x4xf32>) -> tensor<4x4xi32>
    ingot.yield %r : tensor<4x4xi32>
  }
  %2 = ingot.group(%1) : (tensor<4x4xi32>) -> tensor<4x4xi32> {
  ^bb0(%a: tensor<4x4xi32>):
    %t = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x4xi32>) -> tensor<4x4xi32>
    ingot.yield %t : tensor<4x4xi32>
  }
  return %2 : tensor<4x4xi32>
}

// -----

// What the function returns has its place with the caller.
// CHECK-LABEL: func.func @result
// CHECK-NOT: in_place
func.func @result(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ingot.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %1 = ingot.group(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.tanh %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  return %1 : tensor<4x4xf32>
}

// -----

// Folds of a row end before the row is written.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[A:.*]] = ingot.group(%arg0) :
// CHECK: ingot.group(%[[A]]) {{.*}}in_place = array<i64: 0, 0>
func.func @softmax(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ingot.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %1 = ingot.group(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %m = ingot.reduce %a {dims = array<i64: 1>, keep_dims = true, kind = "max"} : (tensor<4x4xf32>) -> tensor<4x1xf32>
    %r = ingot.sub %a, %m : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %2 = ingot.group(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %t = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %t : tensor<4x4xf32>
  }
  return %2 : tensor<4x4xf32>
}

// -----

// Folds of a column do not.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: in_place
func.func @columns(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ingot.group(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = ingot.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %1 = ingot.group(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %m = ingot.reduce %a {dims = array<i64: 0>, keep_dims = true, kind = "max"} : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %r = ingot.sub %a, %m : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
    ingot.yield %r : tensor<4x4xf32>
  }
  %2 = ingot.group(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %t = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ingot.yield %t : tensor<4x4xf32>
  }
  return %2 : tensor<4x4xf32>
}
