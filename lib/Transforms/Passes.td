// Passes on tensors, each runnable alone by ingot-opt.
#ifndef INGOT_TRANSFORMS_PASSES_TD
#define INGOT_TRANSFORMS_PASSES_TD
include "mlir/Pass/PassBase.td"

def CollectConstraints : Pass<"collect-constraints", "::mlir::ModuleOp"> {
  let summary = "Note which dimensions must be equal for the model to make sense";
  let description = [{
    Shape inference takes symbolic extents that meet to be equal; only the caller's values can tell. Where they are not,
    loops would leave their buffers. This adds to the interface what must be equal, for the generated entry to check.
    Runs before anything is transformed.
  }];
}

def Simplify : Pass<"simplify", "::mlir::ModuleOp"> {
  let summary = "Bring operators into their simplest form, scales and shifts into weights";
}

def Layout : Pass<"layout", "::mlir::ModuleOp"> {
  let summary = "Sink transpositions until they meet their inverses";
  let description = [{
    Importers wrap channels-last operators in transpositions; afterwards only those are left that the model itself
    asks for, and those of its inputs and outputs.
  }];
}

def Pack : Pass<"pack", "::mlir::ModuleOp"> {
  let summary = "Lay out the right operands of matrix products and convolutions as kernels read them";
  let description = [{
    `matmul` and dense `conv` become `packed_matmul` and `packed_conv`; padding becomes an operator of its own. The
    packing of constants is left to fold-constants.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register; 0: none">,
    Option<"vectorRegisters", "vector-registers", "int64_t", "32", "Number of vector registers">
  ];
}

def Fuse : Pass<"fuse", "::mlir::ModuleOp"> {
  let summary = "Put operators that become one function into groups";
  let description = [{
    An element-wise operator joins the operator it follows if their shapes are equal, a fold over trailing dimensions joins
    the elements it folds, and an injective operator with one user moves into that. Constants of one value go
    inside.
  }];
}

def CollapseDims : Pass<"collapse-dims", "::mlir::ModuleOp"> {
  let summary = "Merge neighbouring dimensions that every tensor of a group treats alike";
  let description = [{
    Fewer and longer loops: an element-wise group of one shape becomes a group of vectors. Shapes change by reshapes
    outside, which are free.
  }];
}

def Defunctionalise : Pass<"defunctionalise", "::mlir::ModuleOp"> {
  let summary = "Turn functions that are values into data, and their calls into matches";
}

def TailLoops : Pass<"tail-loops", "::mlir::ModuleOp"> {
  let summary = "Turn a program over tensors whose functions call themselves last into a graph with loops";
  let description = [{
    Such a program needs no blocks and no stack: its functions go into @main, and what calls itself in the last place
    becomes an `ingot.loop`; functions that call each other so become one before. Programs with data, references, or
    another recursion stay as they are, and so do those of scalars only, which are values of the machine in functions.
  }];
}

def InPlace : Pass<"in-place", "::mlir::ModuleOp"> {
  let summary = "Let groups write over operands that are not needed afterwards";
  let description = [{
    Sets `in_place` on groups that read such an operand only at the element they write.
  }];
}
#endif
