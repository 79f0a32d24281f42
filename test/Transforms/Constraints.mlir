// RUN: ingot-opt --collect-constraints --split-input-file %s | FileCheck %s

// Sums of equal or constant dimensions need no check, a dimension of 1 fits any.
// CHECK: constraints = [#ingot.dims<n, "k + 1">, #ingot.dims<n, 8>]
module attributes {ingot.model = {name = "m", symbols = ["n", "k"],
    inputs = [{name = "a", type = tensor<?x8xf32, #ingot.dims<n, 8>>},
              {name = "b", type = tensor<?x1xf32, #ingot.dims<"k + 1", 1>>},
              {name = "c", type = tensor<8x8xf32>}],
    outputs = [{name = "y", type = tensor<8x8xf32>}]}} {
  func.func @main(%a: tensor<?x8xf32, #ingot.dims<n, 8>>, %b: tensor<?x1xf32, #ingot.dims<"k + 1", 1>>, %c: tensor<8x8xf32>)
      -> tensor<8x8xf32> {
    %0 = ingot.add %a, %a : (tensor<?x8xf32, #ingot.dims<n, 8>>, tensor<?x8xf32, #ingot.dims<n, 8>>) -> tensor<?x8xf32, #ingot.dims<n, 8>>
    %1 = ingot.add %0, %b : (tensor<?x8xf32, #ingot.dims<n, 8>>, tensor<?x1xf32, #ingot.dims<"k + 1", 1>>) -> tensor<?x8xf32, #ingot.dims<n, 8>>
    %2 = ingot.mul %1, %c : (tensor<?x8xf32, #ingot.dims<n, 8>>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}

// -----

// Reshapes, results whose types say more than their operands, and the interface.
// CHECK: constraints = [#ingot.dims<"n * 6", "k * 4">, #ingot.dims<k, m>]
module attributes {ingot.model = {name = "m", symbols = ["n", "k", "m"],
    inputs = [{name = "a", type = tensor<?x6xf32, #ingot.dims<n, 6>>}],
    outputs = [{name = "y", type = tensor<?x4xf32, #ingot.dims<k, 4>>}]}} {
  func.func @main(%a: tensor<?x6xf32, #ingot.dims<n, 6>>) -> tensor<?x4xf32, #ingot.dims<m, 4>> {
    %0 = ingot.reshape %a {shape = #ingot.dims<k, 4>} : (tensor<?x6xf32, #ingot.dims<n, 6>>) -> tensor<?x4xf32, #ingot.dims<k, 4>>
    %1 = ingot.exp %0 : (tensor<?x4xf32, #ingot.dims<k, 4>>) -> tensor<?x4xf32, #ingot.dims<m, 4>>
    return %1 : tensor<?x4xf32, #ingot.dims<m, 4>>
  }
}

// -----

// Slices whose bounds are not limited to the operand; products; concatenations.
// CHECK: constraints = [#ingot.dims<"max({{.*}})", n>, #ingot.dims<k, n>]
module attributes {ingot.model = {name = "m", symbols = ["n", "k"],
    inputs = [{name = "a", type = tensor<?x6xf32, #ingot.dims<n, 6>>}, {name = "b", type = tensor<6x?xf32, #ingot.dims<6, k>>}],
    outputs = [{name = "y", type = tensor<4x6xf32>}, {name = "z", type = tensor<12x?xf32, #ingot.dims<12, k>>}]}} {
  func.func @main(%a: tensor<?x6xf32, #ingot.dims<n, 6>>, %b: tensor<6x?xf32, #ingot.dims<6, k>>)
      -> (tensor<4x6xf32>, tensor<12x?xf32, #ingot.dims<12, n>>) {
    %0 = ingot.slice %a {starts = #ingot.dims<2, 0>, steps = array<i64: 1, 1>, sizes = #ingot.dims<4, 6>} : (tensor<?x6xf32, #ingot.dims<n, 6>>) -> tensor<4x6xf32>
    %1 = ingot.transpose %a {permutation = array<i64: 1, 0>} : (tensor<?x6xf32, #ingot.dims<n, 6>>) -> tensor<6x?xf32, #ingot.dims<6, n>>
    %2 = ingot.concat %1, %b {axis = 0 : i64} : (tensor<6x?xf32, #ingot.dims<6, n>>, tensor<6x?xf32, #ingot.dims<6, k>>) -> tensor<12x?xf32, #ingot.dims<12, n>>
    return %0, %2 : tensor<4x6xf32>, tensor<12x?xf32, #ingot.dims<12, n>>
  }
}
