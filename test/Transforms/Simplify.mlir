// RUN: ingot-opt --simplify --split-input-file %s | FileCheck %s

// The scale and both shifts of a batch normalisation: one convolution, one addition.
// CHECK-LABEL: func.func @batch_norm
// CHECK: %[[W:.*]] = ingot.mul %{{.*}}, %{{.*}} : (tensor<1x1x4x2xf32>, tensor<2xf32>)
// CHECK: %[[C:.*]] = ingot.conv %arg0, %[[W]]
// CHECK: %[[B:.*]] = ingot.mul %{{.*}}, %{{.*}} : (tensor<2xf32>, tensor<2xf32>)
// CHECK: %[[S:.*]] = ingot.add %[[B]], %{{.*}} : (tensor<2xf32>, tensor<2xf32>)
// CHECK: %[[R:.*]] = ingot.add %[[C]], %[[S]]
// CHECK-NEXT: return %[[R]]
func.func @batch_norm(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x2xf32> {
  %w = ingot.constant dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]]]> : tensor<1x1x4x2xf32>
  %b = ingot.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = ingot.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %t = ingot.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %0 = ingot.conv %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<1x1x4x2xf32>) -> tensor<1x8x8x2xf32>
  %1 = ingot.add %0, %b : (tensor<1x8x8x2xf32>, tensor<2xf32>) -> tensor<1x8x8x2xf32>
  %2 = ingot.mul %1, %s : (tensor<1x8x8x2xf32>, tensor<2xf32>) -> tensor<1x8x8x2xf32>
  %3 = ingot.add %2, %t : (tensor<1x8x8x2xf32>, tensor<2xf32>) -> tensor<1x8x8x2xf32>
  return %3 : tensor<1x8x8x2xf32>
}

// -----

// A scale of rows is no scale of channels.
// CHECK-LABEL: func.func @row_scale
// CHECK: %[[P:.*]] = ingot.matmul %arg0
// CHECK: ingot.mul %[[P]]
func.func @row_scale(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %w = ingot.constant dense<2.0> : tensor<4x3xf32>
  %s = ingot.constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %0 = ingot.matmul %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = ingot.mul %0, %s : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// A product that something else reads too keeps its weights.
// CHECK-LABEL: func.func @shared_product
// CHECK: %[[P:.*]] = ingot.matmul %arg0, %{{.*}} : (tensor<2x4xf32>, tensor<4x3xf32>)
// CHECK: %[[S:.*]] = ingot.mul %[[P]]
// CHECK: return %[[P]], %[[S]]
func.func @shared_product(%x: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %w = ingot.constant dense<2.0> : tensor<4x3xf32>
  %s = ingot.constant dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
  %0 = ingot.matmul %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = ingot.mul %0, %s : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// Weights that two products share are not stored twice.
// CHECK-LABEL: func.func @shared_weights
// CHECK: ingot.matmul
// CHECK: ingot.mul
// CHECK: ingot.matmul
func.func @shared_weights(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %w = ingot.constant dense<2.0> : tensor<4x3xf32>
  %s = ingot.constant dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
  %0 = ingot.matmul %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = ingot.mul %0, %s : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = ingot.matmul %y, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// A scale of input channels: of rows of the matrix.
// CHECK-LABEL: func.func @input_scale
// CHECK: %[[S:.*]] = ingot.reshape %{{.*}} {shape = #ingot.dims<4, 1>}
// CHECK: %[[W:.*]] = ingot.mul %{{.*}}, %[[S]] : (tensor<4x3xf32>, tensor<4x1xf32>)
// CHECK: ingot.matmul %arg0, %[[W]]
func.func @input_scale(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %w = ingot.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [1.0, 1.0, 1.0]]> : tensor<4x3xf32>
  %s = ingot.constant dense<[3.0, 4.0, 5.0, 6.0]> : tensor<4xf32>
  %0 = ingot.mul %x, %s : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = ingot.matmul %0, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// Of a depthwise convolution input and output channels are the same.
// CHECK-LABEL: func.func @depthwise_input_scale
// CHECK: %[[W:.*]] = ingot.mul %{{.*}}, %{{.*}} : (tensor<1x1x1x2xf32>, tensor<2xf32>)
// CHECK: ingot.conv %arg0, %[[W]]
func.func @depthwise_input_scale(%x: tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32> {
  %w = ingot.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>
  %s = ingot.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %0 = ingot.mul %x, %s : (tensor<1x8x8x2xf32>, tensor<2xf32>) -> tensor<1x8x8x2xf32>
  %1 = ingot.conv %0, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, groups = 2 : i64} : (tensor<1x8x8x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x8x8x2xf32>
  return %1 : tensor<1x8x8x2xf32>
}

// -----

// Large numbers added and taken away again round: only shifts behind weights merge.
// CHECK-LABEL: func.func @rounding_trick
// CHECK-COUNT-2: ingot.add
func.func @rounding_trick(%x: tensor<4xf32>) -> tensor<4xf32> {
  %big = ingot.constant dense<1.2582912e+07> : tensor<f32>
  %less = ingot.constant dense<-1.2582912e+07> : tensor<f32>
  %0 = ingot.add %x, %big : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = ingot.add %0, %less : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @neutral
// CHECK-NEXT: return %arg0, %arg1
func.func @neutral(%x: tensor<4xf32>, %i: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %zero = ingot.constant dense<0.0> : tensor<f32>
  %one = ingot.constant dense<1.0> : tensor<1xf32>
  %izero = ingot.constant dense<0> : tensor<i64>
  %ione = ingot.constant dense<1> : tensor<i64>
  %0 = ingot.add %zero, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = ingot.mul %0, %one : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %2 = ingot.div %1, %one : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %3 = ingot.sub %2, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = ingot.mul %i, %ione : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %5 = ingot.add %izero, %4 : (tensor<i64>, tensor<4xi64>) -> tensor<4xi64>
  return %3, %5 : tensor<4xf32>, tensor<4xi64>
}

// -----

// Adding zeros of a larger shape repeats elements.
// CHECK-LABEL: func.func @neutral_broadcast
// CHECK: ingot.add
func.func @neutral_broadcast(%x: tensor<4xf32>) -> tensor<3x4xf32> {
  %zero = ingot.constant dense<0.0> : tensor<3x1xf32>
  %0 = ingot.add %x, %zero : (tensor<4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: func.func @scales
// CHECK: %[[C:.*]] = ingot.constant dense<5.000000e-01> : tensor<f32>
// CHECK: ingot.mul %arg0, %[[C]]
// CHECK-NEXT: return
func.func @scales(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = ingot.constant dense<4.0> : tensor<f32>
  %b = ingot.constant dense<8.0> : tensor<f32>
  %0 = ingot.mul %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = ingot.div %0, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// The product of these scales is no number of float32.
// CHECK-LABEL: func.func @extreme_scales
// CHECK-COUNT-2: ingot.mul
func.func @extreme_scales(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = ingot.constant dense<1.0e+29> : tensor<f32>
  %0 = ingot.mul %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = ingot.mul %0, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @bounds
// CHECK: %[[LOW:.*]] = ingot.constant dense<2.000000e+00>
// CHECK: %[[M:.*]] = ingot.max %arg0, %[[LOW]]
// CHECK: %[[R:.*]] = ingot.relu %[[M]]
// CHECK-NEXT: return %[[R]]
func.func @bounds(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = ingot.constant dense<1.0> : tensor<f32>
  %b = ingot.constant dense<2.0> : tensor<f32>
  %0 = ingot.max %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = ingot.max %b, %0 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = ingot.relu %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = ingot.relu %2 : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @powers
// CHECK: ingot.mul %arg0, %arg0
// CHECK: ingot.sqrt %arg0
// CHECK: ingot.reciprocal %arg0
// CHECK-NOT: ingot.pow
func.func @powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %two = ingot.constant dense<2.0> : tensor<f32>
  %half = ingot.constant dense<0.5> : tensor<f32>
  %minus = ingot.constant dense<-1.0> : tensor<f32>
  %0 = ingot.pow %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = ingot.pow %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = ingot.pow %x, %minus : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A cast through a type that holds every value is one cast; through one that does not it stays.
// CHECK-LABEL: func.func @casts
// CHECK-DAG: %[[A:.*]] = ingot.cast %arg0 {to = f64} : (tensor<4xi8>) -> tensor<4xf64>
// CHECK-DAG: %[[B:.*]] = ingot.cast %arg1 {to = i32} : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-DAG: %[[C:.*]] = ingot.cast %[[B]] {to = f32}
// CHECK: return %[[A]], %[[C]], %arg1
func.func @casts(%i: tensor<4xi8>, %x: tensor<4xf32>) -> (tensor<4xf64>, tensor<4xf32>, tensor<4xf32>) {
  %0 = ingot.cast %i {to = i32} : (tensor<4xi8>) -> tensor<4xi32>
  %1 = ingot.cast %0 {to = f64} : (tensor<4xi32>) -> tensor<4xf64>
  %2 = ingot.cast %x {to = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %3 = ingot.cast %2 {to = f32} : (tensor<4xi32>) -> tensor<4xf32>
  %4 = ingot.cast %x {to = f64} : (tensor<4xf32>) -> tensor<4xf64>
  %5 = ingot.cast %4 {to = f32} : (tensor<4xf64>) -> tensor<4xf32>
  return %1, %3, %5 : tensor<4xf64>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Windows that meet but do not overlap: a matrix product for each position.
// CHECK-LABEL: func.func @unoverlapped
// CHECK: ingot.matmul %arg0, %{{.*}} -> tensor<1x4x4x20xf32>
// CHECK: ingot.transpose %{{.*}} {permutation = array<i64: 0, 1, 3, 2, 4, 5>}
// CHECK: ingot.reshape %{{.*}} -> tensor<1x8x8x5xf32>
func.func @unoverlapped(%x: tensor<1x4x4x3xf32>, %w: tensor<2x2x3x5xf32>) -> tensor<1x8x8x5xf32> {
  %0 = ingot.conv_transpose %x, %w {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, output_padding = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x4x4x3xf32>, tensor<2x2x3x5xf32>) -> tensor<1x8x8x5xf32>
  return %0 : tensor<1x8x8x5xf32>
}

// -----

// Dilated windows do overlap.
// CHECK-LABEL: func.func @dilated
// CHECK: ingot.conv_transpose
func.func @dilated(%x: tensor<1x4x4x3xf32>, %w: tensor<2x2x3x5xf32>) -> tensor<1x9x9x5xf32> {
  %0 = ingot.conv_transpose %x, %w {strides = array<i64: 2, 2>, dilations = array<i64: 2, 2>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, output_padding = array<i64: 0, 0>, groups = 1 : i64} : (tensor<1x4x4x3xf32>, tensor<2x2x3x5xf32>) -> tensor<1x9x9x5xf32>
  return %0 : tensor<1x9x9x5xf32>
}

// -----

// CHECK-LABEL: func.func @shared_matrix
// CHECK: %[[M:.*]] = ingot.reshape %arg1 {shape = #ingot.dims<4, 3>}
// CHECK: ingot.matmul %arg0, %[[M]]
func.func @shared_matrix(%x: tensor<5x2x4xf32>, %w: tensor<1x4x3xf32>) -> tensor<5x2x3xf32> {
  %0 = ingot.matmul %x, %w : (tensor<5x2x4xf32>, tensor<1x4x3xf32>) -> tensor<5x2x3xf32>
  return %0 : tensor<5x2x3xf32>
}

// -----

// Folds keep dimensions, merge, and vanish where they fold one element.
// CHECK-LABEL: func.func @folds
// CHECK: %[[R:.*]] = ingot.reduce %arg0 {dims = array<i64: 1, 2>, keep_dims = true, kind = "sum"}
// CHECK: %[[S:.*]] = ingot.reshape %[[R]] {shape = #ingot.dims<2, 5>}
// CHECK: return %[[S]]
func.func @folds(%x: tensor<2x3x4x5xf32>) -> tensor<2x5xf32> {
  %0 = ingot.reduce %x {kind = "sum", dims = array<i64: 1>, keep_dims = true} : (tensor<2x3x4x5xf32>) -> tensor<2x1x4x5xf32>
  %1 = ingot.reduce %0 {kind = "sum", dims = array<i64: 2>, keep_dims = true} : (tensor<2x1x4x5xf32>) -> tensor<2x1x1x5xf32>
  %2 = ingot.reduce %1 {kind = "max", dims = array<i64: 1, 2>, keep_dims = false} : (tensor<2x1x1x5xf32>) -> tensor<2x5xf32>
  return %2 : tensor<2x5xf32>
}

// -----

#row = #ingot.dims<"batch", 4>

// Of two operands that would be repeated one must still give the shape.
// CHECK-LABEL: func.func @broadcasts
// CHECK: %[[B:.*]] = ingot.broadcast %arg1
// CHECK: ingot.add %arg0, %arg1
// CHECK: ingot.exp %[[B]]
func.func @broadcasts(%x: tensor<?x4xf32, #row>, %y: tensor<4xf32>) -> (tensor<?x4xf32, #row>, tensor<?x4xf32, #row>) {
  %0 = ingot.broadcast %y {shape = #row} : (tensor<4xf32>) -> tensor<?x4xf32, #row>
  %1 = ingot.add %x, %0 : (tensor<?x4xf32, #row>, tensor<?x4xf32, #row>) -> tensor<?x4xf32, #row>
  %2 = ingot.exp %0 : (tensor<?x4xf32, #row>) -> tensor<?x4xf32, #row>
  return %1, %2 : tensor<?x4xf32, #row>, tensor<?x4xf32, #row>
}

// -----

// CHECK-LABEL: func.func @concats
// CHECK-NEXT: ingot.concat %arg0, %arg1, %arg0 {axis = 0 : i64}
// CHECK-NEXT: return
func.func @concats(%x: tensor<2xf32>, %y: tensor<3xf32>, %none: tensor<0xf32>) -> tensor<7xf32> {
  %0 = ingot.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = ingot.concat %0, %none, %x {axis = 0 : i64} : (tensor<5xf32>, tensor<0xf32>, tensor<2xf32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

// -----

// CHECK-LABEL: func.func @slices
// CHECK-NEXT: ingot.slice %arg0 {sizes = #ingot.dims<2>, starts = #ingot.dims<7>, steps = array<i64: -4>}
// CHECK-NEXT: return
func.func @slices(%x: tensor<10xf32>) -> tensor<2xf32> {
  %0 = ingot.slice %x {starts = #ingot.dims<9>, steps = array<i64: -2>, sizes = #ingot.dims<5>} : (tensor<10xf32>) -> tensor<5xf32>
  %1 = ingot.slice %0 {starts = #ingot.dims<1>, steps = array<i64: 2>, sizes = #ingot.dims<2>} : (tensor<5xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @pads
// CHECK-NOT: ingot.pad
// CHECK-DAG: ingot.conv %arg0, %arg1 {{.*}}high = array<i64: 1>, low = array<i64: 2>
// CHECK-DAG: ingot.max_pool %arg0 {{.*}}high = array<i64: 1>{{.*}}low = array<i64: 1>
// CHECK-DAG: ingot.average_pool %arg0 {{.*}}count_include_pad = true{{.*}}high = array<i64: 1>{{.*}}low = array<i64: 1>
func.func @pads(%x: tensor<1x8x4xf32>, %w: tensor<3x4x2xf32>) -> (tensor<1x9x2xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>) {
  %zero = ingot.constant dense<0.0> : tensor<f32>
  %lowest = ingot.constant dense<0xFF800000> : tensor<f32>
  %0 = ingot.pad %x, %zero {low = #ingot.dims<0, 1, 0>, high = #ingot.dims<0, 1, 0>, mode = "constant"} : (tensor<1x8x4xf32>, tensor<f32>) -> tensor<1x10x4xf32>
  %1 = ingot.conv %0, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 1>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x10x4xf32>, tensor<3x4x2xf32>) -> tensor<1x9x2xf32>
  %2 = ingot.pad %x, %lowest {low = #ingot.dims<0, 1, 0>, high = #ingot.dims<0, 1, 0>, mode = "constant"} : (tensor<1x8x4xf32>, tensor<f32>) -> tensor<1x10x4xf32>
  %3 = ingot.max_pool %2 {kernel = array<i64: 3>, strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, ceil_mode = false} : (tensor<1x10x4xf32>) -> tensor<1x8x4xf32>
  %4 = ingot.average_pool %0 {kernel = array<i64: 3>, strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, ceil_mode = false, count_include_pad = false} : (tensor<1x10x4xf32>) -> tensor<1x8x4xf32>
  return %1, %3, %4 : tensor<1x9x2xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>
}

// -----

// Padding of channels, with other values, or by repetition stays.
// CHECK-LABEL: func.func @other_pads
// CHECK-COUNT-3: ingot.pad
func.func @other_pads(%x: tensor<1x8x4xf32>, %w: tensor<3x4x2xf32>, %v: tensor<3x5x2xf32>) -> (tensor<1x7x2xf32>, tensor<1x7x2xf32>, tensor<1x6x2xf32>) {
  %zero = ingot.constant dense<0.0> : tensor<f32>
  %one = ingot.constant dense<1.0> : tensor<f32>
  %0 = ingot.pad %x, %one {low = #ingot.dims<0, 1, 0>, high = #ingot.dims<0, 0, 0>, mode = "constant"} : (tensor<1x8x4xf32>, tensor<f32>) -> tensor<1x9x4xf32>
  %1 = ingot.conv %0, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x9x4xf32>, tensor<3x4x2xf32>) -> tensor<1x7x2xf32>
  %2 = ingot.pad %x, %zero {low = #ingot.dims<0, 1, 0>, high = #ingot.dims<0, 0, 0>, mode = "edge"} : (tensor<1x8x4xf32>, tensor<f32>) -> tensor<1x9x4xf32>
  %3 = ingot.conv %2, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x9x4xf32>, tensor<3x4x2xf32>) -> tensor<1x7x2xf32>
  %4 = ingot.pad %x, %zero {low = #ingot.dims<0, 0, 1>, high = #ingot.dims<0, 0, 0>, mode = "constant"} : (tensor<1x8x4xf32>, tensor<f32>) -> tensor<1x8x5xf32>
  %5 = ingot.conv %4, %v {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x8x5xf32>, tensor<3x5x2xf32>) -> tensor<1x6x2xf32>
  return %1, %3, %5 : tensor<1x7x2xf32>, tensor<1x7x2xf32>, tensor<1x6x2xf32>
}
