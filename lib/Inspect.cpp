//===- Inspect.cpp - What a module tells about its model --------------------------------------===//

#include "Inspect.h"
#include "ModelInfo.h"
#include "Operators/AllFamilies.h"
#include "llvm/Object/ObjectFile.h"

using namespace mlir;

namespace ingot {

static StringRef nodeName(Location loc) {
  auto name = dyn_cast<NameLoc>(loc);
  return name ? name.getName().getValue() : StringRef();
}

std::optional<int64_t> multiplyAdds(Operation *op) {
  if (!isa<ConvOp, ConvTransposeOp, MatmulOp>(op))
    return std::nullopt;
  auto count = [](Value v) { return constantDim(elementCount(tensorType(v))); };
  Value x = op->getOperand(0), w = op->getOperand(1);
  if (isa<MatmulOp>(op)) {
    auto out = count(op->getResult(0));
    auto inner = constantDim(getDim(tensorType(x), tensorType(x).getRank() - 1));
    return out && inner ? std::optional(*out * *inner) : std::nullopt;
  }
  // Each element of the result takes one kernel of its group; of the transposed form, each of the
  // operand.
  auto weights = count(w);
  bool isTransposed = isa<ConvTransposeOp>(op);
  Value walked = isTransposed ? x : op->getResult(0);
  auto elements = count(walked);
  auto channels = constantDim(getDim(tensorType(walked), tensorType(walked).getRank() - 1));
  if (!weights || !elements || !channels || *channels == 0)
    return std::nullopt;
  return *elements / *channels * *weights;
}

std::vector<NodeInfo> describeNodes(ModuleOp module, ArrayRef<OnnxNode> nodes) {
  std::vector<NodeInfo> result;
  llvm::StringMap<size_t> index;
  for (const OnnxNode &node : nodes) {
    index[node.name] = result.size();
    result.push_back({node.name, node.op, {}, 0, 0});
  }
  llvm::SmallPtrSet<Operation *, 16> counted;
  module.walk([&](Operation *op) {
    auto it = index.find(nodeName(op->getLoc()));
    if (it == index.end() || op->getNumResults() != 1 ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      return;
    NodeInfo &info = result[it->second];
    RankedTensorType type = tensorType(op->getResult(0));
    std::string shape;
    llvm::raw_string_ostream os(shape);
    os << type.getElementType() << " [";
    llvm::interleaveComma(getDims(type), os, [&](AffineExpr dim) { os << printDim(dim); });
    os << "]";
    info.shapes = {shape};
    for (Value operand : op->getOperands())
      if (auto constant = operand.getDefiningOp<ConstantOp>();
          constant && counted.insert(constant).second)
        info.parameters += tensorType(operand).getNumElements();
    if (isa<ConvOp, ConvTransposeOp, MatmulOp>(op)) {
      auto count = multiplyAdds(op);
      info.multiplyAccumulates = count && info.multiplyAccumulates
                                     ? std::optional(*info.multiplyAccumulates + *count)
                                     : std::nullopt;
    }
  });
  return result;
}

std::vector<StepInfo> describeSteps(ModuleOp module, ArrayRef<OnnxNode> nodes) {
  llvm::StringMap<StringRef> operators;
  for (const OnnxNode &node : nodes)
    operators[node.name] = node.op;
  std::vector<StepInfo> steps;
  auto interface = ModelInterface::read(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    auto number = function->getAttrOfType<IntegerAttr>("ingot.step");
    if (!number || failed(interface))
      continue;
    if (steps.size() < static_cast<size_t>(number.getInt()))
      steps.resize(number.getInt());
    StepInfo &step = steps[number.getInt() - 1];
    step.function = interface->name + "_" + function.getName().str();
    if (auto names = function->getAttrOfType<ArrayAttr>("ingot.nodes"))
      for (auto name : names.getAsRange<StringAttr>()) {
        StringRef op = operators.lookup(name.getValue());
        step.nodes.push_back((op.empty() ? "" : op.str() + " ") + name.str());
      }
  }
  return steps;
}

int64_t constantBytes(ModuleOp loops) {
  int64_t sum = 0;
  for (auto global : loops.getOps<memref::GlobalOp>())
    sum += global.getType().getNumElements() *
           (global.getType().getElementType().getIntOrFloatBitWidth() / 8);
  return sum;
}

int64_t textBytes(llvm::StringRef object) {
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "object"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return 0;
  }
  int64_t sum = 0;
  for (const llvm::object::SectionRef &section : (*file)->sections())
    if (section.isText())
      sum += static_cast<int64_t>(section.getSize());
  return sum;
}

} // namespace ingot
