// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @matmul(
// CHECK: ingot.matmul %{{.*}}, %{{.*}} :
func.func @matmul(%a: tensor<?x2x3x4xf32, #ingot.dims<N, 2, 3, 4>>, %b: tensor<4x5xf32>) -> tensor<?x2x3x5xf32, #ingot.dims<N, 2, 3, 5>> {
  %0 = ingot.matmul %a, %b {} : (tensor<?x2x3x4xf32, #ingot.dims<N, 2, 3, 4>>, tensor<4x5xf32>) -> tensor<?x2x3x5xf32, #ingot.dims<N, 2, 3, 5>>
  return %0 : tensor<?x2x3x5xf32, #ingot.dims<N, 2, 3, 5>>
}


// -----

func.func @matmul_rank(%a: tensor<4xf32>, %b: tensor<4x5xf32>) -> tensor<5xf32> {
  // expected-error @+2 {{operands must have at least two dimensions}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.matmul %a, %b {} : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}


// -----

func.func @matmul_type(%a: tensor<3x4xf32>, %b: tensor<4x5xf64>) -> tensor<3x5xf32> {
  // expected-error @+2 {{operands must be of one numeric element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.matmul %a, %b {} : (tensor<3x4xf32>, tensor<4x5xf64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}


// -----

func.func @matmul_inner(%a: tensor<3x4xf32>, %b: tensor<5x6xf32>) -> tensor<3x6xf32> {
  // expected-error @+2 {{rows of 4 elements cannot be multiplied with columns of 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.matmul %a, %b {} : (tensor<3x4xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}


// -----

func.func @matmul_batch(%a: tensor<2x3x4xf32>, %b: tensor<3x4x5xf32>) -> tensor<3x3x5xf32> {
  // expected-error @+2 {{cannot broadcast extent 2 with 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.matmul %a, %b {} : (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<3x3x5xf32>
  return %0 : tensor<3x3x5xf32>
}


// -----

// CHECK-LABEL: @pack(
// CHECK: ingot.pack %{{.*}} {lanes = 4 : i64, vectors = 2 : i64}
func.func @pack(%a: tensor<4x10xf32>) -> tensor<2x4x8xf32> {
  %0 = ingot.pack %a {lanes = 4 : i64, vectors = 2 : i64} : (tensor<4x10xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}


// -----

func.func @pack_lanes(%a: tensor<4x10xf32>) -> tensor<2x4x8xf32> {
  // expected-error @+2 {{expected a matrix, lanes a power of two and vectors at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pack %a {lanes = 3 : i64, vectors = 2 : i64} : (tensor<4x10xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}


// -----

func.func @pack_none(%a: tensor<4x10xf32>) -> tensor<2x4x8xf32> {
  // expected-error @+2 {{expected a matrix, lanes a power of two and vectors at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pack %a {lanes = 0 : i64, vectors = 2 : i64} : (tensor<4x10xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}


// -----

func.func @pack_vectors(%a: tensor<4x10xf32>) -> tensor<2x4x8xf32> {
  // expected-error @+2 {{expected a matrix, lanes a power of two and vectors at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pack %a {lanes = 4 : i64, vectors = 0 : i64} : (tensor<4x10xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}


// -----

func.func @pack_negative(%a: tensor<4x10xf32>) -> tensor<2x4x8xf32> {
  // expected-error @+2 {{expected a matrix, lanes a power of two and vectors at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pack %a {lanes = -4 : i64, vectors = 1 : i64} : (tensor<4x10xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}


// -----

func.func @pack_overflow(%a: tensor<4x10xf32>) -> tensor<2x4x8xf32> {
  // expected-error @+2 {{expected a matrix, lanes a power of two and vectors at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pack %a {lanes = 4611686018427387904 : i64, vectors = 4 : i64} : (tensor<4x10xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}


// -----

func.func @pack_huge(%a: tensor<4x10xf32>) -> tensor<2x4x8xf32> {
  // expected-error @+2 {{expected a matrix, lanes a power of two and vectors at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pack %a {lanes = 9223372036854775807 : i64, vectors = 1 : i64} : (tensor<4x10xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}


// -----

// CHECK-LABEL: @packed_matmul(
// CHECK: ingot.packed_matmul %{{.*}}, %{{.*}} {columns = #ingot.dims<10>, lanes = 4 : i64, vectors = 2 : i64}
func.func @packed_matmul(%a: tensor<?x4xf32, #ingot.dims<N, 4>>, %b: tensor<2x4x8xf32>) -> tensor<?x10xf32, #ingot.dims<N, 10>> {
  %0 = ingot.packed_matmul %a, %b {columns = #ingot.dims<10>, lanes = 4 : i64, vectors = 2 : i64} : (tensor<?x4xf32, #ingot.dims<N, 4>>, tensor<2x4x8xf32>) -> tensor<?x10xf32, #ingot.dims<N, 10>>
  return %0 : tensor<?x10xf32, #ingot.dims<N, 10>>
}


// -----

func.func @packed_matmul_columns(%a: tensor<3x4xf32>, %b: tensor<2x4x8xf32>) -> tensor<3x17xf32> {
  // expected-error @+2 {{the operands' shapes do not fit each other}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.packed_matmul %a, %b {columns = #ingot.dims<17>, lanes = 4 : i64, vectors = 2 : i64} : (tensor<3x4xf32>, tensor<2x4x8xf32>) -> tensor<3x17xf32>
  return %0 : tensor<3x17xf32>
}


// -----

// CHECK-LABEL: @packed_conv(
// CHECK: ingot.packed_conv %{{.*}}, %{{.*}} {columns = #ingot.dims<8>
func.func @packed_conv(%a: tensor<1x5x6x3xf32>, %b: tensor<1x12x8xf32>) -> tensor<1x4x5x8xf32> {
  %0 = ingot.packed_conv %a, %b {columns = #ingot.dims<8>, dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, lanes = 8 : i64, strides = array<i64: 1, 1>, vectors = 1 : i64} : (tensor<1x5x6x3xf32>, tensor<1x12x8xf32>) -> tensor<1x4x5x8xf32>
  return %0 : tensor<1x4x5x8xf32>
}


// -----

func.func @packed_conv_kernel(%a: tensor<1x5x6x3xf32>, %b: tensor<1x12x8xf32>) -> tensor<1x3x5x8xf32> {
  // expected-error @+2 {{the operands' shapes do not fit each other}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.packed_conv %a, %b {columns = #ingot.dims<8>, dilations = array<i64: 1, 1>, kernel = array<i64: 3, 2>, lanes = 8 : i64, strides = array<i64: 1, 1>, vectors = 1 : i64} : (tensor<1x5x6x3xf32>, tensor<1x12x8xf32>) -> tensor<1x3x5x8xf32>
  return %0 : tensor<1x3x5x8xf32>
}


// -----

func.func @packed_conv_stride(%a: tensor<1x5x6x3xf32>, %b: tensor<1x12x8xf32>) -> tensor<1x4x5x8xf32> {
  // expected-error @+2 {{the operands' shapes do not fit each other}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.packed_conv %a, %b {columns = #ingot.dims<8>, dilations = array<i64: 1, 1>, kernel = array<i64: 2, 2>, lanes = 8 : i64, strides = array<i64: 0, 1>, vectors = 1 : i64} : (tensor<1x5x6x3xf32>, tensor<1x12x8xf32>) -> tensor<1x4x5x8xf32>
  return %0 : tensor<1x4x5x8xf32>
}
