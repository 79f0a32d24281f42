// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// Extents of 1 and missing leading dimensions are repeated, symbolic ones too.
// CHECK-LABEL: @broadcasting
// CHECK: ingot.add {{.*}} -> tensor<?x5x4xf32, #ingot.dims<N, 5, 4>>
func.func @broadcasting(%x: tensor<?x1x4xf32, #ingot.dims<N, 1, 4>>, %y: tensor<5x1xf32>) -> tensor<?x5x4xf32, #ingot.dims<N, 5, 4>> {
  %0 = ingot.add %x, %y : (tensor<?x1x4xf32, #ingot.dims<N, 1, 4>>, tensor<5x1xf32>) -> tensor<?x5x4xf32, #ingot.dims<N, 5, 4>>
  return %0 : tensor<?x5x4xf32, #ingot.dims<N, 5, 4>>
}

// -----

// Comparisons give booleans.
// CHECK-LABEL: @comparison
// CHECK: ingot.less {{.*}} -> tensor<3xi1>
func.func @comparison(%x: tensor<3xf32>, %y: tensor<f32>) -> tensor<3xi1> {
  %0 = ingot.less %x, %y : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

func.func @extents(%x: tensor<2x3xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // expected-error @+2 {{cannot broadcast extent 3 with 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.add %x, %y : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @element_types(%x: tensor<3xf32>, %y: tensor<3xf64>) -> tensor<3xf32> {
  // expected-error @+2 {{operands must be of one element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.add %x, %y : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @result(%x: tensor<3xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{inferred type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.exp %x : (tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @integers(%x: tensor<3xi32>) -> tensor<3xi32> {
  // expected-error @+1 {{must be}}
  %0 = ingot.exp %x : (tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{must be}}
  %0 = ingot.relu %x : (tensor<*xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
