// RUN: ingot-opt --collapse-dims --split-input-file %s | FileCheck %s

#d = #ingot.dims<1, height, width, 24>
#r = #ingot.dims<1, height, width, 1>

// All operands have the result's shape: one loop.
// CHECK-LABEL: func.func @alike
// CHECK: ingot.group
// CHECK: ingot.add {{.*}} -> tensor<?xf32, #ingot.dims<"height * width * 24">>
func.func @alike(%x: tensor<1x?x?x24xf32, #d>, %y: tensor<1x?x?x24xf32, #d>) -> tensor<1x?x?x24xf32, #d> {
  %0 = ingot.group(%x, %y) : (tensor<1x?x?x24xf32, #d>, tensor<1x?x?x24xf32, #d>) -> tensor<1x?x?x24xf32, #d> {
  ^bb0(%a: tensor<1x?x?x24xf32, #d>, %b: tensor<1x?x?x24xf32, #d>):
    %1 = ingot.add %a, %b : (tensor<1x?x?x24xf32, #d>, tensor<1x?x?x24xf32, #d>) -> tensor<1x?x?x24xf32, #d>
    ingot.yield %1 : tensor<1x?x?x24xf32, #d>
  }
  return %0 : tensor<1x?x?x24xf32, #d>
}

// -----

#d = #ingot.dims<1, height, width, 24>

// One value for each channel: the channels stay a dimension, what comes before them is one.
// CHECK-LABEL: func.func @per_channel
// CHECK: ingot.mul {{.*}} -> tensor<?x24xf32, #ingot.dims<"height * width", 24>>
func.func @per_channel(%x: tensor<1x?x?x24xf32, #d>, %s: tensor<24xf32>) -> tensor<1x?x?x24xf32, #d> {
  %0 = ingot.group(%x, %s) : (tensor<1x?x?x24xf32, #d>, tensor<24xf32>) -> tensor<1x?x?x24xf32, #d> {
  ^bb0(%a: tensor<1x?x?x24xf32, #d>, %b: tensor<24xf32>):
    %1 = ingot.mul %a, %b : (tensor<1x?x?x24xf32, #d>, tensor<24xf32>) -> tensor<1x?x?x24xf32, #d>
    ingot.yield %1 : tensor<1x?x?x24xf32, #d>
  }
  return %0 : tensor<1x?x?x24xf32, #d>
}

// -----

// One value for each row and one for each column: no two neighbours are treated alike.
// CHECK-LABEL: func.func @grid
// CHECK: ingot.mul {{.*}} -> tensor<8x24xf32>
func.func @grid(%x: tensor<8x24xf32>, %r: tensor<8x1xf32>, %c: tensor<24xf32>) -> tensor<8x24xf32> {
  %0 = ingot.group(%x, %r, %c) : (tensor<8x24xf32>, tensor<8x1xf32>, tensor<24xf32>) -> tensor<8x24xf32> {
  ^bb0(%a: tensor<8x24xf32>, %b: tensor<8x1xf32>, %d: tensor<24xf32>):
    %1 = ingot.add %a, %b : (tensor<8x24xf32>, tensor<8x1xf32>) -> tensor<8x24xf32>
    %2 = ingot.mul %1, %d : (tensor<8x24xf32>, tensor<24xf32>) -> tensor<8x24xf32>
    ingot.yield %2 : tensor<8x24xf32>
  }
  return %0 : tensor<8x24xf32>
}

// -----

// A transposition reads other neighbours than it writes: left as it is.
// CHECK-LABEL: func.func @transposed
// CHECK: ingot.add {{.*}} -> tensor<8x24xf32>
func.func @transposed(%x: tensor<24x8xf32>, %y: tensor<8x24xf32>) -> tensor<8x24xf32> {
  %0 = ingot.group(%x, %y) : (tensor<24x8xf32>, tensor<8x24xf32>) -> tensor<8x24xf32> {
  ^bb0(%a: tensor<24x8xf32>, %b: tensor<8x24xf32>):
    %1 = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<24x8xf32>) -> tensor<8x24xf32>
    %2 = ingot.add %1, %b : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    ingot.yield %2 : tensor<8x24xf32>
  }
  return %0 : tensor<8x24xf32>
}

// -----

// A fold over the last dimension keeps it; the dimensions that remain are one.
// CHECK-LABEL: func.func @rows
// CHECK: ingot.reduce {{.*}}dims = array<i64: 1>{{.*}} : (tensor<32x24xf32>) -> tensor<32x1xf32>
// CHECK: ingot.sub {{.*}} -> tensor<32x24xf32>
func.func @rows(%x: tensor<4x8x24xf32>) -> tensor<4x8x24xf32> {
  %0 = ingot.group(%x) : (tensor<4x8x24xf32>) -> tensor<4x8x24xf32> {
  ^bb0(%a: tensor<4x8x24xf32>):
    %1 = ingot.reduce %a {kind = "max", dims = array<i64: 2>, keep_dims = true} : (tensor<4x8x24xf32>) -> tensor<4x8x1xf32>
    %2 = ingot.sub %a, %1 : (tensor<4x8x24xf32>, tensor<4x8x1xf32>) -> tensor<4x8x24xf32>
    ingot.yield %2 : tensor<4x8x24xf32>
  }
  return %0 : tensor<4x8x24xf32>
}
