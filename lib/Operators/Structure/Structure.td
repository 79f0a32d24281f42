// Constants and fused groups: what holds a model together.
include "Dialect/Base.td"

def Ingot_ConstantOp : Ingot_Op<"constant", [Pure, ConstantLike, InferTypeOpAdaptor]> {
  let summary = "A tensor known at compile time";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Ingot_GroupOp : Ingot_Op<"group", [IsolatedFromAbove, SingleBlockImplicitTerminator<"YieldOp">,
                                       RecursiveMemoryEffects]> {
  let summary = "Operators that become one function: intermediate values need no memory";
  let description = [{
    The body's arguments are the operands. What the body yields are the results; everything else inside exists one
    element at a time. `in_place` lists pairs (result, operand): the result is written over the operand's buffer.
  }];
  let arguments = (ins Variadic<Ingot_Tensor>:$inputs, OptionalAttr<StrAttr>:$name,
                       OptionalAttr<DenseI64ArrayAttr>:$in_place);
  let results = (outs Variadic<Ingot_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`(` $inputs^ `)`)? attr-dict `:` functional-type($inputs, results) $body";
}

def Ingot_YieldOp : Ingot_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "Ends the body of a group, a branch or a loop with its results";
  let arguments = (ins Variadic<Ingot_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}
