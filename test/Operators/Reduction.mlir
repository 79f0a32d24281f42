// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @reduce(
// CHECK: ingot.reduce %{{.*}} {dims = array<i64: 1>, keep_dims = true, kind = "max"}
func.func @reduce(%a: tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<?x1xf32, #ingot.dims<N, 1>> {
  %0 = ingot.reduce %a {dims = array<i64: 1>, keep_dims = true, kind = "max"} : (tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<?x1xf32, #ingot.dims<N, 1>>
  return %0 : tensor<?x1xf32, #ingot.dims<N, 1>>
}


// -----

func.func @reduce_kind(%a: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+2 {{unknown kind 'mean'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reduce %a {dims = array<i64: 0>, keep_dims = false, kind = "mean"} : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}


// -----

func.func @reduce_type(%a: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+2 {{'and' does not fit the element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reduce %a {dims = array<i64: 0>, keep_dims = false, kind = "and"} : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}


// -----

func.func @reduce_order(%a: tensor<2x3xf32>) -> tensor<f32> {
  // expected-error @+2 {{dims must ascend within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reduce %a {dims = array<i64: 1, 0>, keep_dims = false, kind = "sum"} : (tensor<2x3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}


// -----

func.func @reduce_twice(%a: tensor<2x3xf32>) -> tensor<f32> {
  // expected-error @+2 {{dims must ascend within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reduce %a {dims = array<i64: 0, 0>, keep_dims = false, kind = "sum"} : (tensor<2x3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}


// -----

func.func @reduce_far(%a: tensor<2x3xf32>) -> tensor<f32> {
  // expected-error @+2 {{dims must ascend within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reduce %a {dims = array<i64: 2>, keep_dims = false, kind = "sum"} : (tensor<2x3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}


// -----

func.func @reduce_negative(%a: tensor<2x3xf32>) -> tensor<f32> {
  // expected-error @+2 {{dims must ascend within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reduce %a {dims = array<i64: -1>, keep_dims = false, kind = "sum"} : (tensor<2x3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}


// -----

func.func @reduce_huge(%a: tensor<2x3xf32>) -> tensor<f32> {
  // expected-error @+2 {{dims must ascend within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reduce %a {dims = array<i64: -9223372036854775808>, keep_dims = false, kind = "sum"} : (tensor<2x3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}


// -----

// CHECK-LABEL: @arg_reduce(
// CHECK: ingot.arg_reduce %{{.*}} {axis = 0 : i64, is_max = true, keep_dim = false, select_last = true}
func.func @arg_reduce(%a: tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<4xi64> {
  %0 = ingot.arg_reduce %a {axis = 0 : i64, is_max = true, keep_dim = false, select_last = true} : (tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}


// -----

func.func @arg_reduce_axis_2(%a: tensor<2x3xf32>) -> tensor<3xi64> {
  // expected-error @+2 {{expected numbers and an axis within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.arg_reduce %a {axis = 2 : i64, is_max = true, keep_dim = false, select_last = false} : (tensor<2x3xf32>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}


// -----

func.func @arg_reduce_axis_m1(%a: tensor<2x3xf32>) -> tensor<3xi64> {
  // expected-error @+2 {{expected numbers and an axis within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.arg_reduce %a {axis = -1 : i64, is_max = true, keep_dim = false, select_last = false} : (tensor<2x3xf32>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}


// -----

func.func @arg_reduce_axis_9223372036854775807(%a: tensor<2x3xf32>) -> tensor<3xi64> {
  // expected-error @+2 {{expected numbers and an axis within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.arg_reduce %a {axis = 9223372036854775807 : i64, is_max = true, keep_dim = false, select_last = false} : (tensor<2x3xf32>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}


// -----

func.func @arg_reduce_empty(%a: tensor<0x3xf32>) -> tensor<3xi64> {
  // expected-error @+2 {{nothing to choose from}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.arg_reduce %a {axis = 0 : i64, is_max = true, keep_dim = false, select_last = false} : (tensor<0x3xf32>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}
