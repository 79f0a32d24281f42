// RUN: ingot-interpret %s --dims 3 | FileCheck %s
// RUN: ingot-opt --plan-memory --check-memory %s -o %t.mlir
// RUN: ingot-interpret %t.mlir --dims 3 | FileCheck %s
// RUN: not ingot-interpret %s --dims 0,1 2>&1 | FileCheck %s --check-prefix=DIMS
// RUN: not ingot-interpret %s --dims -1 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// CHECK: y float32 [3,2]: 2 5 8 11 14 17
// DIMS: the model has 1 dimensions
// NEGATIVE: shape float32 [-1,2] is not possible

module attributes {ingot.model = {name = "m", symbols = ["n"],
    outputs = [{name = "y", type = tensor<?x2xf32, #ingot.dims<n, 2>>}]}} {
  memref.global "private" constant @two : memref<1xf32> = dense<2.0>
  func.func private @count(%out: memref<?xf32> {ingot.write}, %n: index) attributes {ingot.step = 1 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %end = arith.muli %n, %c2 : index
    scf.for %i = %c0 to %end step %c1 {
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      memref.store %f, %out[%i] : memref<?xf32>
    }
    return
  }
  func.func private @scale(%in: memref<?xf32>, %two: memref<1xf32>, %out: memref<?xf32> {ingot.write}, %n: index)
      attributes {ingot.step = 2 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %end = arith.muli %n, %c2 : index
    %three = arith.constant 3.0 : f32
    scf.for %i = %c0 to %end step %c1 {
      %f = memref.load %in[%i] : memref<?xf32>
      %t = memref.load %two[%c0] : memref<1xf32>
      %r = math.fma %f, %three, %t : f32
      memref.store %r, %out[%i] : memref<?xf32>
    }
    return
  }
  func.func @main(%y: memref<?xf32> {ingot.write}, %s: memref<?xi8> {ingot.write}, %n: index) attributes {ingot.entry} {
    %c2 = arith.constant 2 : index
    %count = arith.muli %n, %c2 : index
    %t = memref.alloc(%count) {ingot.size = #ingot.dims<"n * 2">} : memref<?xf32>
    func.call @count(%t, %n) : (memref<?xf32>, index) -> ()
    %two = memref.get_global @two : memref<1xf32>
    func.call @scale(%t, %two, %y, %n) : (memref<?xf32>, memref<1xf32>, memref<?xf32>, index) -> ()
    return
  }
}
