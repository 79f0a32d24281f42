// RUN: ingot-opt --verify-graph --split-input-file --verify-diagnostics %s

// What is right.
#d = #ingot.dims<n, 4>
module attributes {ingot.model = {name = "m", symbols = ["n"], inputs = [{name = "x", type = tensor<?x4xf32, #d>}],
                                  outputs = [{name = "y", type = tensor<?x4xf32, #d>}]}} {
  func.func @main(%x: tensor<?x4xf32, #d>) -> tensor<?x4xf32, #d> {
    %0 = ingot.group(%x) : (tensor<?x4xf32, #d>) -> tensor<?x4xf32, #d> {
    ^bb0(%a: tensor<?x4xf32, #d>):
      %1 = ingot.exp %a : (tensor<?x4xf32, #d>) -> tensor<?x4xf32, #d>
      ingot.yield %1 : tensor<?x4xf32, #d>
    }
    return %0 : tensor<?x4xf32, #d>
  }
}

// -----

// expected-error@+1 {{has no program @main of one block [tensor level: module]}}
module attributes {ingot.model = {name = "m"}} {
  // expected-error@+1 {{cannot stand in a module beside the program @main [tensor level: module]}}
  func.func @other() {
    return
  }
}

// -----

module attributes {ingot.model = {name = "m", inputs = [{name = "x", type = tensor<4xf32>}],
                                  outputs = [{name = "y", type = tensor<4xf32>}]}} {
  // expected-error@+2 {{does not take the interface's inputs [tensor level: interface]}}
  // expected-error@+1 {{does not return the interface's outputs [tensor level: interface]}}
  func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
    return %x : tensor<5xf32>
  }
}

// -----

module attributes {ingot.model = {name = "m"}} {
  func.func @main() {
    // expected-error@+1 {{is not an operator of the dialect ingot [tensor level: operators]}}
    %c = arith.constant dense<1.0> : tensor<4xf32>
    return
  }
}

// -----

module attributes {ingot.model = {name = "m", symbols = ["n"],
    inputs = [{name = "x", type = tensor<?xf32, #ingot.dims<k>>}, {name = "y", type = tensor<?xf32>},
              {name = "z", type = tensor<4xi4>}]}} {
  // expected-error@+3 {{has a dimension of 'k', which no caller gives [tensor level: symbols]}}
  // expected-error@+2 {{has a dynamic dimension without a symbolic one [tensor level: types]}}
  // expected-error@+1 {{has a value that is not a ranked tensor of numbers [tensor level: types]}}
  func.func @main(%x: tensor<?xf32, #ingot.dims<k>>, %y: tensor<?xf32>, %z: tensor<4xi4>) {
    return
  }
}
