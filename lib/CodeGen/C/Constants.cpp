//===- Constants.cpp - Constant tables in C ---------------------------------------------------===//

#include "CodeGen/C/Constants.h"
#include "CodeGen/Weights.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace ingot::c {

/// Tables of more bytes than this are no reading matter.
static constexpr int64_t longestText = 2048;

/// Elements as literals, in lines of at most 100 columns.
static std::string elementList(StringRef bytes, Type element) {
  std::string text, line = "   ";
  size_t size = element.getIntOrFloatBitWidth() / 8;
  for (size_t at = 0; at < bytes.size(); at += size) {
    std::string item;
    auto read = [&](auto value) {
      std::memcpy(&value, bytes.data() + at, sizeof value);
      return value;
    };
    if (element.isF32())
      item = literal(read(float()));
    else if (element.isF64())
      item = literal(read(double()));
    else if (size == 1)
      item = std::to_string(read(int8_t()));
    else if (element.isF16() || element.isBF16())
      item = std::to_string(read(uint16_t()));
    else if (size == 2)
      item = std::to_string(read(int16_t()));
    else
      item = literal(APInt(unsigned(size * 8), size == 4 ? uint64_t(uint32_t(read(int32_t())))
                                                         : uint64_t(read(int64_t()))));
    item += at + size < bytes.size() ? "," : "";
    if (line.size() + 1 + item.size() > 100) {
      text += line + "\n";
      line = "   ";
    }
    line += " " + item;
  }
  return text + line + "\n";
}

void Constants::add(memref::GlobalOp global) {
  Type element = global.getType().getElementType();
  std::string name = support.prefix + "_" + cIdentifier(global.getSymName());
  std::string raw = rawBytes(global);
  std::string type = support.storage(element),
              count = std::to_string(global.getType().getNumElements());
  addresses[global.getSymName()] = name;
  if (static_cast<int64_t>(raw.size()) <= longestText) {
    bool hasSpecial = false;
    if (element.isF32())
      for (size_t at = 0; at < raw.size(); at += 4) {
        float value;
        std::memcpy(&value, raw.data() + at, 4);
        hasSpecial |= !std::isfinite(value);
      }
    support.usesMath |= hasSpecial || element.isF64();
    tables += "/* " + count + " elements */\n" + StringRef(support.prefix).upper() +
              "_CONSTANT static const " + type + " " + name + "[" + count + "] = {\n" +
              elementList(raw, element) + "};\n\n";
    return;
  }
  externs += "extern const " + type + " " + name + "[" + count + "];\n";
  bytes.resize(llvm::alignTo(bytes.size(), weightsAlign), '\0');
  size_t offset = bytes.size();
  bytes += raw;
  assembly += "  .balign 64\n  .hidden " + name + "\n  .globl " + name + "\n  .type " + name +
              ", %object\n  .size " + name + ", " + std::to_string(raw.size()) + "\n" + name +
              ":\n  .incbin \"" + support.prefix + "_weights.bin\", " + std::to_string(offset) +
              ", " + std::to_string(raw.size()) + "\n";
}

std::string Constants::text() const {
  std::string text;
  if (!externs.empty())
    text += "/* In " + support.prefix + "_weights.S, from " + support.prefix + "_weights.bin */\n" +
            externs + "\n";
  return text + tables;
}

void Constants::findInFile(ModuleOp module) {
  for (auto &[symbol, offset] : weightOffsets(module)) {
    auto global = module.lookupSymbol<memref::GlobalOp>(symbol);
    addresses[symbol] = "(const " + support.storage(global.getType().getElementType()) +
                        " *)(const void *)((const unsigned char *)inputs->weights + " +
                        std::to_string(offset) + ")";
  }
}

void Constants::addSideFiles(CFiles &files) const {
  if (assembly.empty())
    return;
  files.sideFiles.push_back({support.prefix + "_weights.S",
                             "/* Constant tables of " + support.prefix +
                                 ".c. Assemble with -I and the folder of " + support.prefix +
                                 "_weights.bin. */\n  .section .rodata\n" + assembly +
                                 "  .section .note.GNU-stack,\"\",%progbits\n"});
  files.sideFiles.push_back({support.prefix + "_weights.bin", bytes});
}

} // namespace ingot::c
