// RUN: ingot-opt --pack="vector-bits=512" --split-input-file %s | FileCheck %s

#x = #ingot.dims<1, "height", "width", 24>
#y = #ingot.dims<1, "(height - 1) floordiv 2 + 1", "(width - 1) floordiv 2 + 1", 40>

// Padding on its own, weights as a packed matrix: 40 columns are three vectors.
// CHECK-LABEL: func.func @conv
// CHECK: %[[M:.*]] = ingot.reshape %arg1 {shape = #ingot.dims<216, 40>}
// CHECK: %[[P:.*]] = ingot.pad %arg0
// CHECK: %[[W:.*]] = ingot.pack %[[M]] {lanes = 16 : i64, vectors = 3 : i64} {{.*}} -> tensor<1x216x48xf32>
// CHECK: ingot.packed_conv %[[P]], %[[W]]
func.func @conv(%x: tensor<1x?x?x24xf32, #x>, %w: tensor<3x3x24x40xf32>) -> tensor<1x?x?x40xf32, #y> {
  %0 = ingot.conv %x, %w {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, groups = 1 : i64} : (tensor<1x?x?x24xf32, #x>, tensor<3x3x24x40xf32>) -> tensor<1x?x?x40xf32, #y>
  return %0 : tensor<1x?x?x40xf32, #y>
}

// -----

// A 1x1 convolution is a matrix product.
// CHECK-LABEL: func.func @pointwise
// CHECK: ingot.packed_matmul
// CHECK-NOT: ingot.conv
func.func @pointwise(%x: tensor<1x8x8x24xf32>, %w: tensor<1x1x24x10xf32>) -> tensor<1x8x8x10xf32> {
  %0 = ingot.conv %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x8x8x24xf32>, tensor<1x1x24x10xf32>) -> tensor<1x8x8x10xf32>
  return %0 : tensor<1x8x8x10xf32>
}

// -----

// One row by a computed matrix: packing would cost as much as the product.
// CHECK-LABEL: func.func @row
// CHECK: ingot.matmul
func.func @row(%x: tensor<1x24xf32>, %w: tensor<24x10xf32>) -> tensor<1x10xf32> {
  %0 = ingot.matmul %x, %w : (tensor<1x24xf32>, tensor<24x10xf32>) -> tensor<1x10xf32>
  return %0 : tensor<1x10xf32>
}
