//===- Graph.cpp - What the tensor level may contain ------------------------------------------===//

#include "Dialect/Dialect.h"
#include "Dialect/ModelInterface.h"
#include "Dialect/ShapeInference.h"
#include "Verify/LoopRules.h"
#include "Verify/Verify.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace ingot {
namespace {

class GraphVerifier {
public:
  explicit GraphVerifier(ModuleOp module) : module(module) {}

  LogicalResult run();

private:
  void error(Operation *op, StringRef rule, const Twine &text) {
    op->emitOpError() << text << " [tensor level: " << rule << "]";
    failed = true;
  }
  void checkProgram(func::FuncOp program);
  void checkType(Operation *op, Type type);

  ModuleOp module;
  bool failed = false;
  std::optional<ModelInterface> interface;
  llvm::StringSet<llvm::MallocAllocator> symbols;
};

bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignlessInteger(1) ||
           (!integer.isSigned() && llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth()));
  return isStorable(type);
}

} // namespace

LogicalResult GraphVerifier::run() {
  auto read = ModelInterface::read(module);
  if (mlir::failed(read))
    return failure();
  interface = std::move(*read);
  for (const std::string &symbol : interface->symbols)
    symbols.insert(symbol);
  func::FuncOp program;
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function || function.getName() != "main")
      error(&op, "module", "cannot stand in a module beside the program @main");
    else
      program = function;
  }
  if (!program || program.isExternal() || !program.getBody().hasOneBlock())
    error(module, "module", "has no program @main of one block");
  else
    checkProgram(program);
  return failure(failed);
}

void GraphVerifier::checkProgram(func::FuncOp program) {
  auto portTypes = [](ArrayRef<Port> ports) {
    return llvm::map_to_vector(ports, [](const Port &port) -> Type { return port.type; });
  };
  if (!compatibleTypes(portTypes(interface->inputs), program.getArgumentTypes()))
    error(program, "interface", "does not take the interface's inputs");
  if (!compatibleTypes(portTypes(interface->outputs), program.getResultTypes()))
    error(program, "interface", "does not return the interface's outputs");
  for (Type type : program.getArgumentTypes())
    checkType(program, type);
  program.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isReturn = isa<func::ReturnOp>(op) && op->getParentOp() == program;
    if (!isReturn && !isa_and_nonnull<IngotDialect>(op->getDialect())) {
      error(op, "operators", "is not an operator of the dialect ingot");
      return;
    }
    for (Type type : op->getResultTypes())
      checkType(op, type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          checkType(op, type);
  });
}

void GraphVerifier::checkType(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isElement(tensor.getElementType())) {
    error(op, "types", "has a value that is not a ranked tensor of numbers");
    return;
  }
  auto dims = dyn_cast_or_null<DimsAttr>(tensor.getEncoding());
  if (!dims) {
    if (!tensor.hasStaticShape() || tensor.getEncoding())
      error(op, "types", "has a dynamic dimension without a symbolic one");
    return;
  }
  llvm::SetVector<StringRef> names;
  for (AffineExpr dim : dims.getExprs())
    collectDimSymbols(dim, names);
  for (StringRef name : names)
    if (!symbols.contains(name))
      error(op, "symbols", "has a dimension of '" + name + "', which no caller gives");
}

LogicalResult verifyGraph(ModuleOp module) { return GraphVerifier(module).run(); }

} // namespace ingot
