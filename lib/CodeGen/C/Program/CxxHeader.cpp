//===- CxxHeader.cpp - The C++20 header of a program with data --------------------------------===//
//
// Value types over the functions of the C header: a class for each data type, with a struct of
// fields for each constructor, and a run that throws. What does not depend on the program is in
// runtime/cpp. Names are qualified throughout: a constructor may be called as a type is.
//
//===----------------------------------------------------------------------------------------===//

#include "CodeGen/C/Dimensions.h"
#include "CodeGen/C/Program/Program.h"
#include "CodeGen/C/Program/ProgramNames.h"
#include "Heap/Layout.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ingot::c {

namespace {

class CxxWriter {
public:
  explicit CxxWriter(const ProgramInterface &program)
      : program(program), names(program), name(program.model.name), os(text) {}

  std::string run();

private:
  void declare(Type type);
  void classOf(DataTypeOp type);
  void constructorsOf(DataTypeOp type);
  void matchOf(DataTypeOp type);
  void entry();

  std::string raw(Type type) const { return "::" + name + "_" + names.of(type); }
  std::string cxx(Type type) const {
    return isCounted(type) ? "::" + name + "::" + names.of(type) : element(type);
  }
  static std::string element(Type type) {
    return elementType(cast<RankedTensorType>(type).getElementType());
  }
  /// What gives constructor `tag` its fields, from a value of `type`: "Cons{..., ...}".
  std::string unpacked(DataTypeOp type, size_t tag);

  const ProgramInterface &program;
  ProgramNames names;
  std::string name, text;
  llvm::raw_string_ostream os;
};

} // namespace

static std::string fieldName(size_t i) { return "f" + std::to_string(i); }

void CxxWriter::declare(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    os << "class " << names.of(type) << ";\n";
    return;
  }
  os << "using " << names.of(type) << " = ingot::tensor<" << raw(type) << ", " << element(type);
  for (int64_t extent : tensor.getShape())
    os << ", " << extent << "u";
  os << ">;\n";
}

void CxxWriter::classOf(DataTypeOp type) {
  Type self = type.getValueType();
  const std::string &each = names.of(self);
  size_t count = type.getConstructors().size();
  os << "\nclass " << each << " : public ingot::value<" << raw(self) << "> {\npublic:\n";
  std::string list;
  for (size_t tag = 0; tag < count; ++tag) {
    os << "  struct " << names.constructor(self, tag) << ";\n";
    list += (tag ? ", " : "") + names.constructor(self, tag);
  }
  os << "\n  using value::value;\n";
  if (count == 0) {
    os << "};\n";
    return;
  }
  os << "  using variant = std::variant<" << list << ">;\n\n";
  for (size_t tag = 0; tag < count; ++tag) {
    const std::string &made = names.constructor(self, tag);
    os << "  " << each << "(" << made << " fields);\n";
    if (!type.fieldsOf(tag).empty())
      os << "  " << each << "(" << made << " fields, const ingot_heap &heap);\n";
  }
  os << "\n  std::int32_t tag() const noexcept { return " << raw(self)
     << "_tag(get()); }\n"
        "  /// Calls the one of `visitors` that takes the fields of the constructor that made "
        "this.\n"
        "  template <class... Visitors> decltype(auto) match(Visitors &&...visitors) const;\n"
        "  variant fields() const;\n};\n";
}

std::string CxxWriter::unpacked(DataTypeOp type, size_t tag) {
  Type self = type.getValueType();
  const std::string &made = names.constructor(self, tag);
  std::string result = made + "{";
  for (auto [i, field] : llvm::enumerate(type.fieldsOf(tag))) {
    std::string access = raw(self) + "_" + made + "_" + std::to_string(i) + "(get())";
    if (isCounted(field))
      access = cxx(field) + "(" + raw(field) + "_retain(" + access + "), heap())";
    result += (i ? ", " : "") + access;
  }
  return result + "}";
}

void CxxWriter::constructorsOf(DataTypeOp type) {
  Type self = type.getValueType();
  std::string plain = names.of(self);
  for (size_t tag = 0; tag < type.getConstructors().size(); ++tag) {
    SmallVector<Type> fields = type.fieldsOf(tag);
    const std::string &made = names.constructor(self, tag);
    os << "inline " << plain << "::" << plain << "(" << made << (fields.empty() ? "" : " fields")
       << ")";
    if (fields.empty()) {
      os << "\n    : value(" << raw(self) << "_" << made << "(), ingot::malloc_heap()) {}\n";
      continue;
    }
    std::string counted, checks, arguments;
    for (auto [i, field] : llvm::enumerate(fields)) {
      std::string member = "fields." + fieldName(i);
      arguments += ", " + member + (isCounted(field) ? ".retained()" : "");
      if (!isCounted(field))
        continue;
      counted += (counted.empty() ? "" : ", ") + member;
      checks += "ingot::require_heap(" + member + ", heap), ";
    }
    os << " : " << plain << "(fields, ingot::common_heap(" << counted << ")) {}\n"
       << "inline " << plain << "::" << plain << "(" << made
       << " fields, const ingot_heap &heap)\n    : value((" << checks << raw(self) << "_" << made
       << "(&heap" << arguments << ")), heap) {}\n";
  }
}

void CxxWriter::matchOf(DataTypeOp type) {
  std::string plain = names.of(type.getValueType());
  size_t count = type.getConstructors().size();
  auto cases = [&](StringRef before, StringRef after) {
    os << "  switch (tag()) {\n";
    for (size_t tag = 0; tag < count; ++tag) {
      if (tag + 1 < count)
        os << "  case " << tag << ":\n";
      else
        os << "  default:\n";
      os << "    return " << before << unpacked(type, tag) << after << ";\n";
    }
    os << "  }\n}\n";
  };
  os << "template <class... Visitors> decltype(auto) " << plain
     << "::match(Visitors &&...visitors) const {\n"
        "  ingot::overloaded visit{std::forward<Visitors>(visitors)...};\n";
  cases("visit(", ")");
  os << "inline " << plain << "::variant " << plain << "::fields() const {\n";
  cases("", "");
}

void CxxWriter::entry() {
  os << "\n/// Read by run, not kept.\nstruct inputs {\n";
  auto isScalar = [](const ProgramPort &port) {
    auto tensor = dyn_cast<RankedTensorType>(port.type);
    return tensor && tensor.getRank() == 0;
  };
  auto elements = [](const ProgramPort &port) {
    return std::to_string(cast<RankedTensorType>(port.type).getNumElements()) + "u";
  };
  // Tensors are of the template `container`: its beginning, the element type, then the size.
  auto members = [&](ArrayRef<ProgramPort> ports, StringRef container, bool isSized) {
    for (const ProgramPort &port : ports) {
      if (!port.isTensor())
        os << "  " << cxx(port.type) << " " << port.member << ";\n";
      else if (isScalar(port))
        os << "  " << element(port.type) << " " << port.member << ";\n";
      else
        os << "  " << container << element(port.type) << (isSized ? ", " + elements(port) : "")
           << "> " << port.member << "; ///< " << shapeText(cast<RankedTensorType>(port.type))
           << "\n";
    }
  };
  members(program.inputs, "std::span<const ", /*isSized=*/true);
  os << "};\n\nstruct outputs {\n";
  members(program.outputs, "std::vector<", /*isSized=*/false);
  os << "};\n\n/// What a result of " << name
     << "_run other than 0 means.\ninline const char *message(std::int32_t status) noexcept {\n"
        "  switch (status) {\n";
  for (const EntryCheck &check : program.checks)
    os << "  case " << check.status << ":\n    return \"" << name << ": " << check.meaning
       << "\";\n";
  os << "  case INGOT_OUT_OF_MEMORY:\n    return \"" << name
     << ": the heap gave no memory\";\n  case INGOT_STACK_EXHAUSTED:\n    return \"" << name
     << ": recursion deeper than stack_bytes of the heap allow\";\n  case INGOT_NO_MATCH:\n"
        "    return \""
     << name << ": no clause of a match? fits\";\n  default:\n    return \"" << name
     << ": failed\";\n  }\n}\n\n"
     << "/// Runs the program once, with memory from `heap`, which has to outlive the results and "
        "be "
        "the heap of the values\n/// given. Throws ingot::error when it fails.\n"
     << "inline outputs run(" << (program.inputs.empty() ? "" : "const inputs &given, ")
     << "const ingot_heap &heap = ingot::malloc_heap()) {\n  ::" << name
     << "_inputs raw_inputs = {};\n";
  for (const ProgramPort &port : program.inputs) {
    if (!port.isTensor())
      os << "  ingot::require_heap(given." << port.member << ", heap);\n";
    os << "  raw_inputs." << port.member << " = "
       << (isScalar(port)    ? "&given." + port.member
           : port.isTensor() ? "given." + port.member + ".data()"
                             : "given." + port.member + ".get()")
       << ";\n";
  }
  os << "  ::" << name << "_outputs raw_outputs = {};\n";
  std::string results;
  for (auto [i, port] : llvm::enumerate(program.outputs)) {
    std::string local = "result_" + std::to_string(i);
    if (!port.isTensor()) {
      results += ", " + cxx(port.type) + "(raw_outputs." + port.member + ", heap)";
      continue;
    }
    if (isScalar(port))
      os << "  " << element(port.type) << " " << local << "{};\n  raw_outputs." << port.member
         << " = &" << local << ";\n";
    else
      os << "  std::vector<" << element(port.type) << "> " << local << "(" << elements(port)
         << ");\n  raw_outputs." << port.member << " = " << local << ".data();\n";
    results += ", " + (isScalar(port) ? local : "std::move(" + local + ")");
  }
  os << "  if (const std::int32_t status = ::" << name
     << "_run(&raw_inputs, &raw_outputs, &heap); status != 0)\n"
        "    throw ingot::error(status, message(status));\n  return outputs{"
     << StringRef(results).drop_front(std::min<size_t>(2, results.size())) << "};\n}\n";
}

std::string CxxWriter::run() {
  std::string macro = StringRef(name).upper() + "_HPP";
  os << "/*\n * " << name << ".hpp: " << name << ".h for C++20\n *\n"
     << " * The compiler's licence does not extend to this file.\n */\n#ifndef " << macro
     << "\n#define " << macro << "\n\n#include \"" << name
     << ".h\"\n#include \"ingot_value.hpp\"\n\nnamespace " << name << " {\n\n";
  for (Type type : names.types())
    declare(type);
  for (Type type : names.types())
    if (isa<RefType>(type))
      os << "\nclass " << names.of(type) << " : public ingot::value<" << raw(type)
         << "> {\npublic:\n  using value::value;\n};\n";
  for (DataTypeOp type : program.dataTypes)
    classOf(type);
  os << "\n";
  for (DataTypeOp type : program.dataTypes) {
    Type self = type.getValueType();
    for (size_t tag = 0; tag < type.getConstructors().size(); ++tag) {
      os << "struct " << names.of(self) << "::" << names.constructor(self, tag) << " {\n";
      for (auto [i, field] : llvm::enumerate(type.fieldsOf(tag)))
        os << "  " << cxx(field) << " " << fieldName(i) << ";\n";
      os << "};\n";
    }
  }
  os << "\n";
  for (DataTypeOp type : program.dataTypes) {
    constructorsOf(type);
    if (!type.getConstructors().empty())
      matchOf(type);
  }
  entry();
  os << "\n} // namespace " << name << "\n\n#endif\n";
  return text;
}

std::string programCxxHeader(const ProgramInterface &program) { return CxxWriter(program).run(); }

} // namespace ingot::c
