// RUN: ingot-opt --fuse --in-place --lower-to-loops --split-input-file %s | FileCheck %s

// Each argument of a round has a buffer, filled before the first. The sum is computed there: nothing reads the argument
// afterwards. The product reads all of the other argument, so that one is copied at the end of the round.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<4xf32> {{.*}}, %[[OUT:[a-z0-9]+]]: memref<4xf32>
// CHECK-DAG: %[[AGAIN:.*]] = memref.alloc() {{.*}} : memref<1xi8>
// CHECK: %[[SUM:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: memref.store %{{.*}}, %[[SUM]]
// CHECK: %[[POWER:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: memref.store %{{.*}}, %[[POWER]]
// CHECK: %[[NEXT:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: scf.while
// CHECK: func.call @matmul(%[[POWER]], %[[X]], %[[NEXT]])
// CHECK: func.call @add(%[[SUM]], %[[X]])
// CHECK: func.call @copy{{.*}}(%[[SUM]], %[[OUT]])
// CHECK: %[[BYTE:.*]] = memref.load %[[AGAIN]]
// CHECK: %[[FLAG:.*]] = arith.cmpi ne, %[[BYTE]]
// CHECK: scf.condition(%[[FLAG]])
// CHECK: } do {
// CHECK: %[[ELEMENT:.*]] = memref.load %[[NEXT]]
// CHECK: memref.store %[[ELEMENT]], %[[POWER]]
// CHECK: scf.yield
module attributes {ingot.model = {constraints = [], inputs = [{doc = "", name = "x", type = tensor<2x2xf32>}], name = "m", opset = 0 : i64, outputs = [{doc = "", name = "y", type = tensor<2x2xf32>}], sha256 = "", source = "", symbols = [], workspace_align = 64 : i64, workspace_size = -1 : i64}} {
  func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = ingot.loop %x, %x : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> {
    ^bb0(%sum: tensor<2x2xf32>, %power: tensor<2x2xf32>):
      %limit = ingot.constant dense<100.0> : tensor<1x1xf32>
      %all = ingot.reduce %power {dims = array<i64: 0, 1>, keep_dims = true, kind = "sum"} : (tensor<2x2xf32>) -> tensor<1x1xf32>
      %again = ingot.less %all, %limit : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
      %next = ingot.matmul %power, %x : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      %more = ingot.add %sum, %x : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      ingot.yield %again, %more, %next, %more : tensor<1x1xi1>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
    }
    return %0 : tensor<2x2xf32>
  }
}
