// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @gather(
// CHECK: ingot.gather %{{.*}}, %{{.*}} {axis = 0 : i64}
func.func @gather(%a: tensor<?x4xf32, #ingot.dims<N, 4>>, %b: tensor<3xi64>) -> tensor<3x4xf32> {
  %0 = ingot.gather %a, %b {axis = 0 : i64} : (tensor<?x4xf32, #ingot.dims<N, 4>>, tensor<3xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}


// -----

func.func @gather_axis_2(%a: tensor<2x3xf32>, %b: tensor<3xi64>) -> tensor<3x3xf32> {
  // expected-error @+2 {{expected an axis within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather %a, %b {axis = 2 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}


// -----

func.func @gather_axis_m1(%a: tensor<2x3xf32>, %b: tensor<3xi64>) -> tensor<3x3xf32> {
  // expected-error @+2 {{expected an axis within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather %a, %b {axis = -1 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}


// -----

func.func @gather_axis_m9223372036854775808(%a: tensor<2x3xf32>, %b: tensor<3xi64>) -> tensor<3x3xf32> {
  // expected-error @+2 {{expected an axis within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather %a, %b {axis = -9223372036854775808 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}


// -----

func.func @gather_float(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<3x3xf32> {
  // expected-error @+2 {{expected an axis within rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather %a, %b {axis = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}


// -----

func.func @gather_empty(%a: tensor<0x3xf32>, %b: tensor<3xi64>) -> tensor<3x3xf32> {
  // expected-error @+2 {{nothing to gather from}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather %a, %b {axis = 0 : i64} : (tensor<0x3xf32>, tensor<3xi64>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}


// -----

// CHECK-LABEL: @gather_elements(
// CHECK: ingot.gather_elements %{{.*}}, %{{.*}} {axis = 1 : i64}
func.func @gather_elements(%a: tensor<5x4xf32>, %b: tensor<5x2xi64>) -> tensor<5x2xf32> {
  %0 = ingot.gather_elements %a, %b {axis = 1 : i64} : (tensor<5x4xf32>, tensor<5x2xi64>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}


// -----

func.func @gather_elements_reach(%a: tensor<5x4xf32>, %b: tensor<6x2xi64>) -> tensor<6x2xf32> {
  // expected-error @+2 {{the indices reach beyond dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather_elements %a, %b {axis = 1 : i64} : (tensor<5x4xf32>, tensor<6x2xi64>) -> tensor<6x2xf32>
  return %0 : tensor<6x2xf32>
}


// -----

// CHECK-LABEL: @gather_nd(
// CHECK: ingot.gather_nd %{{.*}}, %{{.*}} {batch_dims = 1 : i64}
func.func @gather_nd(%a: tensor<2x5x4xf32>, %b: tensor<2x3x1xi64>) -> tensor<2x3x4xf32> {
  %0 = ingot.gather_nd %a, %b {batch_dims = 1 : i64} : (tensor<2x5x4xf32>, tensor<2x3x1xi64>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}


// -----

func.func @gather_nd_tuple(%a: tensor<5x4xf32>, %b: tensor<3x3xi64>) -> tensor<3xf32> {
  // expected-error @+2 {{the index tuples do not fit the operand}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather_nd %a, %b {batch_dims = 0 : i64} : (tensor<5x4xf32>, tensor<3x3xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}


// -----

func.func @gather_nd_batch(%a: tensor<2x5x4xf32>, %b: tensor<3x3x1xi64>) -> tensor<3x3x4xf32> {
  // expected-error @+2 {{the batches of operand and indices differ}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.gather_nd %a, %b {batch_dims = 1 : i64} : (tensor<2x5x4xf32>, tensor<3x3x1xi64>) -> tensor<3x3x4xf32>
  return %0 : tensor<3x3x4xf32>
}


// -----

// CHECK-LABEL: @cumsum(
// CHECK: ingot.cumsum %{{.*}} {axis = 0 : i64, exclusive = false, reverse = true}
func.func @cumsum(%a: tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<?x4xf32, #ingot.dims<N, 4>> {
  %0 = ingot.cumsum %a {axis = 0 : i64, exclusive = false, reverse = true} : (tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<?x4xf32, #ingot.dims<N, 4>>
  return %0 : tensor<?x4xf32, #ingot.dims<N, 4>>
}


// -----

func.func @cumsum_axis(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{expected numbers and an axis within rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.cumsum %a {axis = 1 : i64, exclusive = false, reverse = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}


// -----

// CHECK-LABEL: @scatter(
// CHECK: ingot.scatter %{{.*}}, %{{.*}}, %{{.*}} {axis = 1 : i64, reduction = "add"}
func.func @scatter(%a: tensor<5x4xf32>, %b: tensor<5x2xi64>, %c: tensor<5x2xf32>) -> tensor<5x4xf32> {
  %0 = ingot.scatter %a, %b, %c {axis = 1 : i64, reduction = "add"} : (tensor<5x4xf32>, tensor<5x2xi64>, tensor<5x2xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}


// -----

func.func @scatter_reduction(%a: tensor<5x4xf32>, %b: tensor<5x2xi64>, %c: tensor<5x2xf32>) -> tensor<5x4xf32> {
  // expected-error @+2 {{unknown reduction 'mean'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.scatter %a, %b, %c {axis = 1 : i64, reduction = "mean"} : (tensor<5x4xf32>, tensor<5x2xi64>, tensor<5x2xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}


// -----

func.func @scatter_shapes(%a: tensor<5x4xf32>, %b: tensor<5x2xi64>, %c: tensor<5x3xf32>) -> tensor<5x4xf32> {
  // expected-error @+2 {{indices and updates must have one shape of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.scatter %a, %b, %c {axis = 1 : i64, reduction = "none"} : (tensor<5x4xf32>, tensor<5x2xi64>, tensor<5x3xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}


// -----

func.func @scatter_reach(%a: tensor<5x4xf32>, %b: tensor<6x2xi64>, %c: tensor<6x2xf32>) -> tensor<5x4xf32> {
  // expected-error @+2 {{the indices reach beyond dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.scatter %a, %b, %c {axis = 1 : i64, reduction = "none"} : (tensor<5x4xf32>, tensor<6x2xi64>, tensor<6x2xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}


// -----

// CHECK-LABEL: @scatter_nd(
// CHECK: ingot.scatter_nd %{{.*}}, %{{.*}}, %{{.*}} {reduction = "none"}
func.func @scatter_nd(%a: tensor<5x4xf32>, %b: tensor<3x1xi64>, %c: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %0 = ingot.scatter_nd %a, %b, %c {reduction = "none"} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}


// -----

func.func @scatter_nd_tuple(%a: tensor<5x4xf32>, %b: tensor<3x3xi64>, %c: tensor<3xf32>) -> tensor<5x4xf32> {
  // expected-error @+2 {{the index tuples do not fit the operand}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.scatter_nd %a, %b, %c {reduction = "none"} : (tensor<5x4xf32>, tensor<3x3xi64>, tensor<3xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}


// -----

func.func @scatter_nd_updates(%a: tensor<5x4xf32>, %b: tensor<3x1xi64>, %c: tensor<3x5xf32>) -> tensor<5x4xf32> {
  // expected-error @+2 {{the updates do not have the shape}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.scatter_nd %a, %b, %c {reduction = "none"} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x5xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}


// -----

// CHECK-LABEL: @top_k(
// CHECK: ingot.top_k %{{.*}} {axis = 1 : i64, k = #ingot.dims<2>, largest = true}
func.func @top_k(%a: tensor<?x4xf32, #ingot.dims<N, 4>>) -> (tensor<?x2xf32, #ingot.dims<N, 2>>, tensor<?x2xi64, #ingot.dims<N, 2>>) {
  %0:2 = ingot.top_k %a {axis = 1 : i64, k = #ingot.dims<2>, largest = true} : (tensor<?x4xf32, #ingot.dims<N, 4>>) -> (tensor<?x2xf32, #ingot.dims<N, 2>>, tensor<?x2xi64, #ingot.dims<N, 2>>)
  return %0#0, %0#1 : tensor<?x2xf32, #ingot.dims<N, 2>>, tensor<?x2xi64, #ingot.dims<N, 2>>
}


// -----

func.func @top_k_k(%a: tensor<3x4xf32>) -> (tensor<3x5xf32>, tensor<3x5xi64>) {
  // expected-error @+2 {{k is not within the extent}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = ingot.top_k %a {axis = 1 : i64, k = #ingot.dims<5>, largest = true} : (tensor<3x4xf32>) -> (tensor<3x5xf32>, tensor<3x5xi64>)
  return %0#0, %0#1 : tensor<3x5xf32>, tensor<3x5xi64>
}
