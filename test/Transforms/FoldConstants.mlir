// RUN: ingot-opt --fold-constants --split-input-file %s | FileCheck %s

// A whole expression, in the region of a condition too.
// CHECK-LABEL: func.func @expression
// CHECK: %[[A:.*]] = ingot.constant dense<{{\[}}[5.000000e+00, 8.000000e+00], [1.100000e+01, 1.400000e+01]]> : tensor<2x2xf32>
// CHECK-NOT: ingot.mul
// CHECK: ingot.add %arg0, %[[A]]
// CHECK: ingot.if
// CHECK: %[[B:.*]] = ingot.constant dense<{{\[}}2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: ingot.yield %[[B]]
func.func @expression(%x: tensor<2x2xf32>, %c: tensor<i1>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  %0 = ingot.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = ingot.constant dense<3.0> : tensor<f32>
  %2 = ingot.constant dense<2.0> : tensor<f32>
  %3 = ingot.mul %0, %1 : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %4 = ingot.add %3, %2 : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %5 = ingot.add %x, %4 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %6 = ingot.if %c : (tensor<i1>) -> tensor<2xf32> {
    %7 = ingot.constant dense<[4.0, 9.0]> : tensor<2xf32>
    %8 = ingot.sqrt %7 : (tensor<2xf32>) -> tensor<2xf32>
    ingot.yield %8 : tensor<2xf32>
  } else {
    %9 = ingot.constant dense<1.0> : tensor<2xf32>
    ingot.yield %9 : tensor<2xf32>
  }
  return %5, %6 : tensor<2x2xf32>, tensor<2xf32>
}

// -----

// Element types, and operators that are not element-wise.
// CHECK-LABEL: func.func @types
// CHECK-DAG: %[[I:.*]] = ingot.constant dense<{{\[}}[1, 3], [2, 4]]> : tensor<2x2xi64>
// CHECK-DAG: %[[B:.*]] = ingot.constant dense<{{\[}}true, false]> : tensor<2xi1>
// CHECK-DAG: %[[U:.*]] = ingot.constant dense<{{\[}}255, 1]> : tensor<2xui8>
// CHECK: return %[[I]], %[[B]], %[[U]]
func.func @types() -> (tensor<2x2xi64>, tensor<2xi1>, tensor<2xui8>) {
  %0 = ingot.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %1 = ingot.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<2x2xi64>) -> tensor<2x2xi64>
  %2 = ingot.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %3 = ingot.constant dense<2.0> : tensor<f32>
  %4 = ingot.less %2, %3 : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  %5 = ingot.constant dense<[254, 0]> : tensor<2xui8>
  %6 = ingot.constant dense<1> : tensor<ui8>
  %7 = ingot.add %5, %6 : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  return %1, %4, %7 : tensor<2x2xi64>, tensor<2xi1>, tensor<2xui8>
}

// -----

#d = #ingot.dims<"n">

// Much from little, and what depends on symbols, is left to run time.
// CHECK-LABEL: func.func @left
// CHECK: ingot.broadcast
// CHECK: ingot.dims_tensor
func.func @left(%x: tensor<?xf32, #d>) -> (tensor<512x512xf32>, tensor<1xi64>) {
  %0 = ingot.constant dense<1.5> : tensor<f32>
  %1 = ingot.broadcast %0 {shape = #ingot.dims<512, 512>} : (tensor<f32>) -> tensor<512x512xf32>
  %2 = ingot.dims_tensor {values = #ingot.dims<"n">, element = i64} : () -> tensor<1xi64>
  return %1, %2 : tensor<512x512xf32>, tensor<1xi64>
}
