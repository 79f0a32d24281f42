//===- PlanTest.cpp - Plans of whole entries, checked by other means --------------------------===//

#include "Memory/Plan.h"
#include "Dialect/Dialect.h"
#include "Dialect/ModelInterface.h"
#include "Memory/Check.h"
#include "Memory/Report.h"
#include "Verify/Verify.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace ingot;

namespace {

MLIRContext &context() {
  static MLIRContext instance;
  instance.loadDialect<IngotDialect, func::FuncDialect, arith::ArithDialect, memref::MemRefDialect,
                       scf::SCFDialect, vector::VectorDialect>();
  return instance;
}

OwningOpRef<ModuleOp> parse(const std::string &text) {
  return parseSourceString<ModuleOp>(text, &context());
}

/// A random program: straight code, branches and loops over buffers of `h * w * k + c` elements, or
/// of constant size without symbols.
class RandomProgram {
public:
  RandomProgram(unsigned seed, bool isSymbolic) : random(seed), isSymbolic(isSymbolic) {}

  std::string text() {
    std::string type = buffer(), symbols = isSymbolic ? "\"h\", \"w\"" : "";
    std::string dims = isSymbolic ? ", %h: index, %w: index" : "";
    block(0, 12 + random() % 12);
    return "module attributes {ingot.model = {name = \"m\", symbols = [" + symbols +
           "], inputs = [{name = \"x\", type = tensor<1xf32>}]}} {\n"
           "func.func private @step(%a: " +
           type + ", %b: " + type +
           " {ingot.write})"
           " attributes {ingot.step = 1 : i64} {\nreturn\n}\n"
           "func.func @main(%x: memref<1xf32>, %s: memref<?xi8> {ingot.write}" +
           dims +
           ") attributes {ingot.entry} {\n%c0 = arith.constant 0 : index\n"
           "%c1 = arith.constant 1 : index\n%true = arith.constant true\n" +
           body + "return\n}\n}\n";
  }

private:
  std::string buffer() const { return isSymbolic ? "memref<?xf32>" : "memref<96xf32>"; }
  unsigned pick(unsigned n) { return random() % n; }

  std::string allocate() {
    std::string id = std::to_string(next++), k = std::to_string(1 + pick(32)),
                c = std::to_string(pick(9));
    if (!isSymbolic) {
      body += "%b" + id + " = memref.alloc() : memref<96xf32>\n";
    } else {
      body += "%p" + id + " = arith.muli %h, %w : index\n%k" + id + " = arith.constant " + k +
              " : index\n%q" + id + " = arith.muli %p" + id + ", %k" + id + " : index\n%e" + id +
              " = arith.constant " + c + " : index\n%n" + id + " = arith.addi %q" + id + ", %e" +
              id + " : index\n%b" + id + " = memref.alloc(%n" + id +
              ") {ingot.size = #ingot.dims<\"h * w * " + k + " + " + c + "\">} : memref<?xf32>\n";
    }
    return "%b" + id;
  }

  void call(const std::string &from, const std::string &to) {
    body +=
        "func.call @step(" + from + ", " + to + ") : (" + buffer() + ", " + buffer() + ") -> ()\n";
  }

  void block(int depth, unsigned length) {
    size_t outer = visible.size();
    for (unsigned i = 0; i < length; ++i) {
      unsigned kind = pick(10);
      if (visible.size() < 2 || kind < 4) {
        visible.push_back(allocate());
        if (visible.size() > 1)
          call(visible[pick(visible.size() - 1)], visible.back());
      } else if (kind < 8 || depth == 3) {
        unsigned from = pick(visible.size()), to = pick(visible.size());
        if (from != to)
          call(visible[from], visible[to]);
      } else if (kind == 8) {
        body += "scf.if %true {\n";
        block(depth + 1, 1 + pick(6));
        body += "} else {\n";
        block(depth + 1, 1 + pick(6));
        body += "}\n";
      } else {
        body += "scf.for %i" + std::to_string(next++) + " = %c0 to %c1 step %c1 {\n";
        block(depth + 1, 1 + pick(6));
        body += "}\n";
      }
    }
    visible.resize(outer);
  }

  std::mt19937 random;
  bool isSymbolic;
  std::string body;
  unsigned next = 0;
  std::vector<std::string> visible;
};

TEST(Plan, RandomProgramsAreSound) {
  for (bool isSymbolic : {false, true})
    for (unsigned seed = 0; seed < 60; ++seed) {
      auto module = parse(RandomProgram(seed, isSymbolic).text());
      ASSERT_TRUE(module);
      ASSERT_TRUE(succeeded(planMemory(*module))) << seed;
      EXPECT_TRUE(succeeded(verifyLoops(*module, true))) << seed;
      EXPECT_TRUE(succeeded(checkMemory(*module, seed))) << seed;
      SmallVector<int64_t> dims;
      if (isSymbolic)
        dims = {37, 320};
      auto report = reportMemory(*module, dims);
      ASSERT_TRUE(succeeded(report));
      EXPECT_GE(report->workspace, report->lowerBound) << seed;
      EXPECT_LE(report->workspace, report->lowerBound * 1.05) << seed << " symbolic " << isSymbolic;
    }
}

/// Two buffers in a chain of three steps; the second view lies at `offset`.
std::string planned(const std::string &offset, const std::string &calls) {
  return "module attributes {ingot.model = {name = \"m\", workspace_size = 256 : i64,"
         " outputs = [{name = \"y\", type = tensor<16xf32>}]}} {\n"
         "func.func private @step(%a: memref<16xf32>, %b: memref<16xf32> {ingot.write})"
         " attributes {ingot.step = 1 : i64} {\nreturn\n}\n"
         "func.func private @both(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<16xf32> "
         "{ingot.write})"
         " attributes {ingot.step = 2 : i64} {\nreturn\n}\n"
         "func.func @main(%y: memref<16xf32> {ingot.write}, %s: memref<?xi8> {ingot.write})"
         " attributes {ingot.entry} {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : "
         "index\n"
         "%true = arith.constant true\n%at = arith.constant " +
         offset +
         " : index\n%a = memref.view %s[%c0][] {ingot.name = \"a\"} : memref<?xi8> to "
         "memref<16xf32>\n"
         "%b = memref.view %s[%at][] : memref<?xi8> to memref<16xf32>\n" +
         calls + "\nreturn\n}\n}\n";
}

std::string step(const std::string &from, const std::string &to) {
  return "func.call @step(%" + from + ", %" + to + ") : (memref<16xf32>, memref<16xf32>) -> ()\n";
}

/// The first error of the checker, empty if it finds none.
std::string problem(const std::string &text) {
  auto module = parse(text);
  EXPECT_TRUE(module) << text;
  std::string first;
  ScopedDiagnosticHandler handler(&context(), [&](Diagnostic &diagnostic) {
    if (first.empty())
      first = diagnostic.str();
    return success();
  });
  bool failed = mlir::failed(checkMemory(*module));
  EXPECT_EQ(failed, !first.empty());
  return first;
}

TEST(Check, FindsWhatIsWrong) {
  struct Row {
    std::string offset, calls, expected;
  };
  std::string chain = step("y", "a") + step("y", "b") + step("b", "y");
  const Row rows[] = {
      {"0", step("y", "a") + step("a", "y") + step("y", "b") + step("b", "y"), ""},
      {"0", chain, ""},
      {"0", step("y", "a") + step("y", "b") + step("a", "y"), "written over"},
      {"64", step("y", "a") + step("y", "b") + step("a", "y"), ""},
      {"32", chain, "is not aligned"},
      {"256", chain, "lies outside of the workspace"},
      {"-64", chain, "lies outside of the workspace"},
      {"0", step("a", "b"), "gets buffers that overlap"},
      // Written over on one path only.
      {"0", step("y", "a") + "scf.if %true {\n" + step("y", "b") + "}\n" + step("a", "y"),
       "written over"},
      {"0",
       "scf.if %true {\n" + step("y", "a") + step("a", "y") + "} else {\n" + step("y", "b") +
           step("b", "y") + "}\n",
       ""},
      // Written over in the round before.
      {"0",
       step("y", "a") + "scf.for %i = %c0 to %at step %c1 {\n" + step("a", "y") + step("y", "b") +
           step("b", "y") + "}\n",
       "written over"},
      // Stores of the entry itself count.
      {"0",
       step("y", "a") +
           "%v = arith.constant 1.0 : f32\nmemref.store %v, %b[%c0] : memref<16xf32>\n" +
           "%u = memref.load %a[%c0] : memref<16xf32>\n",
       "written over"},
  };
  for (const Row &row : rows) {
    std::string found = problem(planned(row.offset, row.calls));
    if (row.expected.empty())
      EXPECT_EQ(found, "") << row.calls;
    else
      EXPECT_TRUE(StringRef(found).contains(row.expected)) << row.calls << "says: " << found;
  }
}

TEST(Check, LoopsMayNotNestWithoutEnd) {
  auto nest = [](int depth) {
    std::string calls, ends;
    for (int i = 0; i < depth; ++i) {
      calls += "scf.for %i" + std::to_string(i) + " = %c0 to %at step %c1 {\n";
      ends += "}\n";
    }
    return planned("64", calls + step("y", "a") + step("a", "b") + ends);
  };
  EXPECT_EQ(problem(nest(10)), "");
  EXPECT_TRUE(StringRef(problem(nest(40))).contains("nested too deep"));
}

TEST(Report, StepsAndPeak) {
  auto module =
      parse(planned("64", step("y", "a") +
                              "func.call @both(%a, %a, %b) : (memref<16xf32>, memref<16xf32>,"
                              " memref<16xf32>) -> ()\n" +
                              step("b", "y")));
  auto report = reportMemory(*module, {});
  ASSERT_TRUE(succeeded(report));
  ASSERT_EQ(report->buffers.size(), 2u);
  EXPECT_EQ(report->buffers[0].name, "a");
  EXPECT_EQ(report->buffers[0].bytes, 64);
  EXPECT_EQ(report->buffers[0].first, 1);
  EXPECT_EQ(report->buffers[0].last, 2);
  EXPECT_EQ(report->buffers[1].offset, 64);
  EXPECT_EQ(report->workspace, 256);
  EXPECT_EQ(report->lowerBound, 128);
  EXPECT_EQ(report->peakStep, 2);
  EXPECT_EQ(report->atPeak, (std::vector<size_t>{0, 1}));
}

TEST(Plan, RefusesWhatItCannotPlan) {
  auto fails = [](const std::string &body) {
    auto module =
        parse("module attributes {ingot.model = {name = \"m\"}} {\n"
              "func.func @main(%s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {\n"
              "%c0 = arith.constant 0 : index\n%true = arith.constant true\n" +
              body + "return\n}\n}\n");
    EXPECT_TRUE(module);
    ScopedDiagnosticHandler quiet(&context(), [](Diagnostic &) { return success(); });
    return failed(planMemory(*module));
  };
  EXPECT_FALSE(
      fails("%a = memref.alloc() : memref<4xi8>\n%v = memref.load %a[%c0] : memref<4xi8>\n"));
  EXPECT_TRUE(fails("%a = memref.alloc() : memref<9223372036854775807xi64>\n"
                    "%v = memref.load %a[%c0] : memref<9223372036854775807xi64>\n"));
  EXPECT_TRUE(
      fails("%a = memref.alloc(%c0) : memref<?xi8>\n%v = memref.load %a[%c0] : memref<?xi8>\n"));
  EXPECT_TRUE(fails("%a = memref.alloc() : memref<4xi8>\n%b = memref.alloc() : memref<4xi8>\n"
                    "%c = arith.select %true, %a, %b : memref<4xi8>\n"
                    "%v = memref.load %c[%c0] : memref<4xi8>\n"));
}

} // namespace
