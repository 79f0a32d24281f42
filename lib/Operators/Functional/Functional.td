// Functions as values, algebraic data, references: what makes a program more than a graph.
//
// Tuples do not exist here: whoever makes a program takes them apart into their members. Calls and
// references happen in program order; the others may move as their operands allow.
include "Dialect/Base.td"
include "mlir/IR/SymbolInterfaces.td"

def Ingot_DataTypeOp : Ingot_Op<"data_type", [Symbol]> {
  let summary = "An algebraic data type: its constructors and what they hold";
  let description = [{
    `constructors` names them; `fields` holds for each a list of types. The position of a constructor is its tag.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$constructors, ArrayAttr:$fields);
  let assemblyFormat = "$sym_name attr-dict $constructors $fields";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The types that the constructor with this tag holds.
    ::llvm::SmallVector<::mlir::Type> fieldsOf(uint64_t tag);
    /// The type that this defines.
    ::ingot::DataType getValueType() { return ::ingot::DataType::get(getContext(), getSymName()); }
  }];
}

def Ingot_ConstructOp : Ingot_Op<"construct", [Pure]> {
  let summary = "A value of a data type, made by one of its constructors";
  let arguments = (ins I64Attr:$tag, Variadic<Ingot_Value>:$fields);
  let results = (outs Ingot_DataType:$result);
  let assemblyFormat = "$tag (`(` $fields^ `)`)? attr-dict `:` functional-type($fields, $result)";
}

def Ingot_MatchOp : Ingot_Op<"match", [RecursiveMemoryEffects]> {
  let summary = "Does one of several things, by the constructor of a value";
  let description = [{
    Region i is for the constructor with the tag tags[i]; its arguments are the constructor's fields. One region more
    than tags, without arguments, is for all other constructors.
  }];
  let arguments = (ins Ingot_DataType:$value, DenseI64ArrayAttr:$tags);
  let results = (outs Variadic<Ingot_Value>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$cases);
  let assemblyFormat = "$value $tags attr-dict `:` functional-type($value, results) $cases";
  let hasVerifier = 1;
}

def Ingot_ClosureOp : Ingot_Op<"closure", [Pure]> {
  let summary = "A function as a value: its first parameters are bound to what it captures";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Ingot_Value>:$captures);
  let results = (outs Ingot_ClosureType:$result);
  let assemblyFormat = "$callee (`(` $captures^ `)`)? attr-dict `:` functional-type($captures, $result)";
}

def Ingot_ApplyOp : Ingot_Op<"apply"> {
  let summary = "The call of a function that is a value";
  let arguments = (ins Ingot_ClosureType:$callee, Variadic<Ingot_Value>:$args);
  let results = (outs Variadic<Ingot_Value>:$results);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, results) `by` type($callee)";
}

def Ingot_CallOp : Ingot_Op<"call"> {
  let summary = "The call of a function of the module";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Ingot_Value>:$args);
  let results = (outs Variadic<Ingot_Value>:$results);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, results)";
}

def Ingot_NewRefOp : Ingot_Op<"new_ref", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A new cell with its first contents";
  let arguments = (ins Variadic<Ingot_Value>:$contents);
  let results = (outs Ingot_RefType:$result);
  let assemblyFormat = "$contents attr-dict `:` functional-type($contents, $result)";
}

def Ingot_ReadRefOp : Ingot_Op<"read_ref", [MemoryEffects<[MemRead]>]> {
  let summary = "What a cell holds now";
  let arguments = (ins Ingot_RefType:$ref);
  let results = (outs Variadic<Ingot_Value>:$contents);
  let assemblyFormat = "$ref attr-dict `:` functional-type($ref, $contents)";
}

def Ingot_WriteRefOp : Ingot_Op<"write_ref", [MemoryEffects<[MemWrite]>]> {
  let summary = "Gives a cell new contents";
  let arguments = (ins Ingot_RefType:$ref, Variadic<Ingot_Value>:$contents);
  let assemblyFormat = "$ref `,` $contents attr-dict `:` type($ref) `,` type($contents)";
}

def Ingot_FailOp : Ingot_Op<"fail"> {
  let summary = "Ends the run with the status that no clause of a match fits; its results stand for values that never are";
  let results = (outs Variadic<Ingot_Value>:$results);
  let assemblyFormat = "attr-dict `:` type($results)";
}
