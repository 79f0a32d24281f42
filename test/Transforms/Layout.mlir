// RUN: ingot-opt --layout --split-input-file %s | FileCheck %s

#x = #ingot.dims<1, 3, "h", "w">
#l = #ingot.dims<1, "h", "w", 3>

// Between two channels-last operators nothing moves; constants are turned instead.
// CHECK-LABEL: func.func @residual
// CHECK: %[[C:.*]] = ingot.constant
// CHECK: %[[I:.*]] = ingot.transpose %arg0 {permutation = array<i64: 0, 2, 3, 1>}
// CHECK: %[[A:.*]] = ingot.conv %[[I]]
// CHECK: %[[S:.*]] = ingot.reshape %[[C]] {shape = #ingot.dims<1, 1, 1, 3>}
// CHECK: %[[B:.*]] = ingot.mul %[[A]], %[[S]]
// CHECK: %[[R:.*]] = ingot.relu %[[B]]
// CHECK: %[[D:.*]] = ingot.conv %[[R]]
// CHECK: %[[E:.*]] = ingot.add %[[R]], %[[D]]
// CHECK: %[[O:.*]] = ingot.transpose %[[E]] {permutation = array<i64: 0, 3, 1, 2>}
// CHECK: return %[[O]]
func.func @residual(%x: tensor<1x3x?x?xf32, #x>, %w: tensor<1x1x3x3xf32>) -> tensor<1x3x?x?xf32, #x> {
  %s = ingot.constant dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf32>
  %0 = ingot.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x3x?x?xf32, #x>) -> tensor<1x?x?x3xf32, #l>
  %1 = ingot.conv %0, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x?x?x3xf32, #l>, tensor<1x1x3x3xf32>) -> tensor<1x?x?x3xf32, #l>
  %2 = ingot.transpose %1 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x?x?x3xf32, #l>) -> tensor<1x3x?x?xf32, #x>
  %3 = ingot.mul %2, %s : (tensor<1x3x?x?xf32, #x>, tensor<3x1x1xf32>) -> tensor<1x3x?x?xf32, #x>
  %4 = ingot.relu %3 : (tensor<1x3x?x?xf32, #x>) -> tensor<1x3x?x?xf32, #x>
  %5 = ingot.transpose %4 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x3x?x?xf32, #x>) -> tensor<1x?x?x3xf32, #l>
  %6 = ingot.conv %5, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x?x?x3xf32, #l>, tensor<1x1x3x3xf32>) -> tensor<1x?x?x3xf32, #l>
  %7 = ingot.transpose %6 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x?x?x3xf32, #l>) -> tensor<1x3x?x?xf32, #x>
  %8 = ingot.add %4, %7 : (tensor<1x3x?x?xf32, #x>, tensor<1x3x?x?xf32, #x>) -> tensor<1x3x?x?xf32, #x>
  return %8 : tensor<1x3x?x?xf32, #x>
}

// -----

// What a convolution reads channels last anyway is added channels last too.
// CHECK-LABEL: func.func @residual_of_input
// CHECK-COUNT-2: ingot.transpose %arg0 {permutation = array<i64: 0, 2, 3, 1>}
// CHECK: %[[S:.*]] = ingot.add %{{.*}}, %{{.*}} -> tensor<1x4x4x3xf32>
// CHECK: ingot.transpose %[[S]] {permutation = array<i64: 0, 3, 1, 2>}
func.func @residual_of_input(%x: tensor<1x3x4x4xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x3x4x4xf32> {
  %0 = ingot.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x3x4x4xf32>) -> tensor<1x4x4x3xf32>
  %1 = ingot.conv %0, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x4x4x3xf32>, tensor<1x1x3x3xf32>) -> tensor<1x4x4x3xf32>
  %2 = ingot.transpose %1 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  %3 = ingot.add %2, %x : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %3 : tensor<1x3x4x4xf32>
}

// -----

// An operand that would have to be moved in memory stops a transposition.
// CHECK-LABEL: func.func @other_operand
// CHECK: %[[T:.*]] = ingot.transpose %arg0
// CHECK: ingot.add %[[T]], %arg1
func.func @other_operand(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = ingot.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = ingot.add %0, %y : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// Softmax over channels.
// CHECK-LABEL: func.func @softmax
// CHECK: ingot.reduce %arg0 {dims = array<i64: 2>, keep_dims = true, kind = "max"}
// CHECK: ingot.sub %arg0
// CHECK: ingot.exp
// CHECK: ingot.reduce %{{.*}} {dims = array<i64: 2>, keep_dims = true, kind = "sum"}
// CHECK: %[[D:.*]] = ingot.div
// CHECK: %[[T:.*]] = ingot.transpose %[[D]] {permutation = array<i64: 0, 2, 1>}
// CHECK: return %[[T]]
func.func @softmax(%x: tensor<1x8x3xf32>) -> tensor<1x3x8xf32> {
  %0 = ingot.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<1x8x3xf32>) -> tensor<1x3x8xf32>
  %1 = ingot.reduce %0 {kind = "max", dims = array<i64: 1>, keep_dims = true} : (tensor<1x3x8xf32>) -> tensor<1x1x8xf32>
  %2 = ingot.sub %0, %1 : (tensor<1x3x8xf32>, tensor<1x1x8xf32>) -> tensor<1x3x8xf32>
  %3 = ingot.exp %2 : (tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  %4 = ingot.reduce %3 {kind = "sum", dims = array<i64: 1>, keep_dims = true} : (tensor<1x3x8xf32>) -> tensor<1x1x8xf32>
  %5 = ingot.div %3, %4 : (tensor<1x3x8xf32>, tensor<1x1x8xf32>) -> tensor<1x3x8xf32>
  return %5 : tensor<1x3x8xf32>
}

// -----

// Operators with a list or a number that names dimensions.
// CHECK-LABEL: func.func @movement
// CHECK: %[[C:.*]] = ingot.concat %arg0, %arg1 {axis = 2 : i64}
// CHECK: %[[P:.*]] = ingot.pad %[[C]], %{{.*}} {high = #ingot.dims<0, 1, 4>, low = #ingot.dims<0, 0, 2>, mode = "constant"}
// CHECK: %[[S:.*]] = ingot.slice %[[P]] {sizes = #ingot.dims<1, 3, 6>, starts = #ingot.dims<0, 2, 1>, steps = array<i64: 1, 3, 2>}
// CHECK: %[[B:.*]] = ingot.broadcast %[[S]] {shape = #ingot.dims<5, 3, 6>}
// CHECK: %[[A:.*]] = ingot.arg_reduce %[[B]] {axis = 2 : i64
// CHECK: %[[T:.*]] = ingot.reshape %[[A]] {shape = #ingot.dims<5, 1, 3>}
// CHECK: return %[[T]]
func.func @movement(%x: tensor<1x8x3xf32>, %y: tensor<1x8x4xf32>) -> tensor<5x1x3xi64> {
  %v = ingot.constant dense<0.0> : tensor<f32>
  %0 = ingot.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<1x8x3xf32>) -> tensor<1x3x8xf32>
  %1 = ingot.transpose %y {permutation = array<i64: 0, 2, 1>} : (tensor<1x8x4xf32>) -> tensor<1x4x8xf32>
  %2 = ingot.concat %0, %1 {axis = 1 : i64} : (tensor<1x3x8xf32>, tensor<1x4x8xf32>) -> tensor<1x7x8xf32>
  %3 = ingot.pad %2, %v {low = #ingot.dims<0, 2, 0>, high = #ingot.dims<0, 4, 1>, mode = "constant"} : (tensor<1x7x8xf32>, tensor<f32>) -> tensor<1x13x9xf32>
  %4 = ingot.slice %3 {starts = #ingot.dims<0, 1, 2>, steps = array<i64: 1, 2, 3>, sizes = #ingot.dims<1, 6, 3>} : (tensor<1x13x9xf32>) -> tensor<1x6x3xf32>
  %5 = ingot.broadcast %4 {shape = #ingot.dims<5, 6, 3>} : (tensor<1x6x3xf32>) -> tensor<5x6x3xf32>
  %6 = ingot.arg_reduce %5 {axis = 1 : i64, keep_dim = true, select_last = false, is_max = true} : (tensor<5x6x3xf32>) -> tensor<5x1x3xi64>
  return %6 : tensor<5x1x3xi64>
}

// -----

#f = #ingot.dims<1, 5, "2 * h", 6>
#h = #ingot.dims<1, "h", 3, 5>
#c = #ingot.dims<1, 5, "h", 3>

// CHECK-LABEL: func.func @resize
// CHECK: %[[R:.*]] = ingot.resize %arg0 {{.*}}scales = array<f64: 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00>, sizes = #ingot.dims<1, "h * 2", 6, 5>
// CHECK: ingot.transpose %[[R]] {permutation = array<i64: 0, 3, 1, 2>}
func.func @resize(%x: tensor<1x?x3x5xf32, #h>) -> tensor<1x5x?x6xf32, #f> {
  %0 = ingot.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x?x3x5xf32, #h>) -> tensor<1x5x?x3xf32, #c>
  %1 = ingot.resize %0 {sizes = #f, scales = array<f64: 1.0, 1.0, 2.0, 3.0>, mode = "nearest", coordinate_mode = "asymmetric", nearest_mode = "floor", cubic_coefficient = -0.75 : f64, exclude_outside = false, extrapolation_value = 0.0 : f64, roi = array<f64>, antialias = false} : (tensor<1x5x?x3xf32, #c>) -> tensor<1x5x?x6xf32, #f>
  return %1 : tensor<1x5x?x6xf32, #f>
}

// -----

#a = #ingot.dims<"n", 5, "h", "w">
#b = #ingot.dims<"n", "h", "w", 5>
#m = #ingot.dims<"n", 5, "h * w">
#n = #ingot.dims<"n", "h * w", 5>

// Positions merged into one dimension, then channels last: no movement at all.
// CHECK-LABEL: func.func @flatten_positions
// CHECK-NEXT: %[[R:.*]] = ingot.reshape %arg0 {shape = #ingot.dims<n, "h * w", 5>}
// CHECK-NEXT: return %[[R]]
func.func @flatten_positions(%x: tensor<?x?x?x5xf32, #b>) -> tensor<?x?x5xf32, #n> {
  %0 = ingot.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<?x?x?x5xf32, #b>) -> tensor<?x5x?x?xf32, #a>
  %1 = ingot.reshape %0 {shape = #m} : (tensor<?x5x?x?xf32, #a>) -> tensor<?x5x?xf32, #m>
  %2 = ingot.transpose %1 {permutation = array<i64: 0, 2, 1>} : (tensor<?x5x?xf32, #m>) -> tensor<?x?x5xf32, #n>
  return %2 : tensor<?x?x5xf32, #n>
}

// -----

// Channels and positions merged: elements have to move.
// CHECK-LABEL: func.func @flatten_all
// CHECK: ingot.transpose %arg0
// CHECK: ingot.reshape
func.func @flatten_all(%x: tensor<2x3x4x5xf32>) -> tensor<2x60xf32> {
  %0 = ingot.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x3x4x5xf32>) -> tensor<2x5x3x4xf32>
  %1 = ingot.reshape %0 {shape = #ingot.dims<2, 60>} : (tensor<2x5x3x4xf32>) -> tensor<2x60xf32>
  return %1 : tensor<2x60xf32>
}

// -----

// A dimension taken apart, with new ones of extent 1.
// CHECK-LABEL: func.func @split
// CHECK: %[[R:.*]] = ingot.reshape %arg0
// CHECK: %[[T:.*]] = ingot.transpose %[[R]]
// CHECK: return %[[T]] : tensor<5x1x3x2xf32>
func.func @split(%x: tensor<6x5xf32>) -> tensor<5x1x3x2xf32> {
  %0 = ingot.transpose %x {permutation = array<i64: 1, 0>} : (tensor<6x5xf32>) -> tensor<5x6xf32>
  %1 = ingot.reshape %0 {shape = #ingot.dims<5, 1, 3, 2>} : (tensor<5x6xf32>) -> tensor<5x1x3x2xf32>
  return %1 : tensor<5x1x3x2xf32>
}
