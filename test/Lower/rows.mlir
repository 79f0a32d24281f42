// RUN: ingot-opt --fuse --collapse-dims --in-place --lower-to-loops="vector-bits=512" --cse %s | FileCheck %s

// Softmax: one function, one loop over rows; two folds and one pass that stores.
#d = #ingot.dims<batch, 4, 100>
#r = #ingot.dims<batch, 4, 1>
module attributes {ingot.model = {name = "m", symbols = ["batch"],
    inputs = [{name = "x", type = tensor<?x4x100xf32, #d>}],
    outputs = [{name = "y", type = tensor<?x4x100xf32, #d>}]}} {
  func.func @main(%x: tensor<?x4x100xf32, #d>) -> tensor<?x4x100xf32, #d> {
    %m = ingot.reduce %x {kind = "max", dims = array<i64: 2>, keep_dims = true} : (tensor<?x4x100xf32, #d>) -> tensor<?x4x1xf32, #r>
    %0 = ingot.sub %x, %m : (tensor<?x4x100xf32, #d>, tensor<?x4x1xf32, #r>) -> tensor<?x4x100xf32, #d>
    %1 = ingot.exp %0 : (tensor<?x4x100xf32, #d>) -> tensor<?x4x100xf32, #d>
    %s = ingot.reduce %1 {kind = "sum", dims = array<i64: 2>, keep_dims = true} : (tensor<?x4x100xf32, #d>) -> tensor<?x4x1xf32, #r>
    %2 = ingot.div %1, %s : (tensor<?x4x100xf32, #d>, tensor<?x4x1xf32, #r>) -> tensor<?x4x100xf32, #d>
    return %2 : tensor<?x4x100xf32, #d>
  }
}

// CHECK-LABEL: func.func private @div
// CHECK: %[[ROWS:.*]] = arith.muli %{{.*}}, %c4
// CHECK: scf.for %{{.*}} = %c0 to %[[ROWS]]
// CHECK: scf.for {{.*}} iter_args
// CHECK: vector.reduction <maximumf>
// CHECK: scf.for {{.*}} iter_args
// CHECK: vector.reduction <add>
// CHECK: arith.divf
// CHECK: vector.store
// CHECK-LABEL: func.func @main
