// RUN: ingot-opt --verify-planned --split-input-file --verify-diagnostics %s

// What is right.
module attributes {ingot.model = {name = "m", symbols = ["n"]}} {
  func.func @workspace_size(%n: index) -> index attributes {ingot.workspace_size} {
    return %n : index
  }
  func.func @main(%s: memref<?xi8> {ingot.write}, %n: index) attributes {ingot.entry} {
    %c0 = arith.constant 0 : index
    %view = memref.view %s[%c0][%n] : memref<?xi8> to memref<?xf32>
    return
  }
}

// -----

// expected-error@+1 {{knows no size of the workspace [loop level: workspace]}}
module attributes {ingot.model = {name = "m"}} {
  func.func @main(%s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    // expected-error@+1 {{allocates after memory planning [loop level: places]}}
    %t = memref.alloc() : memref<4xf32>
    return
  }
}

// -----

module attributes {ingot.model = {name = "m", workspace_size = 64 : i64}} {
  // expected-error@+2 {{computes a size that the interface has as a constant [loop level: workspace]}}
  // expected-error@+1 {{does not make one index of the interface's dimensions [loop level: workspace]}}
  func.func @workspace_size(%n: index) -> index attributes {ingot.workspace_size} {
    %c = arith.constant 1 : i32
    // expected-error@+1 {{cannot stand in this function [loop level: places]}}
    %f = arith.sitofp %c : i32 to f32
    return %n : index
  }
  func.func @main(%s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    return
  }
}

// -----

module attributes {ingot.model = {name = "m", workspace_size = 256 : i64,
    inputs = [{name = "x", type = tensor<64xi8>}]}} {
  func.func private @step(%x: memref<16xf32>, %y: memref<16xf32> {ingot.write}) attributes {ingot.step = 1 : i64} {
    return
  }
  func.func @main(%x: memref<64xi8>, %s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %a = memref.view %s[%c0][] : memref<?xi8> to memref<16xf32>
    %b = memref.view %s[%c32][] : memref<?xi8> to memref<16xf32>
    %c = memref.view %s[%c64][] : memref<?xi8> to memref<16xf32>
    func.call @step(%a, %c) : (memref<16xf32>, memref<16xf32>) -> ()
    // expected-error@+1 {{gets a buffer to write that overlaps another [loop level: overlap]}}
    func.call @step(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
    // expected-error@+1 {{gets a buffer to write that overlaps another [loop level: overlap]}}
    func.call @step(%c, %b) : (memref<16xf32>, memref<16xf32>) -> ()
    // expected-error@+1 {{is a view of something other than the workspace [loop level: memrefs]}}
    %d = memref.view %x[%c0][] : memref<64xi8> to memref<16xf32>
    return
  }
}
