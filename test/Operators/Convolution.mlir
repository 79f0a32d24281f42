// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @conv(
// CHECK: ingot.conv %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, groups = 2 : i64, high = array<i64: 1, 1>, low = array<i64: 1, 1>, strides = array<i64: 2, 2>}
func.func @conv(%a: tensor<1x?x8x4xf32, #ingot.dims<1, h, 8, 4>>, %b: tensor<3x3x2x6xf32>) -> tensor<1x?x4x6xf32, #ingot.dims<1, "(h - 1) floordiv 2 + 1", 4, 6>> {
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = 2 : i64, high = array<i64: 1, 1>, low = array<i64: 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x?x8x4xf32, #ingot.dims<1, h, 8, 4>>, tensor<3x3x2x6xf32>) -> tensor<1x?x4x6xf32, #ingot.dims<1, "(h - 1) floordiv 2 + 1", 4, 6>>
  return %0 : tensor<1x?x4x6xf32, #ingot.dims<1, "(h - 1) floordiv 2 + 1", 4, 6>>
}


// -----

func.func @conv_rank(%a: tensor<1x4xf32>, %b: tensor<4x6xf32>) -> tensor<1x6xf32> {
  // expected-error @+2 {{expected operands of one rank, at least 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4xf32>, tensor<4x6xf32>) -> tensor<1x6xf32>
  return %0 : tensor<1x6xf32>
}


// -----

func.func @conv_type(%a: tensor<1x6x8x4xf32>, %b: tensor<3x3x4x6xf64>) -> tensor<1x4x6x6xf32> {
  // expected-error @+2 {{operands must be of one numeric element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x6x8x4xf32>, tensor<3x3x4x6xf64>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}


// -----

func.func @conv_entries(%a: tensor<1x6x8x4xf32>, %b: tensor<3x3x4x6xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error @+2 {{expected 2 strides, dilations and paddings}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 1>} : (tensor<1x6x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}


// -----

func.func @conv_stride(%a: tensor<1x6x8x4xf32>, %b: tensor<3x3x4x6xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error @+2 {{must}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 0, 1>} : (tensor<1x6x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}


// -----

func.func @conv_padding(%a: tensor<1x6x8x4xf32>, %b: tensor<3x3x4x6xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error @+2 {{must}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: -1, 0>, strides = array<i64: 1, 1>} : (tensor<1x6x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}


// -----

func.func @conv_groups_none(%a: tensor<1x6x8x4xf32>, %b: tensor<3x3x2x6xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error @+2 {{groups must be positive, and not more than channels}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = 0 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x6x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}


// -----

func.func @conv_groups_negative(%a: tensor<1x6x8x4xf32>, %b: tensor<3x3x2x6xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error @+2 {{groups must be positive, and not more than channels}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = -2 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x6x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}


// -----

func.func @conv_groups_huge(%a: tensor<1x6x8x4xf32>, %b: tensor<3x3x2x6xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error @+2 {{groups must be positive, and not more than channels}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = 9223372036854775807 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x6x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}


// -----

func.func @conv_channels(%a: tensor<1x6x8x4xf32>, %b: tensor<3x3x3x6xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error @+2 {{the channels do not fit the weights and 1 groups}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x6x8x4xf32>, tensor<3x3x3x6xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}


// -----

func.func @conv_kernel(%a: tensor<1x6x8x4xf32>, %b: tensor<9x3x4x6xf32>) -> tensor<1x1x6x6xf32> {
  // expected-error @+2 {{the kernel is larger than dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x6x8x4xf32>, tensor<9x3x4x6xf32>) -> tensor<1x1x6x6xf32>
  return %0 : tensor<1x1x6x6xf32>
}


// -----

// CHECK-LABEL: @conv_transpose(
// CHECK: ingot.conv_transpose %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, output_padding = array<i64: 0, 0>, strides = array<i64: 2, 2>}
func.func @conv_transpose(%a: tensor<1x3x4x4xf32>, %b: tensor<2x2x4x3xf32>) -> tensor<1x6x8x3xf32> {
  %0 = ingot.conv_transpose %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, output_padding = array<i64: 0, 0>} : (tensor<1x3x4x4xf32>, tensor<2x2x4x3xf32>) -> tensor<1x6x8x3xf32>
  return %0 : tensor<1x6x8x3xf32>
}


// -----

func.func @conv_transpose_channels(%a: tensor<1x3x4x4xf32>, %b: tensor<2x2x5x3xf32>) -> tensor<1x6x8x3xf32> {
  // expected-error @+2 {{the channels do not fit the weights and 1 groups}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv_transpose %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, output_padding = array<i64: 0, 0>} : (tensor<1x3x4x4xf32>, tensor<2x2x5x3xf32>) -> tensor<1x6x8x3xf32>
  return %0 : tensor<1x6x8x3xf32>
}


// -----

func.func @conv_transpose_entries(%a: tensor<1x3x4x4xf32>, %b: tensor<2x2x4x3xf32>) -> tensor<1x6x8x3xf32> {
  // expected-error @+2 {{expected 2 output paddings}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv_transpose %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, output_padding = array<i64: 0>} : (tensor<1x3x4x4xf32>, tensor<2x2x4x3xf32>) -> tensor<1x6x8x3xf32>
  return %0 : tensor<1x6x8x3xf32>
}


// -----

func.func @conv_transpose_padding(%a: tensor<1x3x4x4xf32>, %b: tensor<2x2x4x3xf32>) -> tensor<1x6x8x3xf32> {
  // expected-error @+2 {{an output padding is out of range}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv_transpose %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, output_padding = array<i64: -1, 0>} : (tensor<1x3x4x4xf32>, tensor<2x2x4x3xf32>) -> tensor<1x6x8x3xf32>
  return %0 : tensor<1x6x8x3xf32>
}


// -----

func.func @conv_transpose_negative(%a: tensor<1x3x4x4xf32>, %b: tensor<2x2x4x3xf32>) -> tensor<1x6x8x3xf32> {
  // expected-error @+2 {{dimension 0 becomes negative}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.conv_transpose %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 9, 0>, strides = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x3x4x4xf32>, tensor<2x2x4x3xf32>) -> tensor<1x6x8x3xf32>
  return %0 : tensor<1x6x8x3xf32>
}


// -----

// CHECK-LABEL: @max_pool(
// CHECK: ingot.max_pool %{{.*}} {ceil_mode = false
func.func @max_pool(%a: tensor<1x?x8x4xf32, #ingot.dims<1, h, 8, 4>>) -> tensor<1x?x4x4xf32, #ingot.dims<1, "h floordiv 2", 4, 4>> {
  %0 = ingot.max_pool %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 2, 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x?x8x4xf32, #ingot.dims<1, h, 8, 4>>) -> tensor<1x?x4x4xf32, #ingot.dims<1, "h floordiv 2", 4, 4>>
  return %0 : tensor<1x?x4x4xf32, #ingot.dims<1, "h floordiv 2", 4, 4>>
}


// -----

// CHECK-LABEL: @max_pool_indices(
// CHECK: ingot.max_pool_indices %{{.*}} {ceil_mode = false
func.func @max_pool_indices(%a: tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xi64> {
  %0 = ingot.max_pool_indices %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 2, 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, storage_order = 0 : i64} : (tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xi64>
  return %0 : tensor<1x3x4x4xi64>
}


// -----

// CHECK-LABEL: @average_pool(
// CHECK: ingot.average_pool %{{.*}} {ceil_mode = false, count_include_pad = true
func.func @average_pool(%a: tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32> {
  %0 = ingot.average_pool %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 2, 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, count_include_pad = true} : (tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}


// -----

// CHECK-LABEL: @lp_pool(
// CHECK: ingot.lp_pool %{{.*}} {ceil_mode = false
func.func @lp_pool(%a: tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32> {
  %0 = ingot.lp_pool %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 2, 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, p = 2 : i64} : (tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}


// -----

func.func @lp_pool_p(%a: tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32> {
  // expected-error @+2 {{p must be at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.lp_pool %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 2, 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>, p = 0 : i64} : (tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}


// -----

func.func @pool_rank(%a: tensor<1x4xf32>) -> tensor<1x4xf32> {
  // expected-error @+2 {{expected a batch, spatial dimensions and channels}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.max_pool %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 2, 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}


// -----

func.func @pool_entries(%a: tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32> {
  // expected-error @+2 {{expected 2 values for each list of the window}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.max_pool %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}


// -----

func.func @pool_huge(%a: tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32> {
  // expected-error @+2 {{the window is out of range}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.max_pool %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 9223372036854775807, 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}


// -----

func.func @pool_none(%a: tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32> {
  // expected-error @+2 {{kernel, strides and dilations must be positive}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.max_pool %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 0, 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}


// -----

func.func @pool_stride(%a: tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32> {
  // expected-error @+2 {{kernel, strides and dilations must be positive}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.max_pool %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 2, 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 0>} : (tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}


// -----

func.func @pool_large(%a: tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32> {
  // expected-error @+2 {{the window is larger than dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.max_pool %a {ceil_mode = false, dilations = array<i64: 1, 1>, high = array<i64: 0, 0>, kernel = array<i64: 9, 2>, low = array<i64: 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x6x8x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}
