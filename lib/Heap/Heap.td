// The heap dialect: what programs with data become. Blocks with a reference count, and functions that can fail.
//
// A block is a header, then `pointers` pointers to other blocks, then bytes. Values of type `!heap.block` may also be
// immediates, which stand for constructors without fields, or null. Operations that can fail end the function with
// their status, after releasing `cleanup`: the blocks that the function owns at that point.
#ifndef INGOT_HEAP_HEAP_TD
#define INGOT_HEAP_HEAP_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Heap_Dialect : Dialect {
  let name = "heap";
  let cppNamespace = "::ingot::heap";
  let useDefaultTypePrinterParser = 1;
}

def Heap_Block : TypeDef<Heap_Dialect, "Block"> {
  let mnemonic = "block";
  let summary = "A pointer to a counted block, an immediate, or null";
}

class Heap_Op<string mnemonic, list<Trait> traits = []> : Op<Heap_Dialect, mnemonic, traits>;
def Heap_Buffer : MemRefRankOf<[AnyType], [1]>;
def Heap_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat]>;
def Heap_Value : AnyTypeOf<[AnySignlessInteger, AnyFloat, Index, Heap_Block]>;

//===-- Blocks --------------------------------------------------------------------------------===//

def Heap_AllocateOp : Heap_Op<"allocate", [AttrSizedOperandSegments]> {
  let summary = "A new block, counted once, or `reuse` if that is not null; fails when there is no memory";
  let description = [{ `tensor` blocks have no pointers and `bytes` elements' bytes, aligned to 16. }];
  let arguments = (ins I64Attr:$tag, I64Attr:$pointers, I64Attr:$bytes, UnitAttr:$tensor, Optional<Heap_Block>:$reuse,
                       Variadic<Heap_Block>:$cleanup);
  let results = (outs Heap_Block:$result);
  let assemblyFormat = "$tag `,` $pointers `,` $bytes (`tensor` $tensor^)? (`reuse` $reuse^)? (`cleanup` $cleanup^)? attr-dict";
}
def Heap_ImmediateOp : Heap_Op<"immediate", [Pure]> {
  let summary = "The value of a constructor without fields";
  let arguments = (ins I64Attr:$tag);
  let results = (outs Heap_Block:$result);
  let assemblyFormat = "$tag attr-dict";
}
def Heap_NullOp : Heap_Op<"null", [Pure]> {
  let summary = "No block";
  let results = (outs Heap_Block:$result);
  let assemblyFormat = "attr-dict";
}
def Heap_TagOp : Heap_Op<"tag", [MemoryEffects<[MemRead]>]> {
  let summary = "The constructor of a value; `immediates` and `blocks` say of which kind it can be";
  let arguments = (ins Heap_Block:$block, UnitAttr:$immediates, UnitAttr:$blocks);
  let results = (outs I32:$result);
  let assemblyFormat = "$block attr-dict";
}
def Heap_LoadBlockOp : Heap_Op<"load_block", [MemoryEffects<[MemRead]>]> {
  let summary = "Pointer `index` of a block; counts nothing";
  let arguments = (ins Heap_Block:$block, I64Attr:$index);
  let results = (outs Heap_Block:$result);
  let assemblyFormat = "$block `[` $index `]` attr-dict";
}
def Heap_StoreBlockOp : Heap_Op<"store_block"> {
  let summary = "Sets pointer `index` of a block; counts nothing";
  let arguments = (ins Heap_Block:$value, Heap_Block:$block, I64Attr:$index);
  let assemblyFormat = "$value `,` $block `[` $index `]` attr-dict";
}
def Heap_LoadOp : Heap_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "The scalar at byte `offset` behind the `pointers` pointers of a block";
  let arguments = (ins Heap_Block:$block, I64Attr:$pointers, I64Attr:$offset);
  let results = (outs Heap_Scalar:$result);
  let assemblyFormat = "$block `[` $pointers `,` $offset `]` attr-dict `:` type($result)";
}
def Heap_StoreOp : Heap_Op<"store"> {
  let summary = "Sets the scalar at byte `offset` behind the `pointers` pointers of a block";
  let arguments = (ins Heap_Scalar:$value, Heap_Block:$block, I64Attr:$pointers, I64Attr:$offset);
  let assemblyFormat = "$value `,` $block `[` $pointers `,` $offset `]` attr-dict `:` type($value)";
}
def Heap_DataOp : Heap_Op<"data", [Pure]> {
  let summary = "The elements of a tensor block";
  let arguments = (ins Heap_Block:$block);
  let results = (outs Heap_Buffer:$result);
  let assemblyFormat = "$block attr-dict `:` type($result)";
}
def Heap_ScratchOp : Heap_Op<"scratch"> {
  let summary = "A few elements that live as long as the call of the function";
  let results = (outs Heap_Buffer:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===-- Counts --------------------------------------------------------------------------------===//

def Heap_RetainOp : Heap_Op<"retain"> {
  let summary = "One more owner";
  let arguments = (ins Heap_Block:$block);
  let assemblyFormat = "$block attr-dict";
}
def Heap_ReleaseOp : Heap_Op<"release"> {
  let summary = "One owner less; the last takes the block with it, and releases what it points to";
  let arguments = (ins Heap_Block:$block);
  let assemblyFormat = "$block attr-dict";
}
def Heap_IsUniqueOp : Heap_Op<"is_unique", [MemoryEffects<[MemRead]>]> {
  let summary = "True if the block has one owner; false for immediates";
  let arguments = (ins Heap_Block:$block);
  let results = (outs I1:$result);
  let assemblyFormat = "$block attr-dict";
}
def Heap_DecrementOp : Heap_Op<"decrement"> {
  let summary = "One owner less of a block that has others";
  let arguments = (ins Heap_Block:$block);
  let assemblyFormat = "$block attr-dict";
}
def Heap_EmptyOp : Heap_Op<"empty"> {
  let summary = "The block points to nothing from now on: what it pointed to belongs to whoever has read it";
  let arguments = (ins Heap_Block:$block);
  let assemblyFormat = "$block attr-dict";
}

//===-- Functions -----------------------------------------------------------------------------===//

def Heap_GuardOp : Heap_Op<"guard"> {
  let summary = "Fails when the stack is nearly used up";
  let arguments = (ins Variadic<Heap_Block>:$cleanup);
  let assemblyFormat = "(`cleanup` $cleanup^)? attr-dict";
}
def Heap_CallOp : Heap_Op<"call", [AttrSizedOperandSegments]> {
  let summary = "Calls a function of the program; fails when that fails";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args, Variadic<Heap_Block>:$cleanup);
  let results = (outs Variadic<Heap_Value>:$results);
  let assemblyFormat = "$callee `(` $args `)` (`cleanup` $cleanup^)? attr-dict `:` functional-type($args, results)";
}
def Heap_SwitchOp : Heap_Op<"switch"> {
  let summary = "One of several regions, by a number; the last one is for all others if there is one more than `cases`";
  let description = [{ Each region ends in a yield, or leaves the function: return, jump, fail. }];
  let arguments = (ins AnySignlessInteger:$value, DenseI64ArrayAttr:$cases);
  let results = (outs Variadic<Heap_Value>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$regions);
  let assemblyFormat = "$value $cases attr-dict `:` functional-type($value, results) $regions";
}
def Heap_YieldOp : Heap_Op<"yield", [Terminator]> {
  let summary = "Ends a region with the results of its switch";
  let arguments = (ins Variadic<Heap_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}
def Heap_ReturnOp : Heap_Op<"return", [Terminator]> {
  let summary = "Ends the function with success";
  let arguments = (ins Variadic<Heap_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}
def Heap_JumpOp : Heap_Op<"jump", [Terminator]> {
  let summary = "Begins the function again with other arguments";
  let arguments = (ins Variadic<Heap_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}
def Heap_TailCallOp : Heap_Op<"tail_call", [Terminator]> {
  let summary = "Ends the function with the results of another, which needs no room beside it";
  let description = [{ The generators know jumps only: functions that call each other in this way are merged before. }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Heap_Value>:$args);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` type($args)";
}
def Heap_FailOp : Heap_Op<"fail", [Terminator]> {
  let summary = "Ends the function: no clause of a match fits";
  let arguments = (ins Variadic<Heap_Block>:$cleanup);
  let assemblyFormat = "(`cleanup` $cleanup^)? attr-dict";
}
def Heap_EndOp : Heap_Op<"end", [Terminator]> {
  let summary = "Ends a block that is left before: all regions of the switch above leave the function";
  let assemblyFormat = "attr-dict";
}

#endif
