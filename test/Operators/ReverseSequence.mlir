// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @reverse_sequence
// CHECK: ingot.reverse_sequence %{{.*}}, %{{.*}} {batch_axis = 1 : i64, time_axis = 0 : i64}
func.func @reverse_sequence(%x: tensor<?x4xf32, #ingot.dims<N, 4>>, %n: tensor<4xi64>) -> tensor<?x4xf32, #ingot.dims<N, 4>> {
  %0 = ingot.reverse_sequence %x, %n {batch_axis = 1 : i64, time_axis = 0 : i64} : (tensor<?x4xf32, #ingot.dims<N, 4>>, tensor<4xi64>) -> tensor<?x4xf32, #ingot.dims<N, 4>>
  return %0 : tensor<?x4xf32, #ingot.dims<N, 4>>
}

// -----

func.func @one_axis(%x: tensor<4x4xf32>, %n: tensor<4xi64>) -> tensor<4x4xf32> {
  // expected-error @+2 {{expected two different axes within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reverse_sequence %x, %n {batch_axis = 1 : i64, time_axis = 1 : i64} : (tensor<4x4xf32>, tensor<4xi64>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @axis_outside(%x: tensor<4x4xf32>, %n: tensor<4xi64>) -> tensor<4x4xf32> {
  // expected-error @+2 {{expected two different axes within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reverse_sequence %x, %n {batch_axis = 0 : i64, time_axis = -1 : i64} : (tensor<4x4xf32>, tensor<4xi64>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @lengths(%x: tensor<3x4xf32>, %n: tensor<3xi64>) -> tensor<3x4xf32> {
  // expected-error @+2 {{expected one i64 length for each sequence}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reverse_sequence %x, %n {batch_axis = 1 : i64, time_axis = 0 : i64} : (tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @float_lengths(%x: tensor<3x4xf32>, %n: tensor<4xf32>) -> tensor<3x4xf32> {
  // expected-error @+2 {{expected one i64 length for each sequence}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reverse_sequence %x, %n {batch_axis = 1 : i64, time_axis = 0 : i64} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
