//===- HeapWriter.cpp - Functions of programs with data in C ----------------------------------===//

#include "CodeGen/C/Program/HeapWriter.h"
#include "CodeGen/Interface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace ingot::c {

HeapWriter::HeapWriter(ModuleOp module, Support &support, const Steps &steps, Constants &constants)
    : module(module), support(support), steps(steps), constants(constants), writer(support, body) {}

std::string HeapWriter::type(Type type) { return support.declared(type, /*isConst=*/false); }

std::string HeapWriter::signature(func::FuncOp function, ArrayRef<std::string> names) {
  std::string text = "static int32_t " + functionName(support.prefix, function.getName()) +
                     "(const ingot_run *run";
  for (auto [i, argument] : llvm::enumerate(function.getArgumentTypes())) {
    if (auto memref = dyn_cast<MemRefType>(argument))
      text += std::string(", ") + (function.getArgAttr(i, "ingot.write") ? "" : "const ") +
              support.storage(memref.getElementType()) + " *" + names[i];
    else
      text += ", " + type(argument) + names[i];
  }
  for (auto [i, result] : llvm::enumerate(function.getResultTypes()))
    text += ", " + type(result) + "*result" + (i ? std::to_string(i) : "");
  return text + ")";
}

std::string HeapWriter::prototype(func::FuncOp function) {
  SmallVector<std::string> names(function.getNumArguments());
  for (auto [i, name] : llvm::enumerate(names))
    name = "a" + std::to_string(i);
  return signature(function, names) + ";\n";
}

std::string HeapWriter::define(func::FuncOp function) {
  for (const char *reserved : {"run", "status"})
    writer.uniqueName(reserved);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    writer.uniqueName("result" + (i ? std::to_string(i) : ""));
  for (BlockArgument argument : function.getArguments()) {
    auto hint = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "ingot.name");
    params.push_back(writer.uniqueName(hint ? cIdentifier(hint.getValue()) : "a"));
    writer.bind(argument, params.back());
  }
  writer.special = [&](Operation *op) { return write(op); };
  bool loops = function.walk([](heap::JumpOp) { return WalkResult::interrupt(); }).wasInterrupted();
  std::string head;
  for (auto [argument, name] : llvm::zip(function.getArguments(), params))
    if (argument.use_empty())
      head += "  (void)" + name + ";\n";
  if (loops) {
    writer.line("for (;;) {");
    ++writer.depth;
  }
  Block &block = function.getBody().front();
  writer.write(block);
  write(block.getTerminator());
  if (loops) {
    --writer.depth;
    writer.line("}");
  }
  if (!StringRef(body).contains("run"))
    head += "  (void)run;\n";
  return signature(function, params) + "\n{\n" + head + body + "}\n\n";
}

void HeapWriter::declare(Value value, StringRef base, const std::string &text) {
  std::string name = writer.uniqueName(base);
  writer.line(support.declared(value.getType(), /*isConst=*/true) + name + " = " + text + ";");
  writer.bind(value, name);
}

void HeapWriter::writeFailure(StringRef status, ValueRange cleanup) {
  for (Value block : cleanup)
    writer.line("ingot_release(run->heap, " + writer.expression(block) + ");");
  writer.line("return " + status.str() + ";");
}

/// The lvalue of a scalar in a block; booleans are bytes.
std::string HeapWriter::place(Value block, uint64_t pointers, uint64_t offset, Type type) {
  std::string stored = type.isInteger(1) ? "uint8_t" : support.storage(type);
  return "*(" + stored + " *)(void *)(INGOT_SCALARS(" + writer.expression(block) + ", " +
         std::to_string(pointers) + "u) + " + std::to_string(offset) + "u)";
}

void HeapWriter::writeRegion(Block &block, ArrayRef<std::string> targets) {
  ++writer.depth;
  writer.write(block);
  if (auto yield = dyn_cast<heap::YieldOp>(block.getTerminator()))
    writer.assign(targets, yield.getValues());
  else
    write(block.getTerminator());
  --writer.depth;
}

void HeapWriter::writeSwitch(heap::SwitchOp op) {
  SmallVector<std::string> targets;
  for (Value result : op.getResults()) {
    targets.push_back(writer.uniqueName("x"));
    writer.line(type(result.getType()) + targets.back() + ";");
    writer.bind(result, targets.back());
  }
  ArrayRef<int64_t> cases = op.getCases();
  auto regions = op.getRegions();
  std::string value = writer.operand(op.getValue());
  if (regions.size() == 1) {
    writer.line("{");
    writeRegion(regions[0].front(), targets);
    writer.line("}");
    return;
  }
  if (regions.size() == 2) {
    bool isBool = op.getValue().getType().isInteger(1);
    writer.line(
        "if (" +
        (isBool ? writer.expression(op.getValue()) : value + " == " + std::to_string(cases[0])) +
        ") {");
    writeRegion(regions[0].front(), targets);
    if (regions[1].front().getOperations().size() > 1 || !targets.empty() ||
        !isa<heap::YieldOp>(regions[1].front().front())) {
      writer.line("} else {");
      writeRegion(regions[1].front(), targets);
    }
    writer.line("}");
    return;
  }
  writer.line("switch (" + writer.expression(op.getValue()) + ") {");
  for (auto [i, region] : llvm::enumerate(regions)) {
    writer.line(i < cases.size() ? "case " + std::to_string(cases[i]) + ": {" : "default: {");
    writeRegion(region.front(), targets);
    if (isa<heap::YieldOp>(region.front().getTerminator()))
      writer.line("  break;");
    writer.line("}");
  }
  writer.line("}");
}

void HeapWriter::writeCall(heap::CallOp op) {
  std::string text = functionName(support.prefix, op.getCallee()) + "(run";
  for (Value arg : op.getArgs())
    text += ", " + writer.expression(arg);
  for (Value result : op.getResults()) {
    std::string name = writer.uniqueName("r");
    std::string declared = type(result.getType());
    // Set before it is read, which compilers do not always see.
    writer.line(declared + name + (StringRef(declared).ends_with("*") ? " = NULL;" : " = 0;"));
    writer.bind(result, name);
    text += ", &" + name;
  }
  std::string status = writer.uniqueName("status");
  writer.line("const int32_t " + status + " = " + text + ");");
  writer.line("if (" + status + " != 0) {");
  ++writer.depth;
  writeFailure(status, op.getCleanup());
  --writer.depth;
  writer.line("}");
}

bool HeapWriter::write(Operation *op) {
  auto text = [&](Value v) { return writer.expression(v); };
  if (auto call = dyn_cast<func::CallOp>(op)) {
    std::string arguments;
    for (Value operand : call.getOperands())
      arguments += (arguments.empty() ? "" : ", ") + text(operand);
    writer.line(steps.functionName(call.getCallee()) + "(" + arguments + ");");
    return true;
  }
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    writer.bind(global.getResult(), constants.address(global.getName()));
    return true;
  }
  if (!isa<heap::HeapDialect>(op->getDialect()))
    return false;
  if (auto allocate = dyn_cast<heap::AllocateOp>(op)) {
    std::string bytes = allocate.getTensor()
                            ? "INGOT_TENSOR_AT + " + std::to_string(allocate.getBytes()) + "u"
                            : "INGOT_SCALARS_AT(" + std::to_string(allocate.getPointers()) +
                                  "u) + " + std::to_string(allocate.getBytes()) + "u";
    std::string tail = bytes + ", " + std::to_string(allocate.getTag()) + "u, " +
                       std::to_string(allocate.getPointers()) + "u)";
    declare(allocate.getResult(), "block",
            allocate.getReuse()
                ? "ingot_reuse(run->heap, " + text(allocate.getReuse()) + ", " + tail
                : "ingot_allocate(run->heap, " + tail);
    writer.line("if (" + text(allocate.getResult()) + " == NULL) {");
    ++writer.depth;
    writeFailure("INGOT_OUT_OF_MEMORY", allocate.getCleanup());
    --writer.depth;
    writer.line("}");
  } else if (auto immediate = dyn_cast<heap::ImmediateOp>(op)) {
    writer.bind(immediate.getResult(),
                "INGOT_IMMEDIATE(" + std::to_string(immediate.getTag()) + "u)");
  } else if (auto null = dyn_cast<heap::NullOp>(op)) {
    writer.bind(null.getResult(), "NULL");
  } else if (auto tag = dyn_cast<heap::TagOp>(op)) {
    std::string name = writer.uniqueName("tag");
    std::string block = writer.operand(tag.getBlock());
    writer.line(
        "const uint32_t " + name + " = " +
        (tag.getImmediates() ? "ingot_tag(" + text(tag.getBlock()) + ")" : block + "->tag") + ";");
    writer.bind(tag.getResult(), name);
  } else if (auto load = dyn_cast<heap::LoadBlockOp>(op)) {
    declare(load.getResult(), "part",
            "INGOT_POINTERS(" + text(load.getBlock()) + ")[" + std::to_string(load.getIndex()) +
                "]");
  } else if (auto store = dyn_cast<heap::StoreBlockOp>(op)) {
    writer.line("INGOT_POINTERS(" + text(store.getBlock()) + ")[" +
                std::to_string(store.getIndex()) + "] = " + text(store.getValue()) + ";");
  } else if (auto load = dyn_cast<heap::LoadOp>(op)) {
    Type type = load.getType();
    std::string value = place(load.getBlock(), load.getPointers(), load.getOffset(), type);
    if (isa<Float16Type, BFloat16Type>(type)) {
      std::string name = writer.uniqueName("field");
      writer.line("const " + support.storage(type) + " " + name + " = " + value + ";");
      writer.bind(load.getResult(), name);
    } else {
      declare(load.getResult(), "field", value);
    }
  } else if (auto store = dyn_cast<heap::StoreOp>(op)) {
    Type type = store.getValue().getType();
    std::string value = text(store.getValue());
    if (type.isInteger(1))
      value = "(uint8_t)(" + value + ")";
    writer.line(place(store.getBlock(), store.getPointers(), store.getOffset(), type) + " = " +
                value + ";");
  } else if (auto data = dyn_cast<heap::DataOp>(op)) {
    std::string element = support.storage(data.getType().getElementType());
    std::string name = writer.uniqueName("data");
    writer.line(element + " *const " + name + " = (" + element + " *)(void *)((unsigned char *)" +
                writer.operand(data.getBlock()) + " + INGOT_TENSOR_AT);");
    writer.bind(data.getResult(), name);
  } else if (auto scratch = dyn_cast<heap::ScratchOp>(op)) {
    auto hint = op->getAttrOfType<StringAttr>("ingot.name");
    std::string name = writer.uniqueName(hint ? cIdentifier(hint.getValue()) : "slot");
    writer.line(support.storage(scratch.getType().getElementType()) + " " + name + "[" +
                std::to_string(scratch.getType().getNumElements()) + "];");
    writer.bind(scratch.getResult(), name);
  } else if (auto retain = dyn_cast<heap::RetainOp>(op)) {
    writer.line("ingot_retain(" + text(retain.getBlock()) + ");");
  } else if (auto release = dyn_cast<heap::ReleaseOp>(op)) {
    writer.line("ingot_release(run->heap, " + text(release.getBlock()) + ");");
  } else if (auto unique = dyn_cast<heap::IsUniqueOp>(op)) {
    declare(unique.getResult(), "is_unique", "ingot_is_unique(" + text(unique.getBlock()) + ")");
  } else if (auto decrement = dyn_cast<heap::DecrementOp>(op)) {
    writer.line("ingot_decrement(" + text(decrement.getBlock()) + ");");
  } else if (auto empty = dyn_cast<heap::EmptyOp>(op)) {
    writer.line(writer.operand(empty.getBlock()) + "->pointers = 0u;");
  } else if (auto guard = dyn_cast<heap::GuardOp>(op)) {
    writer.line("if (ingot_is_stack_used_up(run)) {");
    ++writer.depth;
    writeFailure("INGOT_STACK_EXHAUSTED", guard.getCleanup());
    --writer.depth;
    writer.line("}");
  } else if (auto call = dyn_cast<heap::CallOp>(op)) {
    writeCall(call);
  } else if (auto branch = dyn_cast<heap::SwitchOp>(op)) {
    writeSwitch(branch);
  } else if (auto returned = dyn_cast<heap::ReturnOp>(op)) {
    for (auto [i, value] : llvm::enumerate(returned.getValues()))
      writer.line("*result" + (i ? std::to_string(i) : "") + " = " + text(value) + ";");
    writer.line("return 0;");
  } else if (auto jump = dyn_cast<heap::JumpOp>(op)) {
    writer.assign(params, jump.getValues());
    writer.line("continue;");
  } else if (auto fail = dyn_cast<heap::FailOp>(op)) {
    writeFailure("INGOT_NO_MATCH", fail.getCleanup());
  } else if (!isa<heap::EndOp>(op)) {
    op->emitError("the C generator has no form for this operation");
  }
  return true;
}

} // namespace ingot::c
