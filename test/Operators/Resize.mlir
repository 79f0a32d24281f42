// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @resize(
// CHECK: ingot.resize %{{.*}} {antialias = false, coordinate_mode = "half_pixel"
func.func @resize(%a: tensor<?x4x3xf32, #ingot.dims<N, 4, 3>>) -> tensor<?x8x3xf32, #ingot.dims<N, 8, 3>> {
  %0 = ingot.resize %a {antialias = false, coordinate_mode = "half_pixel", cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation_value = 0.000000e+00 : f64, mode = "linear", nearest_mode = "floor", roi = array<f64>, scales = array<f64: 0.0, 0.0, 0.0>, sizes = #ingot.dims<N, 8, 3>} : (tensor<?x4x3xf32, #ingot.dims<N, 4, 3>>) -> tensor<?x8x3xf32, #ingot.dims<N, 8, 3>>
  return %0 : tensor<?x8x3xf32, #ingot.dims<N, 8, 3>>
}


// -----

func.func @resize_entries(%a: tensor<2x4x3xf32>) -> tensor<2x8x3xf32> {
  // expected-error @+2 {{expected 3 sizes and scales}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.resize %a {antialias = false, coordinate_mode = "half_pixel", cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation_value = 0.000000e+00 : f64, mode = "linear", nearest_mode = "floor", roi = array<f64>, scales = array<f64: 0.0>, sizes = #ingot.dims<2, 8, 3>} : (tensor<2x4x3xf32>) -> tensor<2x8x3xf32>
  return %0 : tensor<2x8x3xf32>
}


// -----

func.func @resize_mode(%a: tensor<2x4x3xf32>) -> tensor<2x8x3xf32> {
  // expected-error @+2 {{unknown mode 'lanczos'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.resize %a {antialias = false, coordinate_mode = "half_pixel", cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation_value = 0.000000e+00 : f64, mode = "lanczos", nearest_mode = "floor", roi = array<f64>, scales = array<f64: 0.0, 0.0, 0.0>, sizes = #ingot.dims<2, 8, 3>} : (tensor<2x4x3xf32>) -> tensor<2x8x3xf32>
  return %0 : tensor<2x8x3xf32>
}


// -----

func.func @resize_coordinates(%a: tensor<2x4x3xf32>) -> tensor<2x8x3xf32> {
  // expected-error @+2 {{unknown coordinate mode 'corner'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.resize %a {antialias = false, coordinate_mode = "corner", cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation_value = 0.000000e+00 : f64, mode = "linear", nearest_mode = "floor", roi = array<f64>, scales = array<f64: 0.0, 0.0, 0.0>, sizes = #ingot.dims<2, 8, 3>} : (tensor<2x4x3xf32>) -> tensor<2x8x3xf32>
  return %0 : tensor<2x8x3xf32>
}


// -----

func.func @resize_nearest(%a: tensor<2x4x3xf32>) -> tensor<2x8x3xf32> {
  // expected-error @+2 {{unknown nearest mode 'up'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.resize %a {antialias = false, coordinate_mode = "half_pixel", cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation_value = 0.000000e+00 : f64, mode = "nearest", nearest_mode = "up", roi = array<f64>, scales = array<f64: 0.0, 0.0, 0.0>, sizes = #ingot.dims<2, 8, 3>} : (tensor<2x4x3xf32>) -> tensor<2x8x3xf32>
  return %0 : tensor<2x8x3xf32>
}


// -----

func.func @resize_roi(%a: tensor<2x4x3xf32>) -> tensor<2x8x3xf32> {
  // expected-error @+2 {{a region needs 6 numbers}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.resize %a {antialias = false, coordinate_mode = "tf_crop_and_resize", cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation_value = 0.000000e+00 : f64, mode = "linear", nearest_mode = "floor", roi = array<f64>, scales = array<f64: 0.0, 0.0, 0.0>, sizes = #ingot.dims<2, 8, 3>} : (tensor<2x4x3xf32>) -> tensor<2x8x3xf32>
  return %0 : tensor<2x8x3xf32>
}


// -----

func.func @resize_integers(%a: tensor<2x4x3xi32>) -> tensor<2x8x3xi32> {
  // expected-error @+2 {{only floats can be interpolated}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.resize %a {antialias = false, coordinate_mode = "half_pixel", cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation_value = 0.000000e+00 : f64, mode = "linear", nearest_mode = "floor", roi = array<f64>, scales = array<f64: 0.0, 0.0, 0.0>, sizes = #ingot.dims<2, 8, 3>} : (tensor<2x4x3xi32>) -> tensor<2x8x3xi32>
  return %0 : tensor<2x8x3xi32>
}


// -----

func.func @resize_empty(%a: tensor<2x0x3xf32>) -> tensor<2x8x3xf32> {
  // expected-error @+2 {{dimension 1 cannot be resized so}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.resize %a {antialias = false, coordinate_mode = "half_pixel", cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation_value = 0.000000e+00 : f64, mode = "linear", nearest_mode = "floor", roi = array<f64>, scales = array<f64: 0.0, 0.0, 0.0>, sizes = #ingot.dims<2, 8, 3>} : (tensor<2x0x3xf32>) -> tensor<2x8x3xf32>
  return %0 : tensor<2x8x3xf32>
}


// -----

func.func @resize_scale(%a: tensor<2x4x3xf32>) -> tensor<2x8x3xf32> {
  // expected-error @+2 {{a scale is out of range}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.resize %a {antialias = false, coordinate_mode = "half_pixel", cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation_value = 0.000000e+00 : f64, mode = "linear", nearest_mode = "floor", roi = array<f64>, scales = array<f64: 1.0, -2.0, 1.0>, sizes = #ingot.dims<2, 8, 3>} : (tensor<2x4x3xf32>) -> tensor<2x8x3xf32>
  return %0 : tensor<2x8x3xf32>
}


// -----

func.func @resize_nan(%a: tensor<2x4x3xf32>) -> tensor<2x8x3xf32> {
  // expected-error @+2 {{a scale is out of range}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = ingot.resize %a {antialias = false, coordinate_mode = "half_pixel", cubic_coefficient = -7.500000e-01 : f64, exclude_outside = false, extrapolation_value = 0.000000e+00 : f64, mode = "linear", nearest_mode = "floor", roi = array<f64>, scales = array<f64: 1.0, 0x7FF8000000000000, 1.0>, sizes = #ingot.dims<2, 8, 3>} : (tensor<2x4x3xf32>) -> tensor<2x8x3xf32>
  return %0 : tensor<2x8x3xf32>
}
