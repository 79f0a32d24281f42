// The ingot dialect: base classes of its operators. Each family of lib/Operators includes this
// file.
#ifndef INGOT_DIALECT_BASE_TD
#define INGOT_DIALECT_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "Dialect/Interfaces.td"

def Ingot_Dialect : Dialect {
  let name = "ingot";
  let cppNamespace = "::ingot";
  let summary = "A neural network as its author thought of it";
  let description = [{
    Tensor operators with the meaning of their field, control flow, and fused groups of operators. Every dynamic
    dimension of a tensor type carries a symbolic expression in its encoding (`#ingot.dims`).
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Adds the operators of every family; defined in lib/Operators, so that this library does not depend on it.
    void registerOperators();
    /// Names of symbolic dimensions, shared by all attributes of the context. See Dims.h.
    struct Symbols;
    Symbols &getSymbols() { return *symbols; }
  private:
    std::shared_ptr<Symbols> symbols;
  public:
  }];
}

def Ingot_DimsAttr
    : AttrDef<Ingot_Dialect, "Dims", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "dims";
  let summary = "Symbolic dimensions of a tensor, one expression each";
  let description = [{
    As the encoding of a tensor type it names what `?` stands for: `tensor<1x?xf32, #ingot.dims<1, "width floordiv 4">>`.
    Expressions are affine (or semi-affine) over named symbols, with `min(a, b)` and `max(a, b)`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::AffineExpr">:$exprs);
  let hasCustomAssemblyFormat = 1;
}

class Ingot_Type<string name, string mnemonicText> : TypeDef<Ingot_Dialect, name> {
  let mnemonic = mnemonicText;
}

def Ingot_DataType : Ingot_Type<"Data", "data"> {
  let summary = "A value of an algebraic data type, which the module defines by an ingot.data_type";
  let parameters = (ins StringRefParameter<"symbol of the type">:$symbol);
  let assemblyFormat = "`<` $symbol `>`";
}

def Ingot_RefType : Ingot_Type<"Ref", "ref"> {
  let summary = "A cell that can be written; what it holds, tuples taken apart";
  let parameters = (ins OptionalArrayRefParameter<"::mlir::Type">:$contents);
  let assemblyFormat = "`<` (`[` $contents^ `]`)? `>`";
}

def Ingot_ClosureType : Ingot_Type<"Closure", "closure"> {
  let summary = "A function as a value, with all that it captures";
  let parameters = (ins "::mlir::FunctionType":$signature);
  let assemblyFormat = "`<` $signature `>`";
}

/// What a program computes with: tensors, data, functions, references.
def Ingot_Value : AnyTypeOf<[AnyRankedTensor, Ingot_DataType, Ingot_RefType, Ingot_ClosureType]>;

def Ingot_Tensor : AnyTypeOf<[AnyRankedTensor]>;
def Ingot_FloatTensor : TensorOf<[F16, BF16, F32, F64]>;
def Ingot_BoolTensor : TensorOf<[I1]>;

class Ingot_Op<string mnemonic, list<Trait> traits = []> : Op<Ingot_Dialect, mnemonic, traits>;

/// An operator without side effects whose result types follow from its operands and attributes. The
/// class defines `inferReturnTypes(context, loc, adaptor, types)` once; builders infer by it and
/// the verifier compares with it.
class Ingot_PureOp<string mnemonic, list<Trait> traits = []>
    : Ingot_Op<mnemonic, traits#[Pure, InferTypeOpAdaptorBase<[{
        static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange actual) {
          return ::ingot::compatibleTypes(inferred, actual);
        }
      }]>]> {
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

/// A pure operator of one result that is given element by element.
class Ingot_ElementOp<string mnemonic, list<Trait> traits = []>
    : Ingot_PureOp<mnemonic, traits#[DeclareOpInterfaceMethods<Ingot_ElementOpInterface>]> {
  let results = (outs Ingot_Tensor:$result);
}

#endif
