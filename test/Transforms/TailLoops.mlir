// RUN: ingot-opt --tail-loops --split-input-file %s | FileCheck %s

// What changes from round to round is handed on, `%w` is used from outside. The values of the way not taken are
// undefined.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>)
// CHECK: %[[R:.*]] = ingot.loop %[[N]], %[[X]]
// CHECK: ^bb0(%[[I:.*]]: tensor<i32>, %[[Y:.*]]: tensor<4xf32>):
// CHECK: %[[IF:.*]]:4 = ingot.if
// CHECK: %[[NO:.*]] = ingot.constant dense<false> : tensor<i1>
// CHECK: ingot.yield %[[NO]], %{{.*}}, %{{.*}}, %[[Y]]
// CHECK: } else {
// CHECK: %[[NEXT:.*]] = ingot.add %[[Y]], %[[W]]
// CHECK: %[[YES:.*]] = ingot.constant dense<true> : tensor<i1>
// CHECK: %[[NONE:.*]] = ingot.undefined : tensor<4xf32>
// CHECK: ingot.yield %[[YES]], %{{.*}}, %[[NEXT]], %[[NONE]]
// CHECK: ingot.yield %[[IF]]#0, %[[IF]]#1, %[[IF]]#2, %[[IF]]#3
// CHECK: return %[[R]]
// CHECK-NOT: func.func
func.func @main(%n: tensor<i32>, %x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.call @steps(%n, %x, %w) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @steps(%n: tensor<i32>, %x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %zero = ingot.constant dense<0> : tensor<i32>
  %one = ingot.constant dense<1> : tensor<i32>
  %end = ingot.equal %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = ingot.if %end : (tensor<i1>) -> tensor<4xf32> {
    ingot.yield %x : tensor<4xf32>
  } else {
    %next = ingot.add %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %rest = ingot.sub %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = ingot.call @steps(%rest, %next, %w) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ingot.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A call that is not the last thing needs a stack.
// CHECK-LABEL: func.func @main
// CHECK: ingot.call @sum
// CHECK: func.func private @sum
func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.call @sum(%n, %x) : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @sum(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = ingot.constant dense<0> : tensor<i32>
  %end = ingot.equal %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = ingot.if %end : (tensor<i1>) -> tensor<4xf32> {
    ingot.yield %x : tensor<4xf32>
  } else {
    %1 = ingot.call @sum(%zero, %x) : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = ingot.add %1, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ingot.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Scalars are values of the machine in functions; in a graph they would have memory.
// CHECK-LABEL: func.func @main
// CHECK: ingot.call @down
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %0 = ingot.call @down(%n) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @down(%n: tensor<i32>) -> tensor<i32> {
  %0 = ingot.call @down(%n) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// Functions that call each other become one, which is told whom it stands for: a loop. `@odd` takes its arguments in
// another order, and a second vector, of which `@even` knows nothing: it is undefined at first.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[NONE:.*]] = ingot.undefined : tensor<4xf32>
// CHECK: %[[EVEN:.*]] = ingot.constant dense<1> : tensor<i32>
// CHECK: %[[R:.*]] = ingot.loop %[[EVEN]], %[[X]], %[[N]], %[[NONE]]
// CHECK: ^bb0(%[[WHO:.*]]: tensor<i32>, %[[Y:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<i32>, %[[Z:.*]]: tensor<4xf32>):
// CHECK: %[[ONE:.*]] = ingot.constant dense<1> : tensor<i32>
// CHECK: %[[IS_ODD:.*]] = ingot.less %[[WHO]], %[[ONE]]
// CHECK: ingot.if %[[IS_ODD]]
// CHECK: ingot.mul %[[Y]], %[[Z]]
// CHECK: } else {
// CHECK: ingot.add %[[Y]], %[[Y]]
// CHECK: return %[[R]]
// CHECK-NOT: func.func
func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ingot.call @even(%n, %x) : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @even(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = ingot.constant dense<0> : tensor<i32>
  %end = ingot.equal %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = ingot.if %end : (tensor<i1>) -> tensor<4xf32> {
    ingot.yield %x : tensor<4xf32>
  } else {
    %twice = ingot.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = ingot.call @odd(%twice, %n, %x) : (tensor<4xf32>, tensor<i32>, tensor<4xf32>) -> tensor<4xf32>
    ingot.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
func.func private @odd(%x: tensor<4xf32>, %n: tensor<i32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %one = ingot.constant dense<1> : tensor<i32>
  %rest = ingot.sub %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %product = ingot.mul %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = ingot.call @even(%rest, %product) : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
