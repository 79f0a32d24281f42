// RUN: ingot-opt --plan-memory --check-memory %s | FileCheck %s

// Three buffers in a chain: the third takes the place of the first. The result of the branch lives across it, the
// buffers inside the two branches share one place.

module attributes {ingot.model = {name = "m", inputs = [{name = "x", type = tensor<100xf32>}],
                                  outputs = [{name = "y", type = tensor<100xf32>}]}} {
  func.func private @step(%in: memref<100xf32>, %out: memref<100xf32> {ingot.write})

  // CHECK-LABEL: func.func @main(
  // CHECK-SAME: %[[X:[a-z0-9]+]]: memref<100xf32>, %[[Y:[a-z0-9]+]]: memref<100xf32>{{.*}}, %[[W:[a-z0-9]+]]: memref<?xi8>
  func.func @main(%x: memref<100xf32>, %y: memref<100xf32> {ingot.write}, %w: memref<?xi8> {ingot.write})
      attributes {ingot.entry} {
    // CHECK: %[[O0:.*]] = arith.constant [[P0:[0-9]+]] : index
    // CHECK: %[[A:.*]] = memref.view %[[W]][%[[O0]]][] {ingot.name = "a"} : memref<?xi8> to memref<100xf32>
    %a = memref.alloc() {ingot.name = "a"} : memref<100xf32>
    // CHECK: arith.constant [[P1:[0-9]+]] : index
    %b = memref.alloc() : memref<100xf32>
    // CHECK: arith.constant [[P0]] : index
    %c = memref.alloc() : memref<100xf32>
    // CHECK-NOT: memref.alloc
    %unused = memref.alloc() : memref<4096xf32>
    // CHECK: call @step(%[[X]], %[[A]])
    func.call @step(%x, %a) : (memref<100xf32>, memref<100xf32>) -> ()
    func.call @step(%a, %b) : (memref<100xf32>, memref<100xf32>) -> ()
    func.call @step(%b, %c) : (memref<100xf32>, memref<100xf32>) -> ()
    %zero = arith.constant 0 : index
    %v = memref.load %c[%zero] : memref<100xf32>
    %k = arith.constant 1.0 : f32
    %condition = arith.cmpf olt, %v, %k : f32
    // The result of the branch may take the place of what each side has read before it writes.
    // CHECK: arith.constant [[P0]] : index
    %r = memref.alloc() : memref<100xf32>
    scf.if %condition {
      // CHECK: arith.constant [[P1]] : index
      %t = memref.alloc() : memref<100xf32>
      func.call @step(%c, %t) : (memref<100xf32>, memref<100xf32>) -> ()
      func.call @step(%t, %r) : (memref<100xf32>, memref<100xf32>) -> ()
    } else {
      // CHECK: arith.constant [[P1]] : index
      %t = memref.alloc() : memref<100xf32>
      func.call @step(%c, %t) : (memref<100xf32>, memref<100xf32>) -> ()
      func.call @step(%t, %r) : (memref<100xf32>, memref<100xf32>) -> ()
    }
    func.call @step(%r, %y) : (memref<100xf32>, memref<100xf32>) -> ()
    return
  }
}
