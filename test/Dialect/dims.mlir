// RUN: ingot-opt %s -split-input-file -verify-diagnostics | ingot-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @symbols
// CHECK-SAME: tensor<1x?x?x3xf32, #ingot.dims<1, height, "width floordiv 4 + 1", 3>>
func.func @symbols(%x: tensor<1x?x?x3xf32, #ingot.dims<1, height, "(width + 4) floordiv 4", 3>>) {
  return
}

// -----

// CHECK-LABEL: @min_max
// CHECK-SAME: "min(width, 7)"
func.func @min_max(%x: tensor<?xf32, #ingot.dims<"min(width, 7)">>, %y: tensor<5xf32>) {
  return
}

// -----

// expected-error @+1 {{the tensor has 2 dimensions, its encoding 1}}
func.func @rank(%x: tensor<1x?xf32, #ingot.dims<width>>)

// -----

// expected-error @+1 {{'width +' is not a dimension}}
func.func @malformed(%x: tensor<?xf32, #ingot.dims<"width +">>)
