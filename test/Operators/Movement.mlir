// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @reshape(
// CHECK: ingot.reshape %{{.*}} {shape = #ingot.dims<"N * 4">}
func.func @reshape(%a: tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<?xf32, #ingot.dims<"N * 4">> {
  %0 = ingot.reshape %a {shape = #ingot.dims<"N * 4">} : (tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<?xf32, #ingot.dims<"N * 4">>
  return %0 : tensor<?xf32, #ingot.dims<"N * 4">>
}


// -----

func.func @reshape_count(%a: tensor<2x3xf32>) -> tensor<7xf32> {
  // expected-error @+2 {{cannot reshape 6 elements to 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.reshape %a {shape = #ingot.dims<7>} : (tensor<2x3xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}


// -----

// CHECK-LABEL: @transpose(
// CHECK: ingot.transpose %{{.*}} {permutation = array<i64: 1, 0>}
func.func @transpose(%a: tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<4x?xf32, #ingot.dims<4, N>> {
  %0 = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<4x?xf32, #ingot.dims<4, N>>
  return %0 : tensor<4x?xf32, #ingot.dims<4, N>>
}


// -----

func.func @transpose_twice(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+2 {{the permutation must name each of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.transpose %a {permutation = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}


// -----

func.func @transpose_short(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+2 {{the permutation must name each of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.transpose %a {permutation = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}


// -----

func.func @transpose_negative(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+2 {{the permutation must name each of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.transpose %a {permutation = array<i64: -1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}


// -----

func.func @transpose_far(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+2 {{the permutation must name each of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.transpose %a {permutation = array<i64: 0, 2>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}


// -----

func.func @transpose_huge(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+2 {{the permutation must name each of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.transpose %a {permutation = array<i64: 9223372036854775807, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}


// -----

// CHECK-LABEL: @broadcast(
// CHECK: ingot.broadcast %{{.*}} {shape = #ingot.dims<N, 4>}
func.func @broadcast(%a: tensor<4xf32>) -> tensor<?x4xf32, #ingot.dims<N, 4>> {
  %0 = ingot.broadcast %a {shape = #ingot.dims<N, 4>} : (tensor<4xf32>) -> tensor<?x4xf32, #ingot.dims<N, 4>>
  return %0 : tensor<?x4xf32, #ingot.dims<N, 4>>
}


// -----

func.func @broadcast_rank(%a: tensor<2x3xf32>) -> tensor<3xf32> {
  // expected-error @+2 {{cannot broadcast rank 2 to rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.broadcast %a {shape = #ingot.dims<3>} : (tensor<2x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}


// -----

func.func @broadcast_extent(%a: tensor<3xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{cannot broadcast extent 3 to 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.broadcast %a {shape = #ingot.dims<4>} : (tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}


// -----

// CHECK-LABEL: @slice(
// CHECK: ingot.slice %{{.*}} {sizes = #ingot.dims<N, 2>, starts = #ingot.dims<0, 3>, steps = array<i64: 1, -2>}
func.func @slice(%a: tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<?x2xf32, #ingot.dims<N, 2>> {
  %0 = ingot.slice %a {starts = #ingot.dims<0, 3>, steps = array<i64: 1, -2>, sizes = #ingot.dims<N, 2>} : (tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<?x2xf32, #ingot.dims<N, 2>>
  return %0 : tensor<?x2xf32, #ingot.dims<N, 2>>
}


// -----

func.func @slice_entries(%a: tensor<4xf32>) -> tensor<1xf32> {
  // expected-error @+2 {{starts, steps and sizes must have 1 entries}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a {starts = #ingot.dims<0, 0>, steps = array<i64: 1>, sizes = #ingot.dims<1>} : (tensor<4xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}


// -----

func.func @slice_step(%a: tensor<4xf32>) -> tensor<1xf32> {
  // expected-error @+2 {{steps must not be 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a {starts = #ingot.dims<0>, steps = array<i64: 0>, sizes = #ingot.dims<1>} : (tensor<4xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}


// -----

func.func @slice_outside(%a: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+2 {{the slice reaches outside dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a {starts = #ingot.dims<2>, steps = array<i64: 2>, sizes = #ingot.dims<2>} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}


// -----

func.func @slice_below(%a: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error @+2 {{the slice reaches outside dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a {starts = #ingot.dims<2>, steps = array<i64: -2>, sizes = #ingot.dims<3>} : (tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}


// -----

func.func @slice_overflow(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{the slice reaches outside dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.slice %a {starts = #ingot.dims<1>, steps = array<i64: 9223372036854775807>, sizes = #ingot.dims<4>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}


// -----

// CHECK-LABEL: @concat(
// CHECK: ingot.concat %{{.*}}, %{{.*}} {axis = 1 : i64}
func.func @concat(%a: tensor<?x4xf32, #ingot.dims<N, 4>>, %b: tensor<?x2xf32, #ingot.dims<N, 2>>) -> tensor<?x6xf32, #ingot.dims<N, 6>> {
  %0 = ingot.concat %a, %b {axis = 1 : i64} : (tensor<?x4xf32, #ingot.dims<N, 4>>, tensor<?x2xf32, #ingot.dims<N, 2>>) -> tensor<?x6xf32, #ingot.dims<N, 6>>
  return %0 : tensor<?x6xf32, #ingot.dims<N, 6>>
}


// -----

func.func @concat_axis(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+2 {{axis 2 is outside rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.concat %a {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}


// -----

func.func @concat_negative(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+2 {{axis -1 is outside rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.concat %a {axis = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}


// -----

func.func @concat_huge(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+2 {{axis -9223372036854775808 is outside rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.concat %a {axis = -9223372036854775808 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}


// -----

func.func @concat_type(%a: tensor<3xf32>, %b: tensor<3xi64>) -> tensor<6xf32> {
  // expected-error @+2 {{operands differ in rank or element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.concat %a, %b {axis = 0 : i64} : (tensor<3xf32>, tensor<3xi64>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}


// -----

func.func @concat_extent(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<2x6xf32> {
  // expected-error @+2 {{operands differ in dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.concat %a, %b {axis = 1 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}


// -----

// CHECK-LABEL: @pad(
// CHECK: ingot.pad %{{.*}}, %{{.*}} {high = #ingot.dims<0, -1>, low = #ingot.dims<1, 0>, mode = "constant"}
func.func @pad(%a: tensor<?x4xf32, #ingot.dims<N, 4>>, %b: tensor<f32>) -> tensor<?x3xf32, #ingot.dims<"N + 1", 3>> {
  %0 = ingot.pad %a, %b {low = #ingot.dims<1, 0>, high = #ingot.dims<0, -1>, mode = "constant"} : (tensor<?x4xf32, #ingot.dims<N, 4>>, tensor<f32>) -> tensor<?x3xf32, #ingot.dims<"N + 1", 3>>
  return %0 : tensor<?x3xf32, #ingot.dims<"N + 1", 3>>
}


// -----

func.func @pad_entries(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+2 {{low and high must have 1 entries}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pad %a, %b {low = #ingot.dims<>, high = #ingot.dims<0>, mode = "edge"} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}


// -----

func.func @pad_value(%a: tensor<4xf32>, %b: tensor<1xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{the value must be a scalar}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pad %a, %b {low = #ingot.dims<0>, high = #ingot.dims<0>, mode = "constant"} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}


// -----

func.func @pad_mode(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+2 {{unknown mode 'mirror'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pad %a, %b {low = #ingot.dims<0>, high = #ingot.dims<0>, mode = "mirror"} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}


// -----

func.func @pad_negative(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+2 {{dimension 0 becomes negative}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pad %a, %b {low = #ingot.dims<-3>, high = #ingot.dims<-2>, mode = "constant"} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}


// -----

func.func @pad_nothing(%a: tensor<0xf32>, %b: tensor<f32>) -> tensor<1xf32> {
  // expected-error @+2 {{nothing to repeat in dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.pad %a, %b {low = #ingot.dims<1>, high = #ingot.dims<0>, mode = "edge"} : (tensor<0xf32>, tensor<f32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}


// -----

// CHECK-LABEL: @tile(
// CHECK: ingot.tile %{{.*}} {repeats = #ingot.dims<2, 3>}
func.func @tile(%a: tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<?x12xf32, #ingot.dims<"N * 2", 12>> {
  %0 = ingot.tile %a {repeats = #ingot.dims<2, 3>} : (tensor<?x4xf32, #ingot.dims<N, 4>>) -> tensor<?x12xf32, #ingot.dims<"N * 2", 12>>
  return %0 : tensor<?x12xf32, #ingot.dims<"N * 2", 12>>
}


// -----

func.func @tile_entries(%a: tensor<4xf32>) -> tensor<8x3xf32> {
  // expected-error @+2 {{expected 1 repeats, found 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.tile %a {repeats = #ingot.dims<2, 3>} : (tensor<4xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}


// -----

// CHECK-LABEL: @iota(
// CHECK: ingot.iota {axis = 1 : i64, element = i64, shape = #ingot.dims<N, 4>}
func.func @iota() -> tensor<?x4xi64, #ingot.dims<N, 4>> {
  %0 = ingot.iota  {axis = 1 : i64, element = i64, shape = #ingot.dims<N, 4>} : () -> tensor<?x4xi64, #ingot.dims<N, 4>>
  return %0 : tensor<?x4xi64, #ingot.dims<N, 4>>
}


// -----

func.func @iota_axis() -> tensor<3x4xi64> {
  // expected-error @+2 {{axis 2 is outside the shape}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.iota  {axis = 2 : i64, element = i64, shape = #ingot.dims<3, 4>} : () -> tensor<3x4xi64>
  return %0 : tensor<3x4xi64>
}


// -----

// CHECK-LABEL: @dims_tensor(
// CHECK: ingot.dims_tensor {element = i64, values = #ingot.dims<"N floordiv 2", 4>}
func.func @dims_tensor() -> tensor<2xi64> {
  %0 = ingot.dims_tensor  {element = i64, values = #ingot.dims<"N floordiv 2", 4>} : () -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
