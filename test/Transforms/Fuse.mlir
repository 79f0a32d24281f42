// RUN: ingot-opt --fuse --in-place --split-input-file %s | FileCheck %s

#d = #ingot.dims<1, width, 24>

// A diamond of element-wise operators becomes one group; the transposition, which has one user and is not itself
// worth a pass over memory, goes inside.
// CHECK-LABEL: func.func @diamond
// CHECK: ingot.group
// CHECK: ingot.transpose
// CHECK: ingot.add
// CHECK: ingot.yield
// CHECK-NOT: ingot.group
func.func @diamond(%x: tensor<24x8xf32>, %y: tensor<8x24xf32>) -> tensor<8x24xf32> {
  %one = ingot.constant dense<1.0> : tensor<f32>
  %t = ingot.transpose %x {permutation = array<i64: 1, 0>} : (tensor<24x8xf32>) -> tensor<8x24xf32>
  %0 = ingot.add %t, %y : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
  return %0 : tensor<8x24xf32>
}

// -----

// A chain with two results, both stored by one loop; then a group whose operand dies and is written over.
// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.*]] = ingot.group
// CHECK-NOT: in_place
// CHECK: ingot.exp
// CHECK: %[[T:.*]] = ingot.group(%[[A]])
// CHECK: ingot.transpose
// CHECK: ingot.group(%[[A]]
// CHECK-SAME: in_place = array<i64: 0, 0>
// CHECK: ingot.tanh
func.func @chain(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ingot.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = ingot.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = ingot.reshape %t {shape = #ingot.dims<16>} : (tensor<4x4xf32>) -> tensor<16xf32>
  %s = ingot.reshape %r {shape = #ingot.dims<4, 4>} : (tensor<16xf32>) -> tensor<4x4xf32>
  %1 = ingot.mul %0, %s : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = ingot.tanh %1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = ingot.reshape %2 {shape = #ingot.dims<16>} : (tensor<4x4xf32>) -> tensor<16xf32>
  %4 = ingot.reshape %3 {shape = #ingot.dims<4, 4>} : (tensor<16xf32>) -> tensor<4x4xf32>
  %5 = ingot.transpose %4 {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %5 : tensor<4x4xf32>
}
