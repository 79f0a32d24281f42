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
