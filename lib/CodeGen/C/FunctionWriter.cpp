//===- FunctionWriter.cpp - The body of one function in C -------------------------------------===//

#include "CodeGen/C/FunctionWriter.h"
#include "CodeGen/Interface.h"
#include "Heap/Heap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace ingot::c {

std::string FunctionWriter::uniqueName(StringRef base) {
  std::string name = base.str();
  // Numbers begin where those of the same base ended.
  for (unsigned &next = numbers.try_emplace(base, 2).first->second; !names.insert(name).second;)
    name = base.str() + "_" + std::to_string(next++);
  return name;
}

//===----------------------------------------------------------------------------------------===//
// What becomes part of an expression
//===----------------------------------------------------------------------------------------===//

static bool isHeap(Operation *op) { return isa<heap::HeapDialect>(op->getDialect()); }

static bool writesMemory(Operation *op) {
  return op->getNumRegions() != 0 || isHeap(op) ||
         isa<memref::StoreOp, vector::StoreOp, func::CallOp, memref::PrefetchOp>(op);
}

/// Expressions deeper than this are hard to read.
static constexpr unsigned maxDepth = 6;

static unsigned depthOf(Operation *op, unsigned limit) {
  unsigned deepest = 0;
  if (limit == 0)
    return 1;
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp(); def && def->getBlock() == op->getBlock() &&
                                                  operand.hasOneUse() &&
                                                  !isa<arith::ConstantOp>(def))
      deepest = std::max(deepest, depthOf(def, limit - 1));
  return deepest + 1;
}

Operation *FunctionWriter::writtenWith(Operation *op) {
  while (isInlined(op))
    op = *op->getUsers().begin();
  return op;
}

bool FunctionWriter::isNeeded(Operation *op) {
  if (needed.empty())
    findNeeded(op->getParentOfType<func::FuncOp>());
  return needed.lookup(op);
}

/// From the last operation to the first, so that users are known before what they use.
void FunctionWriter::findNeeded(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops)) {
    bool isPlain = op->getNumResults() == 1 && op->getNumRegions() == 0 &&
                   isa<arith::ArithDialect>(op->getDialect());
    needed[op] = !isPlain || llvm::any_of(op->getUses(), [&](OpOperand &use) {
      if (isa<memref::ViewOp>(use.getOwner()))
        return use.getOperandNumber() < 2;
      return needed.lookup(use.getOwner());
    });
  }
}

bool FunctionWriter::isInlined(Operation *op) {
  auto it = inlined.find(op);
  if (it != inlined.end())
    return it->second;
  bool result = isInlinedUncached(op);
  inlined[op] = result;
  return result;
}

/// The place among the values a loop carries that `op` computes anew, if nothing reads the old
/// value from then on: it is written at once, in the order of the operations.
static std::optional<unsigned> accumulatorOf(Operation *op) {
  auto hasOneUse = [](Operation *o) {
    return o->getNumResults() == 1 && o->getResult(0).hasOneUse();
  };
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop || op->getNumRegions() != 0 || !hasOneUse(op))
    return std::nullopt;
  OpOperand &use = *op->getResult(0).use_begin();
  if (use.getOwner() != loop.getBody()->getTerminator())
    return std::nullopt;
  unsigned place = use.getOperandNumber();
  for (Operation *user : loop.getRegionIterArg(place).getUsers()) {
    Operation *reader = loop.getBody()->findAncestorOpInBlock(*user);
    // The latest operation whose expression it can be part of.
    while (reader != op && hasOneUse(reader))
      reader = loop.getBody()->findAncestorOpInBlock(**reader->getUsers().begin());
    if (reader != op && !reader->isBeforeInBlock(op))
      return std::nullopt;
  }
  return place;
}

bool FunctionWriter::isInlinedUncached(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return true;
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 || !op->getResult(0).hasOneUse() ||
      isa<memref::ViewOp, memref::GetGlobalOp, func::CallOp>(op) || isHeap(op))
    return false;
  Operation *user = *op->getUsers().begin();
  if (user->getBlock() != op->getBlock() || accumulatorOf(op))
    return false;
  // The bounds of a loop are evaluated again and again.
  if (isa<scf::ForOp, scf::WhileOp>(user) && op->getResult(0) != user->getOperand(0) &&
      !llvm::is_contained(user->getOperands().drop_front(std::min(3u, user->getNumOperands())),
                          op->getResult(0)))
    return false;
  if (depthOf(op, maxDepth + 1) > maxDepth)
    return false;
  if (!isa<memref::LoadOp, vector::LoadOp>(op)) {
    // What it is made of may hold loads, which must not move past a store.
    bool holdsLoad = false;
    std::function<void(Operation *, unsigned)> look = [&](Operation *o, unsigned level) {
      holdsLoad |= isa<memref::LoadOp, vector::LoadOp>(o);
      for (Value v : o->getOperands())
        if (Operation *def = v.getDefiningOp(); level && def && def->getBlock() == o->getBlock())
          look(def, level - 1);
    };
    look(op, maxDepth);
    if (!holdsLoad)
      return true;
  }
  Operation *end = writtenWith(user);
  for (Operation *between = op->getNextNode(); between && between != end;
       between = between->getNextNode())
    if (writesMemory(between))
      return false;
  return true;
}

//===----------------------------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------------------------===//

std::string FunctionWriter::nameFor(Operation *op) {
  if (auto hint = op->getAttrOfType<StringAttr>("ingot.name"))
    return uniqueName(cIdentifier(hint.getValue()));
  Type type = op->getResult(0).getType();
  if (isa<memref::LoadOp, vector::LoadOp>(op)) {
    std::string base = expression(op->getOperand(0));
    return uniqueName(base + (isa<VectorType>(type) ? "_v" : "_x"));
  }
  if (type.isIndex())
    return uniqueName("at");
  if (isa<arith::CmpIOp, arith::CmpFOp>(op))
    return uniqueName("is");
  if (isa<vector::BroadcastOp>(op))
    return uniqueName("all");
  return uniqueName(isa<VectorType>(type) ? "v" : "x");
}

void FunctionWriter::write(Block &block) {
  for (Operation &op : block.without_terminator())
    write(&op);
}

static bool isMask(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getElementType().isInteger(1);
}

/// The type of a mask: integers as wide as what was compared.
static Type maskType(Value mask) {
  auto type = cast<VectorType>(mask.getType());
  Operation *op = mask.getDefiningOp();
  while (op && !isa<arith::CmpFOp, arith::CmpIOp>(op)) {
    Value inner;
    for (Value operand : op->getOperands())
      if (isMask(operand.getType()) && operand.getDefiningOp() &&
          !isa<arith::ConstantOp>(operand.getDefiningOp()))
        inner = operand;
    op = inner ? inner.getDefiningOp() : nullptr;
  }
  unsigned bits = 32;
  if (op)
    bits = getElementTypeOrSelf(op->getOperand(0)).getIntOrFloatBitWidth();
  return VectorType::get(type.getShape(), IntegerType::get(mask.getContext(), bits));
}

void FunctionWriter::write(Operation *op) {
  if (isInlined(op) || !isNeeded(op) || (special && special(op)))
    return;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return writeFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return writeIf(branch);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return writeWhile(loop);
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    std::string value = expression(store.getValueToStore());
    Type element = store.getMemRefType().getElementType();
    if (element.isInteger(8) && store.getValueToStore().getType().isInteger(8))
      value = expression(store.getValueToStore());
    return line(access(store.getMemRef(), store.getIndices()[0]) + " = " + value + ";");
  }
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return line("*(" + support.memoryVector(store.getVectorType()) + " *)&" +
                access(store.getBase(), store.getIndices()[0]) + " = " +
                expression(store.getValueToStore()) + ";");
  if (isa<memref::PrefetchOp>(op) || op->use_empty())
    return;
  Value result = op->getResult(0);
  std::string text = compute(op);
  if (auto place = accumulatorOf(op)) {
    std::string name = expression(cast<scf::ForOp>(op->getParentOp()).getRegionIterArg(*place));
    bound[result] = name;
    return line(name + " = " + text + ";");
  }
  std::string name = nameFor(op);
  Type type = isMask(result.getType()) ? maskType(result) : result.getType();
  line("const " +
       (isa<Float16Type, BFloat16Type>(type) ? support.storage(type) : support.type(type)) + " " +
       name + " = " + text + ";");
  bound[result] = name;
}

bool FunctionWriter::refersTo(Value value, Value what) {
  if (value == what)
    return true;
  Operation *op = value.getDefiningOp();
  return op && isInlined(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) { return refersTo(operand, what); });
}

void FunctionWriter::assign(ArrayRef<std::string> targets, ValueRange values) {
  // Each target is assigned in turn; what a later value needs of an earlier target is kept before.
  SmallVector<std::string> texts;
  for (Value value : values)
    texts.push_back(expression(value));
  for (size_t i = 0; i < targets.size(); ++i) {
    bool isNeededLater = false;
    for (size_t j = i + 1; j < targets.size(); ++j)
      for (auto &[held, name] : bound)
        if (name == targets[i] && refersTo(values[j], held))
          isNeededLater = true;
    if (isNeededLater) {
      SmallVector<std::string> next;
      for (auto [value, text] : llvm::zip(values, texts)) {
        next.push_back(uniqueName("next"));
        line(support.declared(value.getType(), /*isConst=*/true) + next.back() + " = " + text +
             ";");
      }
      for (auto [target, name] : llvm::zip(targets, next))
        line(target + " = " + name + ";");
      return;
    }
  }
  for (auto [target, text] : llvm::zip(targets, texts))
    if (target != text)
      line(target + " = " + text + ";");
}

void FunctionWriter::writeFor(scf::ForOp op) {
  SmallVector<std::string> carried;
  for (auto [argument, initial] : llvm::zip(op.getRegionIterArgs(), op.getInitArgs())) {
    std::string name = uniqueName("acc");
    line(support.type(argument.getType()) + " " + name + " = " + expression(initial) + ";");
    bound[argument] = name;
    carried.push_back(name);
  }
  std::string index = support.type(op.getInductionVar().getType());
  std::string base = depth < 6 ? std::string(1, "ijklmn"[depth - 1]) : "p";
  std::string i = uniqueName(base);
  bound[op.getInductionVar()] = i;
  std::string step = expression(op.getStep());
  line("for (" + index + " " + i + " = " + expression(op.getLowerBound()) + "; " + i + " < " +
       expression(op.getUpperBound()) + "; " + (step == "1" ? "++" + i : i + " += " + step) +
       ") {");
  ++depth;
  write(*op.getBody());
  assign(carried, op.getBody()->getTerminator()->getOperands());
  --depth;
  line("}");
  for (auto [result, name] : llvm::zip(op.getResults(), carried))
    bound[result] = name;
}

void FunctionWriter::writeIf(scf::IfOp op) {
  SmallVector<std::string> targets;
  for (Value result : op.getResults()) {
    std::string name = uniqueName("x");
    line(support.type(result.getType()) + " " + name + ";");
    targets.push_back(name);
  }
  line("if (" + expression(op.getCondition()) + ") {");
  ++depth;
  write(*op.thenBlock());
  assign(targets, op.thenBlock()->getTerminator()->getOperands());
  --depth;
  if (op.elseBlock() && (op.elseBlock()->getOperations().size() > 1 || !targets.empty())) {
    line("} else {");
    ++depth;
    write(*op.elseBlock());
    assign(targets, op.elseBlock()->getTerminator()->getOperands());
    --depth;
  }
  line("}");
  for (auto [result, name] : llvm::zip(op.getResults(), targets))
    bound[result] = name;
}

void FunctionWriter::writeWhile(scf::WhileOp op) {
  SmallVector<std::string> carried, results;
  for (auto [argument, initial] : llvm::zip(op.getBeforeArguments(), op.getInits())) {
    std::string name = uniqueName("state");
    line(support.type(argument.getType()) + " " + name + " = " + expression(initial) + ";");
    bound[argument] = name;
    carried.push_back(name);
  }
  for (Value result : op.getResults()) {
    std::string name = uniqueName("last");
    line(support.type(result.getType()) + " " + name + ";");
    results.push_back(name);
  }
  line("for (;;) {");
  ++depth;
  write(*op.getBeforeBody());
  auto condition = op.getConditionOp();
  assign(results, condition.getArgs());
  line("if (!(" + expression(condition.getCondition()) + ")) {");
  line("  break;");
  line("}");
  for (auto [argument, name] : llvm::zip(op.getAfterArguments(), results))
    bound[argument] = name;
  write(*op.getAfterBody());
  assign(carried, op.getYieldOp().getOperands());
  --depth;
  line("}");
  for (auto [result, name] : llvm::zip(op.getResults(), results))
    bound[result] = name;
}

//===----------------------------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------------------------===//

std::string FunctionWriter::constant(Attribute value, Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    auto dense = cast<DenseElementsAttr>(value);
    if (dense.isSplat())
      return support.function("splat", vector) + "(" +
             constant(dense.getSplatValue<Attribute>(), vector.getElementType()) + ")";
    std::string text = "(" + support.type(vector) + "){";
    for (auto [i, each] : llvm::enumerate(dense.getValues<Attribute>()))
      text += (i ? ", " : "") + constant(each, vector.getElementType());
    return text + "}";
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    support.usesMath |= !number.getValue().isFinite();
    return type.isF64() ? literal(number.getValueAsDouble())
                        : literal(static_cast<float>(number.getValueAsDouble()));
  }
  return literal(cast<IntegerAttr>(value).getValue());
}

std::string FunctionWriter::expression(Value value) {
  auto it = bound.find(value);
  if (it != bound.end())
    return it->second;
  return compute(value.getDefiningOp());
}

std::string FunctionWriter::operand(Value value) {
  std::string text = expression(value);
  int level = 0;
  bool isOne = true;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    level += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    if (level == 0 && (c == ' ' || c == '?' || (i == 0 && (c == '-' || c == '*' || c == '!'))))
      isOne = false;
  }
  // A cast binds like an operand, but reads better apart.
  if (text[0] == '(' && text.back() != ')')
    isOne = false;
  return isOne ? text : "(" + text + ")";
}

std::string FunctionWriter::access(Value memref, Value index) {
  return operand(memref) + "[" + expression(index) + "]";
}

std::string FunctionWriter::compute(Operation *op) {
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    return constant(constantOp.getValue(), constantOp.getType());
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return access(load.getMemRef(), load.getIndices()[0]);
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return "*(const " +
           support.memoryVector(load.getVectorType(), load->hasAttr("ingot.register")) + " *)&" +
           access(load.getBase(), load.getIndices()[0]);
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return support.function("splat", broadcast.getType()) + "(" +
           expression(broadcast.getSource()) + ")";
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return operand(extract.getVector()) + "[" + std::to_string(extract.getStaticPosition()[0]) +
           "]";
  if (isa<vector::StepOp>(op))
    return support.function("step", op->getResult(0).getType()) + "()";
  if (auto reduction = dyn_cast<vector::ReductionOp>(op)) {
    auto kind = [&]() -> StringRef {
      switch (reduction.getKind()) {
      case vector::CombiningKind::ADD:
        return "add";
      case vector::CombiningKind::MUL:
        return "mul";
      case vector::CombiningKind::AND:
        return "and";
      case vector::CombiningKind::OR:
        return "or";
      case vector::CombiningKind::MAXIMUMF:
        return "maximum";
      case vector::CombiningKind::MINIMUMF:
        return "minimum";
      case vector::CombiningKind::MAXUI:
        return "umax";
      case vector::CombiningKind::MINUI:
        return "umin";
      case vector::CombiningKind::MINSI:
      case vector::CombiningKind::MINNUMF:
        return "min";
      default:
        return "max";
      }
    };
    return support.function(("reduce_" + kind()).str(), reduction.getSourceVectorType()) + "(" +
           expression(reduction.getVector()) + ")";
  }
  if (auto fma = dyn_cast<vector::FMAOp>(op))
    return operand(fma.getLhs()) + " * " + operand(fma.getRhs()) + " + " + operand(fma.getAcc());
  if (isa<math::MathDialect>(op->getDialect()))
    return computeMath(op);
  return computeArith(op);
}

std::string FunctionWriter::computeMath(Operation *op) {
  Type type = op->getResult(0).getType();
  if (auto fma = dyn_cast<math::FmaOp>(op))
    return operand(fma.getA()) + " * " + operand(fma.getB()) + " + " + operand(fma.getC());
  StringRef name = op->getName().stripDialect();
  bool isVector = isa<VectorType>(type);
  if (name == "absi" || (name == "absf" && isVector))
    return support.function("abs", type) + "(" + expression(op->getOperand(0)) + ")";
  // The names of the C library.
  if (name == "absf")
    name = "fabs";
  else if (name == "roundeven")
    name = "rint";
  else if (name == "powf")
    name = "pow";
  std::string function =
      isVector ? support.function(name, type) : name.str() + (type.isF32() ? "f" : "");
  support.usesMath = true;
  std::string text = function + "(";
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    text += (i ? ", " : "") + expression(operand);
  return text + ")";
}

static StringRef comparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return " == ";
  case arith::CmpIPredicate::ne:
    return " != ";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return " < ";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return " <= ";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return " > ";
  default:
    return " >= ";
  }
}

std::string FunctionWriter::computeArith(Operation *op) {
  Value result = op->getResult(0);
  Type type = result.getType();
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  auto x = [&] { return operand(op->getOperand(0)); };
  auto y = [&] { return operand(op->getOperand(1)); };
  auto infix = [&](StringRef symbol) { return x() + " " + symbol.str() + " " + y(); };
  auto call = [&](StringRef name) {
    return support.function(name, type) + "(" + expression(op->getOperand(0)) + ", " +
           expression(op->getOperand(1)) + ")";
  };
  unsigned bits = element.isIndex()        ? support.indexBits
                  : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                           : 0;
  std::string unsignedType = "uint" + std::to_string(bits) + "_t";
  auto narrow = [&](std::string text) {
    return !vector && bits < 32 && !element.isInteger(1)
               ? "(" + support.type(type) + ")(" + text + ")"
               : text;
  };
  auto asUnsigned = [&](StringRef symbol) {
    if (vector) {
      std::string u = support.unsignedVector(vector);
      return "(" + support.type(type) + ")((" + u + ")" + x() + " " + symbol.str() + " (" + u +
             ")" + y() + ")";
    }
    return "(" + support.type(type) + ")((" + unsignedType + ")" + x() + " " + symbol.str() + " (" +
           unsignedType + ")" + y() + ")";
  };
  // Numbers of the model wrap around, which signed integers of C do not, nor vectors of them;
  // positions stay in range.
  auto wrapping = [&](StringRef symbol) {
    return element.isIndex() || element.isInteger(1) ? infix(symbol) : asUnsigned(symbol);
  };
  if (isa<arith::AddFOp>(op))
    return infix("+");
  if (isa<arith::SubFOp>(op))
    return infix("-");
  if (isa<arith::MulFOp>(op))
    return infix("*");
  if (isa<arith::DivFOp>(op))
    return infix("/");
  if (isa<arith::NegFOp>(op))
    return "-" + x();
  if (isa<arith::RemFOp>(op)) {
    support.usesMath = true;
    return std::string(element.isF32() ? "fmodf(" : "fmod(") + expression(op->getOperand(0)) +
           ", " + expression(op->getOperand(1)) + ")";
  }
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op)) {
    StringRef name = isa<arith::MaximumFOp>(op) ? "max" : "min";
    // A constant that is a number gives way to what is none when it comes first.
    Attribute value;
    if (matchPattern(op->getOperand(1), m_Constant(&value)))
      return support.function(name, type) + "(" + expression(op->getOperand(1)) + ", " +
             expression(op->getOperand(0)) + ")";
    return call(name == "max" ? "maximum" : "minimum");
  }
  if (isa<arith::MaxNumFOp>(op))
    return call("max");
  if (isa<arith::MinNumFOp>(op))
    return call("min");
  if (isa<arith::AddIOp>(op))
    return wrapping("+");
  if (isa<arith::SubIOp>(op))
    return wrapping("-");
  if (isa<arith::MulIOp>(op))
    return wrapping("*");
  if (isa<arith::DivSIOp>(op))
    return narrow(infix("/"));
  if (isa<arith::RemSIOp>(op))
    return narrow(infix("%"));
  if (isa<arith::DivUIOp>(op))
    return element.isIndex() ? infix("/") : asUnsigned("/");
  if (isa<arith::RemUIOp>(op))
    return element.isIndex() ? infix("%") : asUnsigned("%");
  if (isa<arith::MaxSIOp>(op))
    return call("max");
  if (isa<arith::MinSIOp>(op))
    return call("min");
  if (isa<arith::MaxUIOp>(op))
    return call("umax");
  if (isa<arith::MinUIOp>(op))
    return call("umin");
  if (isa<arith::AndIOp>(op))
    return element.isInteger(1) && !vector ? infix("&&") : narrow(infix("&"));
  if (isa<arith::OrIOp>(op))
    return element.isInteger(1) && !vector ? infix("||") : narrow(infix("|"));
  if (isa<arith::XOrIOp>(op)) {
    if (element.isInteger(1) && !vector)
      return infix("!=");
    if (isMask(type))
      if (auto constantOp = op->getOperand(1).getDefiningOp<arith::ConstantOp>())
        return "~" + x();
    return narrow(infix("^"));
  }
  if (isa<arith::ShLIOp>(op))
    return wrapping("<<");
  if (isa<arith::ShRSIOp>(op))
    return narrow(infix(">>"));
  if (isa<arith::ShRUIOp>(op))
    return asUnsigned(">>");
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    auto predicate = compare.getPredicate();
    bool isUnsigned = predicate >= arith::CmpIPredicate::ult;
    Type operandType = compare.getLhs().getType();
    if (auto compared = dyn_cast<VectorType>(operandType); compared && isUnsigned) {
      std::string u = "(" + support.unsignedVector(compared) + ")";
      return u + x() + comparison(predicate).str() + u + y();
    }
    if (!isUnsigned || operandType.isIndex() || isa<VectorType>(operandType))
      return x() + comparison(predicate).str() + y();
    std::string u = "(uint" + std::to_string(operandType.getIntOrFloatBitWidth()) + "_t)";
    return u + x() + comparison(predicate).str() + u + y();
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    bool isVector = isa<VectorType>(compare.getLhs().getType());
    std::string both = isVector ? " | " : " || ";
    switch (compare.getPredicate()) {
    case arith::CmpFPredicate::OEQ:
      return infix("==");
    case arith::CmpFPredicate::OGT:
      return infix(">");
    case arith::CmpFPredicate::OGE:
      return infix(">=");
    case arith::CmpFPredicate::OLT:
      return infix("<");
    case arith::CmpFPredicate::OLE:
      return infix("<=");
    case arith::CmpFPredicate::UNE:
      return infix("!=");
    case arith::CmpFPredicate::ONE:
      return "(" + infix("<") + ")" + both + "(" + infix(">") + ")";
    case arith::CmpFPredicate::ORD:
      return "(" + x() + " == " + x() + ")" + (isVector ? " & " : " && ") + "(" + y() +
             " == " + y() + ")";
    case arith::CmpFPredicate::UNO:
      return "(" + x() + " != " + x() + ")" + both + "(" + y() + " != " + y() + ")";
    case arith::CmpFPredicate::UEQ:
      return (isVector ? "~(" : "!(") + ("(" + infix("<") + ")" + both + "(" + infix(">") + ")") +
             ")";
    case arith::CmpFPredicate::UGT:
      return (isVector ? "~(" : "!(") + infix("<=") + ")";
    case arith::CmpFPredicate::UGE:
      return (isVector ? "~(" : "!(") + infix("<") + ")";
    case arith::CmpFPredicate::ULT:
      return (isVector ? "~(" : "!(") + infix(">=") + ")";
    case arith::CmpFPredicate::ULE:
      return (isVector ? "~(" : "!(") + infix(">") + ")";
    case arith::CmpFPredicate::AlwaysTrue:
      return "1";
    case arith::CmpFPredicate::AlwaysFalse:
      return "0";
    }
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (isMask(select.getCondition().getType()))
      return support.function("select", type) + "(" + expression(select.getCondition()) + ", " +
             expression(select.getTrueValue()) + ", " + expression(select.getFalseValue()) + ")";
    // Vectors of memory are of a type of their own, and the two operands must be of one.
    std::string cast = vector ? "(" + support.type(type) + ")" : "";
    return operand(select.getCondition()) + " ? " + cast + operand(select.getTrueValue()) + " : " +
           cast + operand(select.getFalseValue());
  }
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  if (isa<arith::BitcastOp>(op)) {
    if (vector)
      return "(" + support.type(type) + ")" + x();
    return support.conversion(from, element) + "(" + expression(op->getOperand(0)) + ")";
  }
  if (isa<arith::ExtFOp>(op) && (from.isF16() || from.isBF16())) {
    std::string single = support.conversion(from, Float32Type::get(op->getContext())) + "(" +
                         expression(op->getOperand(0)) + ")";
    return element.isF64() ? "(double)" + single : single;
  }
  if (isa<arith::TruncFOp>(op) && (element.isF16() || element.isBF16()))
    return support.conversion(Float32Type::get(op->getContext()), element) + "((float)" + x() + ")";
  if (vector) {
    std::string source = expression(op->getOperand(0));
    auto fromVector = cast<VectorType>(op->getOperand(0).getType());
    if (isa<arith::ExtUIOp, arith::UIToFPOp>(op))
      source = "(" + support.unsignedVector(fromVector) + ")" + operand(op->getOperand(0));
    if (isa<arith::FPToUIOp>(op))
      return "(" + support.type(type) + ")__builtin_convertvector(" + source + ", " +
             support.unsignedVector(vector) + ")";
    return "__builtin_convertvector(" + source + ", " + support.type(type) + ")";
  }
  if (isa<arith::ExtUIOp, arith::UIToFPOp, arith::IndexCastUIOp>(op) && !from.isInteger(1) &&
      !from.isIndex())
    return "(" + support.type(type) + ")(uint" + std::to_string(from.getIntOrFloatBitWidth()) +
           "_t)" + x();
  if (isa<arith::ExtSIOp, arith::SIToFPOp>(op) && from.isInteger(1))
    return "(" + support.type(type) + ")-" + x();
  if (isa<arith::FPToUIOp>(op))
    return "(" + support.type(type) + ")(" + unsignedType + ")" + x();
  if (isa<arith::TruncIOp>(op) && element.isInteger(1))
    return "(" + x() + " & 1) != 0";
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
          arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op))
    return "(" + support.type(type) + ")" + x();
  op->emitError("the C generator has no form for this operation");
  return "0";
}

} // namespace ingot::c
