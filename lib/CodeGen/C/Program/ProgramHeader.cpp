//===- ProgramHeader.cpp - The header of a program with data ----------------------------------===//
//
// Values of data types are opaque to the caller; constructors and accessors are inline functions
// over the layout of blocks, so that they are the same for every back end.
//
//===----------------------------------------------------------------------------------------===//

#include "CodeGen/C/Dimensions.h"
#include "CodeGen/C/Program/Program.h"
#include "CodeGen/C/Program/ProgramNames.h"
#include "CodeGen/C/Steps.h"
#include "Heap/Layout.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ingot::c {

namespace {

class HeaderWriter {
public:
  HeaderWriter(const ProgramInterface &program, const COptions &options, StringRef calls)
      : program(program), options(options), calls(calls), names(program), name(program.model.name),
        macro(StringRef(name).upper()), os(text) {}

  std::string run();

private:
  void banner();
  void declareTypes();
  void tensorFunctions(RankedTensorType type);
  void dataFunctions(DataTypeOp type);
  void countFunctions(const std::string &typeName);
  void entry();
  std::string typeName(Type type) const { return name + "_" + names.of(type); }
  /// With the space before a name: "float ", "demo_List_int32 *".
  std::string valueType(Type type) const {
    return isCounted(type) ? typeName(type) + " *"
                           : elementType(cast<RankedTensorType>(type).getElementType()) + " ";
  }

  const ProgramInterface &program;
  const COptions &options;
  StringRef calls;
  ProgramNames names;
  std::string name, macro, text;
  llvm::raw_string_ostream os;
};

} // namespace

void HeaderWriter::banner() {
  os << "/*\n * " << name << ".h: program \"" << name << "\", compiled ahead of time by Ingot "
     << INGOT_VERSION << "\n *\n * source     " << commentSafe(program.model.source);
  if (!program.model.sha256.empty())
    os << ", sha256 " << program.model.sha256.substr(0, 16) << " (first 8 bytes)";
  os << "\n";
  if (!options.command.empty())
    os << " * command    " << commentSafe(options.command) << "\n";
  auto ports = [&](StringRef label, const std::vector<ProgramPort> &list) {
    for (const ProgramPort &port : list) {
      os << " * " << label << port.member << "  ";
      if (auto tensor = dyn_cast<RankedTensorType>(port.type))
        os << shapeText(tensor);
      else
        os << typeName(port.type);
      os << "\n";
    }
  };
  ports("in         ", program.inputs);
  ports("out        ", program.outputs);
  os << " * heap       blocks from the two hooks of an ingot_heap, all given back\n"
     << " * threads    values belong to one thread at a time; no static data is written\n"
     << " * calls      " << (calls.empty() ? StringRef("nothing") : calls)
     << "\n *\n * The compiler's licence does not extend to this file.\n */\n";
}

void HeaderWriter::declareTypes() {
  if (program.dataTypes.empty() && program.tensors.empty())
    return;
  os << "/* ---- Values "
        "-------------------------------------------------------------------------------\n"
     << " * A function that makes a value takes over those it is made of, also when it returns "
        "NULL "
        "for want of memory or\n"
     << " * because one of them is NULL; the result is the caller's, to be released. Accessors "
        "give "
        "what still belongs to\n"
     << " * the value: retain it to keep it longer.\n */\n\n";
  for (Type type : names.types())
    os << "typedef struct " << typeName(type) << " " << typeName(type) << ";\n";
  os << "\n";
  for (Type type : names.types())
    countFunctions(typeName(type));
  for (Type type : program.tensors)
    tensorFunctions(cast<RankedTensorType>(type));
  for (DataTypeOp type : program.dataTypes)
    dataFunctions(type);
}

void HeaderWriter::countFunctions(const std::string &each) {
  os << "static inline " << each << " *" << each << "_retain(" << each << " *value)\n{\n"
     << "  ingot_retain((ingot_block *)(void *)value);\n  return value;\n}\n"
     << "static inline void " << each << "_release(const ingot_heap *heap, " << each
     << " *value)\n{\n  ingot_release(heap, (ingot_block *)(void *)value);\n}\n\n";
}

void HeaderWriter::tensorFunctions(RankedTensorType type) {
  std::string each = typeName(type), element = elementType(type.getElementType());
  int64_t count = type.getNumElements();
  os << "/* " << shapeText(type) << " */\n#define " << StringRef(each).upper() << "_LENGTH "
     << count << "u\n"
     << "static inline " << element << " *" << each << "_data(const " << each << " *value)\n{\n"
     << "  return (" << element << " *)((uintptr_t)value + INGOT_TENSOR_AT);\n}\n"
     << "static inline " << each << " *" << each << "_new(const ingot_heap *heap, const " << element
     << " *elements)\n{\n  size_t i;\n  " << each << " *const value = (" << each
     << " *)(void *)ingot_allocate(heap, INGOT_TENSOR_AT + sizeof(" << element << ") * " << count
     << "u, 0u, 0u);\n"
     << "  for (i = 0u; value != NULL && i < " << count << "u; ++i) {\n    " << each
     << "_data(value)[i] = elements[i];\n  }\n  return value;\n}\n\n";
}

void HeaderWriter::dataFunctions(DataTypeOp type) {
  Type self = type.getValueType();
  std::string each = typeName(self), M = StringRef(each).upper();
  size_t count = type.getConstructors().size();
  if (count == 0)
    return;
  os << "/* " << each << ": which constructor made it */\nenum {\n";
  for (size_t tag = 0; tag < count; ++tag)
    os << "  " << M << "_" << StringRef(names.constructor(self, tag)).upper() << " = " << tag
       << (tag + 1 < count ? ",\n" : "\n");
  os << "};\nstatic inline int32_t " << each << "_tag(const " << each
     << " *value)\n{\n  return (int32_t)ingot_tag((const ingot_block *)(const void *)value);\n}\n";
  for (size_t tag = 0; tag < count; ++tag) {
    SmallVector<Type> fields = type.fieldsOf(tag);
    BlockLayout layout(fields);
    std::string made = each + "_" + names.constructor(self, tag);
    if (fields.empty()) {
      os << "static inline " << each << " *" << made << "(void)\n{\n  return (" << each
         << " *)(void *)INGOT_IMMEDIATE(" << tag << "u);\n}\n";
      continue;
    }
    auto place = [&](StringRef block, const BlockLayout::Field &at) {
      return "INGOT_POINTERS(" + block.str() + ")[" + std::to_string(at.position) + "]";
    };
    auto scalarPlace = [&](StringRef block, size_t i) {
      return "*(" + elementType(cast<RankedTensorType>(fields[i]).getElementType()) +
             " *)(void *)(INGOT_SCALARS(" + block.str() + ", " + std::to_string(layout.pointers) +
             "u) + " + std::to_string(layout.fields[i].position) + "u)";
    };
    os << "static inline " << each << " *" << made << "(const ingot_heap *heap";
    for (auto [i, field] : llvm::enumerate(fields))
      os << ", " << valueType(field) << "f" << i;
    os << ")\n{\n";
    std::string missing, releases, stores;
    for (auto [i, field] : llvm::enumerate(fields)) {
      std::string f = "f" + std::to_string(i);
      if (!isCounted(field)) {
        stores += "    " + scalarPlace("block", i) + " = " + f + ";\n";
        continue;
      }
      missing += (missing.empty() ? "" : " || ") + f + " == NULL";
      releases += "    " + typeName(field) + "_release(heap, " + f + ");\n";
      stores +=
          "    " + place("block", layout.fields[i]) + " = (ingot_block *)(void *)" + f + ";\n";
    }
    os << "  ingot_block *const block = ";
    if (!missing.empty())
      os << "(" << missing << ") ? NULL : ";
    os << "ingot_allocate(heap, INGOT_SCALARS_AT(" << layout.pointers << "u) + " << layout.bytes
       << "u, " << tag << "u, " << layout.pointers << "u);\n  if (block != NULL) {\n"
       << stores << "  }";
    if (!releases.empty())
      os << " else {\n" << releases << "  }";
    os << "\n  return (" << each << " *)(void *)block;\n}\n";
    for (auto [i, field] : llvm::enumerate(fields)) {
      os << "static inline " << valueType(field) << made << "_" << i << "(const " << each
         << " *value)\n{\n  ingot_block *const block = (ingot_block *)(uintptr_t)value;\n  return ";
      if (isCounted(field))
        os << "(" << valueType(field) << ")(void *)" << place("block", layout.fields[i]);
      else
        os << scalarPlace("block", i);
      os << ";\n}\n";
    }
  }
  os << "\n";
}

void HeaderWriter::entry() {
  os << "/* Results of " << name << "_run. Outputs are written only when it is " << macro
     << "_OK. */\nenum {\n  " << macro << "_OK = 0";
  for (const EntryCheck &check : program.checks)
    os << ",\n  " << macro << "_" << check.name << " = " << check.status << " /* "
       << commentSafe(check.meaning) << " */";
  os << ",\n  " << macro
     << "_OUT_OF_MEMORY = INGOT_OUT_OF_MEMORY /* heap->allocate gave NULL */,\n  " << macro
     << "_STACK_EXHAUSTED = INGOT_STACK_EXHAUSTED /* recursion deeper than "
     << "heap->stack_bytes allow */,\n  " << macro
     << "_NO_MATCH = INGOT_NO_MATCH /* no clause of a match? fits */\n};\n\n";
  os << "/* Read by " << name << "_run, never written, not kept. */\ntypedef struct {\n";
  for (const ProgramPort &port : program.inputs) {
    if (auto tensor = dyn_cast<RankedTensorType>(port.type))
      os << "  const " << elementType(tensor.getElementType()) << " *" << port.member << "; /* "
         << shapeText(tensor) << " */\n";
    else
      os << "  const " << valueType(port.type) << port.member << ";\n";
  }
  if (program.inputs.empty())
    os << "  char unused; /* the program has no inputs */\n";
  os << "} " << name
     << "_inputs;\n\n/* Tensors are written to memory of the caller's; values are "
        "the caller's to release. */\ntypedef struct {\n";
  for (const ProgramPort &port : program.outputs) {
    if (auto tensor = dyn_cast<RankedTensorType>(port.type))
      os << "  " << elementType(tensor.getElementType()) << " *" << port.member << "; /* "
         << shapeText(tensor) << " */\n";
    else
      os << "  " << valueType(port.type) << port.member << ";\n";
  }
  if (program.outputs.empty())
    os << "  char unused; /* the program has no outputs */\n";
  os << "} " << name
     << "_outputs;\n\n/* Runs the program once, with memory from `heap`. */\nint32_t " << name
     << "_run(const " << name << "_inputs *inputs, " << name
     << "_outputs *outputs, const ingot_heap *heap);\n\n";
}

std::string HeaderWriter::run() {
  banner();
  os << "#ifndef " << macro << "_H\n#define " << macro
     << "_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n#include \"ingot_heap.h\"\n\n#ifdef "
        "__cplusplus\nextern \"C\" {\n#endif\n\n#define "
     << macro << "_API_VERSION 1\n\n";
  declareTypes();
  entry();
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << macro << "_H */\n";
  return text;
}

std::string programHeader(const ProgramInterface &program, const COptions &options,
                          StringRef calls) {
  return HeaderWriter(program, options, calls).run();
}

} // namespace ingot::c
