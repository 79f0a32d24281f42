//===- ModelInfo.cpp - A model's interface as plain values ------------------------------------===//

#include "ModelInfo.h"

using namespace mlir;

namespace ingot {

static ElementType describe(Type element) {
  if (element.isF16())
    return ElementType::Float16;
  if (element.isBF16())
    return ElementType::BFloat16;
  if (element.isF32())
    return ElementType::Float32;
  if (element.isF64())
    return ElementType::Float64;
  bool isUnsigned = element.isUnsignedInteger();
  switch (element.getIntOrFloatBitWidth()) {
  case 1:
    return ElementType::Bool;
  case 8:
    return isUnsigned ? ElementType::UInt8 : ElementType::Int8;
  case 16:
    return isUnsigned ? ElementType::UInt16 : ElementType::Int16;
  case 32:
    return isUnsigned ? ElementType::UInt32 : ElementType::Int32;
  default:
    return isUnsigned ? ElementType::UInt64 : ElementType::Int64;
  }
}

Extent describe(AffineExpr expr, ArrayRef<std::string> names) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Extent::constant(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    if (auto definition = dimDefinition(expr))
      return Extent::binary(definition->isMax ? Extent::Kind::Max : Extent::Kind::Min,
                            describe(definition->a, names), describe(definition->b, names));
    StringRef name = dimSymbolName(expr.getContext(), symbol.getPosition());
    return Extent::symbol(std::distance(names.begin(), llvm::find(names, name)));
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto kind = [&] {
    switch (expr.getKind()) {
    case AffineExprKind::Add:
      return Extent::Kind::Add;
    case AffineExprKind::Mul:
      return Extent::Kind::Multiply;
    case AffineExprKind::FloorDiv:
      return Extent::Kind::FloorDivide;
    case AffineExprKind::CeilDiv:
      return Extent::Kind::CeilDivide;
    default:
      return Extent::Kind::Modulo;
    }
  };
  return Extent::binary(kind(), describe(binary.getLHS(), names), describe(binary.getRHS(), names));
}

InterfaceInfo describe(const ModelInterface &interface, ArrayRef<std::string> members) {
  InterfaceInfo info;
  info.name = interface.name;
  info.source = interface.source;
  info.sha256 = interface.sha256;
  info.opset = interface.opset;
  info.symbols.assign(interface.symbols.begin(), interface.symbols.end());
  info.workspaceSize = interface.workspaceSize;
  info.workspaceAlign = interface.workspaceAlign;
  size_t next = 0;
  auto ports = [&](ArrayRef<Port> from, std::vector<PortInfo> &into) {
    for (const Port &port : from) {
      PortInfo result;
      result.name = port.name;
      result.member = next < members.size() ? members[next] : port.name;
      result.type = describe(port.type.getElementType());
      ++next;
      for (AffineExpr dim : getDims(port.type))
        result.shape.push_back(describe(dim, info.symbols));
      into.push_back(std::move(result));
    }
  };
  ports(interface.inputs, info.inputs);
  ports(interface.outputs, info.outputs);
  for (const Constraint &c : interface.constraints)
    info.constraints.push_back({describe(c.lhs, info.symbols), describe(c.rhs, info.symbols)});
  return info;
}

InterfaceInfo describe(const ProgramInterface &program) {
  InterfaceInfo info = describe(program.model, {});
  info.usesHeap = true;
  info.workspaceSize = 0;
  auto ports = [](const std::vector<ProgramPort> &from, std::vector<PortInfo> &into) {
    into.clear();
    for (const ProgramPort &port : from) {
      PortInfo result;
      result.name = port.name;
      result.member = port.member;
      if (auto tensor = dyn_cast<RankedTensorType>(port.type)) {
        result.type = describe(tensor.getElementType());
        for (int64_t extent : tensor.getShape())
          result.shape.push_back(Extent::constant(extent));
      } else {
        auto data = dyn_cast<DataType>(port.type);
        result.dataType = data ? data.getSymbol().str() : "reference";
      }
      into.push_back(std::move(result));
    }
  };
  ports(program.inputs, info.inputs);
  ports(program.outputs, info.outputs);
  return info;
}

} // namespace ingot
