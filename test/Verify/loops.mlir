// RUN: ingot-opt --verify-loops --split-input-file --verify-diagnostics %s

// What is right.
module attributes {ingot.model = {name = "m", symbols = ["n"], inputs = [{name = "x", type = tensor<?xi1, #ingot.dims<n>>}],
                                  outputs = [{name = "y", type = tensor<32xf32>}]}} {
  memref.global "private" constant @w : memref<32xf32> = dense<1.0>
  func.func private @step(%x: memref<?xi8>, %w: memref<32xf32>, %y: memref<32xf32> {ingot.write}, %n: index)
      attributes {ingot.step = 1 : i64} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %n step %c16 {
      %v = vector.load %w[%i] : memref<32xf32>, vector<16xf32>
      %zero = arith.constant dense<0.0> : vector<16xf32>
      %a = arith.cmpf olt, %v, %zero : vector<16xf32>
      %b = arith.cmpf une, %v, %v : vector<16xf32>
      %m = arith.ori %a, %b : vector<16xi1>
      %r = arith.select %m, %zero, %v : vector<16xi1>, vector<16xf32>
      vector.store %r, %y[%i] : memref<32xf32>, vector<16xf32>
    }
    return
  }
  func.func @main(%x: memref<?xi8>, %y: memref<32xf32> {ingot.write}, %s: memref<?xi8> {ingot.write}, %n: index)
      attributes {ingot.entry} {
    %w = memref.get_global @w : memref<32xf32>
    %t = memref.alloc(%n) {ingot.size = #ingot.dims<n>} : memref<?xi8>
    func.call @step(%x, %w, %y, %n) : (memref<?xi8>, memref<32xf32>, memref<32xf32>, index) -> ()
    return
  }
}

// -----

// expected-error@+1 {{has no function with 'ingot.entry' [loop level: entry]}}
module attributes {ingot.model = {name = "m"}} {
  // expected-error@+1 {{cannot stand in a module [loop level: module]}}
  module {
  }
}

// -----

module attributes {ingot.model = {name = "m", inputs = [{name = "x", type = tensor<4xf32>}]}} {
  // expected-error@+1 {{has another extent for 'x' than the interface [loop level: entry]}}
  func.func @main(%x: memref<5xf32>, %s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    return
  }
}

// -----

module attributes {ingot.model = {name = "m", inputs = [{name = "x", type = tensor<4xf32>}]}} {
  // expected-error@+1 {{has another type for 'x' than the interface [loop level: entry]}}
  func.func @main(%x: memref<4xi32>, %s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    return
  }
}

// -----

module attributes {ingot.model = {name = "m", inputs = [{name = "x", type = tensor<4xf32>}]}} {
  // expected-error@+1 {{marks 'x' wrongly as written or not [loop level: entry]}}
  func.func @main(%x: memref<4xf32> {ingot.write}, %s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    return
  }
}

// -----

module attributes {ingot.model = {name = "m", symbols = ["n"]}} {
  // expected-error@+1 {{does not have the interface's inputs, outputs, workspace, dimensions [loop level: entry]}}
  func.func @main(%s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    return
  }
}

// -----

module attributes {ingot.model = {name = "m"}} {
  // expected-error@+1 {{is not a private constant [loop level: globals]}}
  memref.global "private" @state : memref<4xf32> = dense<0.0>
  // expected-error@+1 {{is not a rank-1 buffer of constant extent [loop level: memrefs]}}
  memref.global "private" constant @w : memref<2x2xf32> = dense<0.0>
  // expected-error@+1 {{has no body [loop level: functions]}}
  func.func private @extern() attributes {ingot.step = 1 : i64}
  // expected-error@+1 {{is neither the entry nor a private step with its number [loop level: functions]}}
  func.func @public() attributes {ingot.step = 1 : i64} {
    return
  }
  // expected-error@+1 {{is a step that returns something [loop level: functions]}}
  func.func private @returns() -> i32 attributes {ingot.step = 1 : i64} {
    %c = arith.constant 1 : i32
    return %c : i32
  }
  // expected-error@+1 {{has the number of another step [loop level: steps]}}
  func.func private @twin() attributes {ingot.step = 1 : i64} {
    return
  }
  // expected-error@+1 {{has an argument that is neither a rank-1 buffer nor a scalar [loop level: memrefs]}}
  func.func private @matrix(%x: memref<2x2xf32>) attributes {ingot.step = 2 : i64} {
    return
  }
  func.func @main(%s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    return
  }
}

// -----

module attributes {ingot.model = {name = "m"}} {
  func.func private @step(%x: memref<4xf32>, %y: memref<4xf32> {ingot.write}, %i: index, %v: vector<8xf32>)
      // expected-error@-1 {{has an argument that is neither a rank-1 buffer nor a scalar [loop level: memrefs]}}
      attributes {ingot.step = 1 : i64} {
    // expected-error@+1 {{is not an operation of the loop level [loop level: operations]}}
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    // expected-error@+1 {{cannot stand in this function [loop level: places]}}
    %t = memref.alloc() : memref<4xf32>
    %f = memref.load %x[%i] : memref<4xf32>
    // expected-error@+1 {{writes a buffer that is only for reading [loop level: writes]}}
    memref.store %f, %x[%i] : memref<4xf32>
    // expected-error@+1 {{has a vector where none can be, or one that is not of rank 1 [loop level: vectors]}}
    %e = math.exp %v : vector<8xf32>
    // expected-error@+1 {{has a vector where none can be, or one that is not of rank 1 [loop level: vectors]}}
    %m = arith.constant dense<0.0> : vector<2x4xf32>
    // expected-error@+1 {{broadcasts something other than a scalar [loop level: vectors]}}
    %b = vector.broadcast %v : vector<8xf32> to vector<8xf32>
    // expected-error@+1 {{extracts at a position that is not one constant [loop level: vectors]}}
    %p = vector.extract %v[%i] : f32 from vector<8xf32>
    %k = arith.fptosi %v : vector<8xf32> to vector<8xi32>
    // expected-error@+1 {{reduces by xor [loop level: vectors]}}
    %r = vector.reduction <xor>, %k : vector<8xi32> into i32
    // expected-error@+1 {{has a type that is not of the loop level [loop level: types]}}
    %c = arith.constant 1 : i4
    %one = arith.constant 1 : i32
    // expected-error@+1 {{has bounds that are not of type index [loop level: types]}}
    scf.for %j = %one to %one step %one : i32 {
    }
    // expected-error@+1 {{has a value that is neither a number nor a dense vector [loop level: types]}}
    %z = arith.constant sparse<0, 1.0> : vector<8xf32>
    return
  }
  func.func @main(%s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    return
  }
}

// -----

module attributes {ingot.model = {name = "m"}} {
  func.func private @masks(%x: memref<8xf32>, %y: memref<8xf64>, %i: index) attributes {ingot.step = 1 : i64} {
    %a = vector.load %x[%i] : memref<8xf32>, vector<8xf32>
    %b = vector.load %y[%i] : memref<8xf64>, vector<8xf64>
    %ma = arith.cmpf olt, %a, %a : vector<8xf32>
    %mb = arith.cmpf olt, %b, %b : vector<8xf64>
    // expected-error@+1 {{combines masks that compares of different widths made [loop level: masks]}}
    %both = arith.andi %ma, %mb : vector<8xi1>
    // expected-error@+1 {{has a mask that was compared at another width [loop level: masks]}}
    %s = arith.select %ma, %b, %b : vector<8xi1>, vector<8xf64>
    // expected-error@+1 {{chooses between masks [loop level: masks]}}
    %t = arith.select %ma, %ma, %ma : vector<8xi1>, vector<8xi1>
    // expected-error@+1 {{compares masks [loop level: masks]}}
    %u = arith.cmpi eq, %ma, %ma : vector<8xi1>
    // expected-error@+1 {{makes or takes a mask [loop level: masks]}}
    %v = arith.extui %ma : vector<8xi1> to vector<8xi32>
    // expected-error@+1 {{has a vector where none can be, or one that is not of rank 1 [loop level: vectors]}}
    %w = vector.load %x[%i] : memref<8xf32>, vector<1x8xf32>
    return
  }
  func.func @main(%s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    return
  }
}

// -----

module attributes {ingot.model = {name = "m", inputs = [{name = "x", type = tensor<4xf32>}]}} {
  memref.global "private" constant @w : memref<4xf32> = dense<0.0>
  func.func private @late(%x: memref<4xf32>, %y: memref<4xf32> {ingot.write}) attributes {ingot.step = 2 : i64} {
    return
  }
  func.func private @first(%x: memref<4xf32>, %y: memref<4xf32> {ingot.write}) attributes {ingot.step = 1 : i64} {
    return
  }
  func.func @main(%x: memref<4xf32>, %s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    %t = memref.alloc() : memref<4xf32>
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{has a dynamic size without an attribute 'ingot.size' [loop level: memrefs]}}
    %d = memref.alloc(%c0) : memref<?xf32>
    // expected-error@+1 {{calls a step before one of a smaller number [loop level: steps]}}
    func.call @late(%x, %t) : (memref<4xf32>, memref<4xf32>) -> ()
    // expected-error@+1 {{gets a buffer twice that it writes [loop level: overlap]}}
    func.call @first(%t, %t) : (memref<4xf32>, memref<4xf32>) -> ()
    // expected-error@+1 {{writes a buffer that is only for reading [loop level: writes]}}
    func.call @first(%t, %x) : (memref<4xf32>, memref<4xf32>) -> ()
    %w = memref.get_global @w : memref<4xf32>
    // expected-error@+1 {{writes a buffer that is only for reading [loop level: writes]}}
    func.call @first(%t, %w) : (memref<4xf32>, memref<4xf32>) -> ()
    // expected-error@+1 {{calls something other than a step with arguments of its types [loop level: calls]}}
    func.call @main(%x, %s) : (memref<4xf32>, memref<?xi8>) -> ()
    %b = arith.constant true
    // expected-error@+1 {{has a buffer where none can be, or one that is not flat [loop level: memrefs]}}
    %r = scf.if %b -> memref<4xf32> {
      // expected-error@+1 {{has a buffer where none can be, or one that is not flat [loop level: memrefs]}}
      scf.yield %t : memref<4xf32>
    } else {
      // expected-error@+1 {{has a buffer where none can be, or one that is not flat [loop level: memrefs]}}
      scf.yield %t : memref<4xf32>
    }
    // expected-error@+1 {{is a view before memory planning [loop level: places]}}
    %view = memref.view %s[%c0][] : memref<?xi8> to memref<4xf32>
    return
  }
}
