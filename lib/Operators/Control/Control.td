// Control flow that stays in the program.
include "Dialect/Base.td"

def Ingot_IfOp : Ingot_Op<"if", [RecursiveMemoryEffects, NoRegionArguments]> {
  let summary = "The results of one of two regions";
  let description = [{
    `condition` holds one element. Regions may use values from outside; each ends in a `yield` of one value for each
    result, of a compatible type.
  }];
  let arguments = (ins Ingot_BoolTensor:$condition);
  let results = (outs Variadic<Ingot_Value>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let assemblyFormat = "$condition attr-dict `:` functional-type($condition, results) $thenRegion `else` $elseRegion";
  let hasVerifier = 1;
}

def Ingot_LoopOp : Ingot_Op<"loop", [RecursiveMemoryEffects]> {
  let summary = "Does something again and again, with values that one round hands to the next";
  let description = [{
    The region's arguments are `initial` in the first round. It ends in a `yield` of one element that says whether
    another round follows, the arguments of that round, and the results, of compatible types. Of the latter two only
    those are looked at that are needed: the arguments if another round follows, else the results.
  }];
  let arguments = (ins Variadic<Ingot_Tensor>:$initial);
  let results = (outs Variadic<Ingot_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$initial attr-dict `:` functional-type($initial, results) $body";
  let hasVerifier = 1;
}

def Ingot_UndefinedOp : Ingot_Op<"undefined", [Pure]> {
  let summary = "A value that nobody looks at";
  let results = (outs Ingot_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
