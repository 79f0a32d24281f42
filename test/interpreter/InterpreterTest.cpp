//===- InterpreterTest.cpp - Known answers of each operation ----------------------------------===//

#include "Interpreter.h"
#include "Dialect/Dialect.h"
#include "Kernels.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace ingot::interpreter;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

MLIRContext &context() {
  static MLIRContext instance;
  instance
      .loadDialect<ingot::IngotDialect, func::FuncDialect, arith::ArithDialect, math::MathDialect,
                   memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  return instance;
}

/// Elements of one type, as numbers: exact up to 2^53.
class Array {
public:
  Array(StringRef type, std::vector<double> numbers)
      : type(type), kind(*kindOf(parseType(type, &context()))), count(numbers.size()),
        memory(count * sizeOf(kind) + 1) {
    for (size_t i = 0; i < count; ++i) {
      Cell cell = {.i = static_cast<int64_t>(numbers[i])};
      if (kind == Kind::F64)
        cell.d = numbers[i];
      else if (kind >= Kind::F16)
        cell.f = static_cast<float>(numbers[i]);
      writeCell(kind, cell, memory.data() + i * sizeOf(kind));
    }
  }
  std::vector<double> numbers() const {
    std::vector<double> result;
    for (size_t i = 0; i < count; ++i) {
      Cell cell = readCell(kind, memory.data() + i * sizeOf(kind));
      result.push_back(kind == Kind::F64   ? cell.d
                       : kind >= Kind::F16 ? cell.f
                                           : static_cast<double>(cell.i));
    }
    return result;
  }
  Bytes bytes() { return {memory.data(), static_cast<int64_t>(count) * sizeOf(kind)}; }
  std::string memref() const { return "memref<" + std::to_string(count) + "x" + type + ">"; }
  std::string tensor() const { return "tensor<" + std::to_string(count) + "x" + type + ">"; }

private:
  std::string type;
  Kind kind;
  size_t count;
  std::vector<std::byte> memory;
};

/// Runs an entry with `body`, which reads %x and writes %y; `before` stands before it in the
/// module. Returns the problem, empty if there was none.
std::string run(Array &x, Array &y, const std::string &body, const std::string &before = "",
                Options options = {}) {
  std::string text =
      "module attributes {ingot.model = {name = \"m\", inputs = [{name = \"x\", type = " +
      x.tensor() + "}], outputs = [{name = \"y\", type = " + y.tensor() +
      "}], workspace_size = 256 : i64}} {\n" + before + "func.func @main(%x: " + x.memref() +
      ", %y: " + y.memref() +
      " {ingot.write}, %s: memref<?xi8> {ingot.write}) attributes {ingot.entry} {\n" +
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
      "%c2 = arith.constant 2 : index\n%c4 = arith.constant 4 : index\n" +
      body + "\nreturn\n}\n}\n";
  auto module = parseSourceString<ModuleOp>(text, &context());
  if (!module)
    return "does not parse: " + text;
  auto interpreter = Interpreter::create(*module);
  if (!interpreter)
    return llvm::toString(interpreter.takeError());
  auto size = interpreter->workspaceSize({});
  if (!size)
    return llvm::toString(size.takeError());
  alignas(64) std::byte workspace[256];
  auto error = interpreter->run({x.bytes()}, {y.bytes()}, {workspace, *size}, {}, options);
  return error ? llvm::toString(std::move(error)) : "";
}

/// One expression over %a, %b, %c, elements of type `in`, and its value of type `out`.
struct Case {
  const char *in, *out, *expression;
  std::vector<double> operands;
  double expected;
};

/// The text that loads %a, %b and %c from %x, sets %r and stores it.
std::string scalarBody(const Case &c) {
  std::string x = "memref<3x" + std::string(c.in) + ">";
  return "%a = memref.load %x[%c0] : " + x + "\n%b = memref.load %x[%c1] : " + x +
         "\n%c = memref.load %x[%c2] : " + x + "\n%r = " + c.expression +
         "\nmemref.store %r, %y[%c0] : memref<1x" + c.out + ">";
}

void check(const Case &c) {
  std::vector<double> operands = c.operands;
  operands.resize(3);
  Array x(c.in, operands), y(c.out, {0});
  ASSERT_EQ(run(x, y, scalarBody(c)), "") << c.expression;
  double actual = y.numbers()[0];
  if (std::isnan(c.expected)) {
    EXPECT_TRUE(std::isnan(actual)) << c.expression << " is " << actual;
    return;
  }
  if (c.expected == std::round(c.expected))
    EXPECT_EQ(actual, c.expected) << c.expression;
  else
    EXPECT_NEAR(actual, c.expected, 1e-6) << c.expression;
  EXPECT_EQ(std::signbit(actual), std::signbit(c.expected)) << c.expression;
}

TEST(Scalars, Integers) {
  const Case cases[] = {
      {"i8", "i8", "arith.addi %a, %b : i8", {100, 100}, -56},
      {"i8", "i8", "arith.subi %a, %b : i8", {-100, 100}, 56},
      {"i8", "i8", "arith.muli %a, %b : i8", {50, 10}, -12},
      {"i8", "i8", "arith.divsi %a, %b : i8", {-7, 2}, -3},
      {"i8", "i8", "arith.divui %a, %b : i8", {-7, 2}, 124},
      {"i8", "i8", "arith.remsi %a, %b : i8", {-7, 2}, -1},
      {"i8", "i8", "arith.remui %a, %b : i8", {-7, 2}, 1},
      {"i16", "i16", "arith.minsi %a, %b : i16", {-1, 1}, -1},
      {"i16", "i16", "arith.maxsi %a, %b : i16", {-1, 1}, 1},
      {"i16", "i16", "arith.minui %a, %b : i16", {-1, 1}, 1},
      {"i16", "i16", "arith.maxui %a, %b : i16", {-1, 1}, -1},
      {"i32", "i32", "arith.andi %a, %b : i32", {12, 10}, 8},
      {"i32", "i32", "arith.ori %a, %b : i32", {12, 10}, 14},
      {"i32", "i32", "arith.xori %a, %b : i32", {12, 10}, 6},
      {"i8", "i8", "arith.shli %a, %b : i8", {3, 6}, -64},
      {"i8", "i8", "arith.shrsi %a, %b : i8", {-8, 1}, -4},
      {"i8", "i8", "arith.shrui %a, %b : i8", {-8, 1}, 124},
      {"i32", "i32", "arith.muli %a, %b : i32", {65536, 65536}, 0},
      {"i64", "i64", "arith.muli %a, %b : i64", {1 << 20, 1 << 20}, 1099511627776.0},
      {"i16", "i16", "math.absi %a : i16", {-5}, 5},
      {"i16", "i16", "math.absi %a : i16", {-32768}, -32768},
      {"i32", "i32", "arith.constant -7 : i32", {}, -7},
  };
  for (const Case &c : cases)
    check(c);
}

TEST(Scalars, Floats) {
  const Case cases[] = {
      {"f32", "f32", "arith.addf %a, %b : f32", {1.5, 2.25}, 3.75},
      {"f32", "f32", "arith.subf %a, %b : f32", {1.5, 2.25}, -0.75},
      {"f32", "f32", "arith.mulf %a, %b : f32", {1.5, -4}, -6},
      {"f32", "f32", "arith.divf %a, %b : f32", {1, 0}, inf},
      {"f32", "f32", "arith.remf %a, %b : f32", {-7.5, 2}, -1.5},
      {"f32", "f32", "arith.negf %a : f32", {0}, -0.0},
      {"f32", "f32", "arith.minimumf %a, %b : f32", {0, -0.0}, -0.0},
      {"f32", "f32", "arith.maximumf %a, %b : f32", {-0.0, 0}, 0.0},
      {"f32", "f32", "arith.minimumf %a, %b : f32", {nan, 1}, nan},
      {"f32", "f32", "arith.maximumf %a, %b : f32", {1, nan}, nan},
      {"f32", "f32", "arith.minnumf %a, %b : f32", {nan, 1}, 1},
      {"f32", "f32", "arith.maxnumf %a, %b : f32", {1, nan}, 1},
      {"f64", "f64", "math.absf %a : f64", {-2}, 2},
      {"f64", "f64", "math.sqrt %a : f64", {2}, 1.41421356237},
      {"f64", "f64", "math.floor %a : f64", {-1.5}, -2},
      {"f64", "f64", "math.ceil %a : f64", {-1.5}, -1},
      {"f64", "f64", "math.roundeven %a : f64", {2.5}, 2},
      {"f64", "f64", "math.trunc %a : f64", {-1.5}, -1},
      {"f64", "f64", "math.copysign %a, %b : f64", {3, -0.0}, -3},
      {"f64", "f64", "math.exp %a : f64", {1}, 2.71828182846},
      {"f64", "f64", "math.log %a : f64", {2}, 0.69314718056},
      {"f64", "f64", "math.powf %a, %b : f64", {2, 10}, 1024},
      {"f64", "f64", "math.sin %a : f64", {1}, 0.8414709848},
      {"f64", "f64", "math.cos %a : f64", {1}, 0.5403023059},
      {"f64", "f64", "math.tan %a : f64", {1}, 1.5574077247},
      {"f64", "f64", "math.asin %a : f64", {0.5}, 0.5235987756},
      {"f64", "f64", "math.acos %a : f64", {0.5}, 1.0471975512},
      {"f64", "f64", "math.atan %a : f64", {1}, 0.7853981634},
      {"f64", "f64", "math.atan2 %a, %b : f64", {1, -1}, 2.3561944902},
      {"f64", "f64", "math.sinh %a : f64", {1}, 1.1752011936},
      {"f64", "f64", "math.cosh %a : f64", {1}, 1.5430806348},
      {"f64", "f64", "math.tanh %a : f64", {1}, 0.761594156},
      {"f64", "f64", "math.asinh %a : f64", {1}, 0.881373587},
      {"f64", "f64", "math.acosh %a : f64", {2}, 1.3169578969},
      {"f64", "f64", "math.atanh %a : f64", {0.5}, 0.5493061443},
      {"f64", "f64", "math.erf %a : f64", {0.5}, 0.5204998778},
      // One rounding, not two: 3 * (1 + 2^-23) + 2^-24 is no tie.
      {"f32", "f32", "math.fma %a, %b, %c : f32", {3, 1.00000011920929, -3}, 3.57627869e-7},
      // 1 + 2^-11 lies half-way between two half floats; the even one is 1.
      {"f16", "f16", "arith.addf %a, %b : f16", {1, 0.00048828125}, 1},
      {"bf16", "bf16", "arith.addf %a, %b : bf16", {1, 0.00390625}, 1},
      {"f16", "f16", "arith.mulf %a, %b : f16", {60000, 2}, inf},
  };
  for (const Case &c : cases)
    check(c);
}

TEST(Scalars, Casts) {
  const Case cases[] = {
      {"f16", "f32", "arith.extf %a : f16 to f32", {0.5}, 0.5},
      {"f32", "bf16", "arith.truncf %a : f32 to bf16", {1.00390625}, 1},
      {"f64", "f32", "arith.truncf %a : f64 to f32", {1e300}, inf},
      {"i8", "i32", "arith.extsi %a : i8 to i32", {-1}, -1},
      {"i8", "i32", "arith.extui %a : i8 to i32", {-1}, 255},
      {"i32", "i8", "arith.trunci %a : i32 to i8", {200}, -56},
      {"i32", "f32", "arith.sitofp %a : i32 to f32", {-3}, -3},
      {"i8", "f32", "arith.uitofp %a : i8 to f32", {-1}, 255},
      {"f32", "i32", "arith.fptosi %a : f32 to i32", {-2.75}, -2},
      {"f32", "i8", "arith.fptoui %a : f32 to i8", {200.5}, -56},
      {"f32", "i32", "arith.bitcast %a : f32 to i32", {1}, 0x3f800000},
      {"i32", "f32", "arith.bitcast %a : i32 to f32", {0x40490fdb}, 3.14159274},
      {"i16", "f16", "arith.bitcast %a : i16 to f16", {0x3c00}, 1},
      {"i16", "bf16", "arith.bitcast %a : i16 to bf16", {0x3f80}, 1},
      {"f64", "i64", "arith.bitcast %a : f64 to i64", {2}, 4611686018427387904.0},
  };
  for (const Case &c : cases)
    check(c);
  Array x("i32", {-5}), y("i64", {0, 0});
  EXPECT_EQ(run(x, y, R"(
    %a = memref.load %x[%c0] : memref<1xi32>
    %i = arith.index_cast %a : i32 to index
    %u = arith.index_castui %a : i32 to index
    %p = arith.index_cast %i : index to i64
    %q = arith.index_cast %u : index to i64
    memref.store %p, %y[%c0] : memref<2xi64>
    memref.store %q, %y[%c1] : memref<2xi64>)"),
            "");
  EXPECT_EQ(y.numbers(), (std::vector<double>{-5, 4294967291.0}));
}

/// The results of comparing -1 with 1, 1 with 1, 1 with -1, and 1 with a NaN for floats.
struct CompareCase {
  const char *predicate;
  std::vector<double> expected;
};

void checkCompare(const char *operation, const char *type, const CompareCase &c) {
  std::vector<std::pair<double, double>> pairs = {{-1, 1}, {1, 1}, {1, -1}, {1, nan}};
  pairs.resize(c.expected.size());
  for (auto [pair, expected] : llvm::zip(pairs, c.expected)) {
    std::string expression = std::string("arith.constant 1 : i8\n%no = arith.constant 0 : i8\n") +
                             "%q = " + operation + " " + c.predicate + ", %a, %b : " + type +
                             "\n%v = arith.select %q, %r, %no : i8";
    std::string x = std::string("memref<2x") + type + ">";
    std::string body = "%a = memref.load %x[%c0] : " + x + "\n%b = memref.load %x[%c1] : " + x +
                       "\n%r = " + expression + "\nmemref.store %v, %y[%c0] : memref<1xi8>";
    Array in(type, {pair.first, pair.second}), out("i8", {9});
    EXPECT_EQ(run(in, out, body), "");
    EXPECT_EQ(out.numbers()[0], expected) << c.predicate << " " << pair.first << " " << pair.second;
  }
}

TEST(Scalars, Compare) {
  const CompareCase integers[] = {{"eq", {0, 1, 0}},  {"ne", {1, 0, 1}},  {"slt", {1, 0, 0}},
                                  {"sle", {1, 1, 0}}, {"sgt", {0, 0, 1}}, {"sge", {0, 1, 1}},
                                  {"ult", {0, 0, 1}}, {"ule", {0, 1, 1}}, {"ugt", {1, 0, 0}},
                                  {"uge", {1, 1, 0}}};
  for (const CompareCase &c : integers)
    checkCompare("arith.cmpi", "i32", c);
  const CompareCase floats[] = {
      {"false", {0, 0, 0, 0}}, {"oeq", {0, 1, 0, 0}}, {"ogt", {0, 0, 1, 0}},
      {"oge", {0, 1, 1, 0}},   {"olt", {1, 0, 0, 0}}, {"ole", {1, 1, 0, 0}},
      {"one", {1, 0, 1, 0}},   {"ord", {1, 1, 1, 0}}, {"ueq", {0, 1, 0, 1}},
      {"ugt", {0, 0, 1, 1}},   {"uge", {0, 1, 1, 1}}, {"ult", {1, 0, 0, 1}},
      {"ule", {1, 1, 0, 1}},   {"une", {1, 0, 1, 1}}, {"uno", {0, 0, 0, 1}},
      {"true", {1, 1, 1, 1}}};
  for (const CompareCase &c : floats)
    checkCompare("arith.cmpf", "f32", c);
}

TEST(Vectors, MasksAndLanes) {
  Array x("f32", {1, -2, 3, -4}), y("f32", {0, 0, 0, 0});
  EXPECT_EQ(run(x, y, R"(
    %v = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
    %half = arith.constant 0.5 : f32
    %h = vector.broadcast %half : f32 to vector<4xf32>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %m = arith.cmpf olt, %v, %zero : vector<4xf32>
    %t = arith.select %m, %zero, %v : vector<4xi1>, vector<4xf32>
    %step = vector.step : vector<4xindex>
    %i = arith.index_cast %step : vector<4xindex> to vector<4xi32>
    %f = arith.sitofp %i : vector<4xi32> to vector<4xf32>
    %r = vector.fma %t, %h, %f : vector<4xf32>
    vector.store %r, %y[%c0] : memref<4xf32>, vector<4xf32>)"),
            "");
  EXPECT_EQ(y.numbers(), (std::vector<double>{0.5, 1, 3.5, 3}));
}

TEST(Vectors, ReduceAndExtract) {
  struct Row {
    const char *kind, *type;
    double expected;
  };
  const Row rows[] = {{"add", "f32", 3},     {"mul", "f32", -40},     {"minnumf", "f32", -2},
                      {"maxnumf", "f32", 5}, {"minimumf", "f32", -2}, {"maximumf", "f32", 5},
                      {"add", "i32", 3},     {"mul", "i32", -40},     {"minsi", "i32", -2},
                      {"maxsi", "i32", 5},   {"minui", "i32", 1},     {"maxui", "i32", -2},
                      {"and", "i32", 0},     {"or", "i32", -1}};
  std::vector<double> values = {4, -2, 5, 1};
  for (const Row &row : rows) {
    std::vector<double> v = values;
    if (StringRef(row.kind) == "add")
      v = {4, -2, 0, 1};
    std::string type = row.type;
    Array x(type, v), y(type, {0, 0});
    std::string body = "%v = vector.load %x[%c0] : memref<4x" + type + ">, vector<4x" + type +
                       ">\n%r = vector.reduction <" + row.kind + ">, %v : vector<4x" + type +
                       "> into " + type + "\nmemref.store %r, %y[%c0] : memref<2x" + type +
                       ">\n%e = vector.extract %v[1] : " + type + " from vector<4x" + type +
                       ">\nmemref.store %e, %y[%c1] : memref<2x" + type + ">";
    EXPECT_EQ(run(x, y, body), "");
    EXPECT_EQ(y.numbers()[0], row.expected) << row.kind << " " << type;
    EXPECT_EQ(y.numbers()[1], -2);
  }
  Array x("f32", {1, 2, 3, 4}), y("f32", {0});
  EXPECT_EQ(run(x, y, R"(
    %v = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
    %a = arith.constant 100.0 : f32
    %r = vector.reduction <add>, %v, %a : vector<4xf32> into f32
    memref.store %r, %y[%c0] : memref<1xf32>)"),
            "");
  EXPECT_EQ(y.numbers()[0], 110);
}

TEST(Control, ForSwapsItsValues) {
  Array x("i32", {0}), y("i32", {0, 0});
  EXPECT_EQ(run(x, y, R"(
    %p = arith.constant 0 : i32
    %q = arith.constant 1 : i32
    %c10 = arith.constant 10 : index
    %r:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %p, %b = %q) -> (i32, i32) {
      %n = arith.addi %a, %b : i32
      scf.yield %b, %n : i32, i32
    }
    memref.store %r#0, %y[%c0] : memref<2xi32>
    memref.store %r#1, %y[%c1] : memref<2xi32>)"),
            "");
  EXPECT_EQ(y.numbers(), (std::vector<double>{55, 89}));
}

TEST(Control, WhileAndIf) {
  // Collatz: the number of steps from 6 to 1.
  Array x("i32", {6}), y("i32", {0});
  EXPECT_EQ(run(x, y, R"(
    %n = memref.load %x[%c0] : memref<1xi32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %r:2 = scf.while (%a = %n, %k = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %a, %one : i32
      scf.condition(%more) %k, %a : i32, i32
    } do {
    ^bb0(%k: i32, %a: i32):
      %bit = arith.andi %a, %one : i32
      %odd = arith.cmpi eq, %bit, %one : i32
      %next = scf.if %odd -> i32 {
        %t = arith.muli %a, %three : i32
        %u = arith.addi %t, %one : i32
        scf.yield %u : i32
      } else {
        %h = arith.divsi %a, %two : i32
        scf.yield %h : i32
      }
      %m = arith.addi %k, %one : i32
      scf.yield %next, %m : i32, i32
    }
    memref.store %r#0, %y[%c0] : memref<1xi32>)"),
            "");
  EXPECT_EQ(y.numbers()[0], 8);
}

TEST(Memory, GlobalsViewsAllocationsAndCalls) {
  Array x("f32", {1, 2, 3, 4}), y("f32", {0, 0, 0, 0});
  const char *step = R"(
    memref.global "private" constant @w : memref<4xf32> = dense<[10.0, 20.0, 30.0, 40.0]>
    memref.global "private" constant @ones : memref<4xf32> = dense<1.0>
    func.func private @add(%a: memref<4xf32>, %b: memref<4xf32>, %out: memref<4xf32> {ingot.write}, %n: index)
        attributes {ingot.step = 1 : i64} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        memref.prefetch %a[%i], read, locality<3>, data : memref<4xf32>
        %p = memref.load %a[%i] : memref<4xf32>
        %q = memref.load %b[%i] : memref<4xf32>
        %r = arith.addf %p, %q : f32
        memref.store %r, %out[%i] : memref<4xf32>
      }
      return
    })";
  EXPECT_EQ(run(x, y, R"(
    %w = memref.get_global @w : memref<4xf32>
    %ones = memref.get_global @ones : memref<4xf32>
    %c64 = arith.constant 64 : index
    %t = memref.view %s[%c64][] : memref<?xi8> to memref<4xf32>
    func.call @add(%x, %w, %t, %c4) : (memref<4xf32>, memref<4xf32>, memref<4xf32>, index) -> ()
    %u = memref.alloc() : memref<4xf32>
    func.call @add(%t, %ones, %u, %c4) : (memref<4xf32>, memref<4xf32>, memref<4xf32>, index) -> ()
    func.call @add(%u, %u, %y, %c4) : (memref<4xf32>, memref<4xf32>, memref<4xf32>, index) -> ())",
                step),
            "");
  EXPECT_EQ(y.numbers(), (std::vector<double>{24, 46, 68, 90}));
}

/// What stops a run, and the first words of the reason.
struct Trap {
  const char *body, *reason;
};

TEST(Traps, WhatIsUndefined) {
  const Trap traps[] = {
      {"%v = memref.load %x[%c4] : memref<4xi32>", "access to 1 element(s) at 4 of a buffer of 4"},
      {"%n = arith.subi %c0, %c1 : index\n%v = memref.load %x[%n] : memref<4xi32>",
       "access to 1 element(s) at -1"},
      {"%v = vector.load %x[%c1] : memref<4xi32>, vector<4xi32>", "access to 4 element(s) at 1"},
      {"%v = memref.load %y[%c1] : memref<4xi32>", "read of element 1, never written"},
      {"%t = memref.view %s[%c0][] : memref<?xi8> to memref<4xf32>\n"
       "%v = memref.load %t[%c2] : memref<4xf32>",
       "read of element 2, never written"},
      {"%t = memref.alloc() : memref<4xf32>\n%v = memref.load %t[%c2] : memref<4xf32>",
       "read of element 2, never written"},
      {"%v = memref.load %x[%c0] : memref<4xi32>\nmemref.store %v, %x[%c1] : memref<4xi32>",
       "write to a buffer that is only for reading"},
      {"%o = arith.constant 248 : index\n%t = memref.view %s[%o][] : memref<?xi8> to memref<4xf32>",
       "view of 4 elements at byte 248 of 256"},
      {"%t = memref.view %s[%c2][] : memref<?xi8> to memref<4xf32>\n"
       "%z = arith.constant 0.0 : f32\nmemref.store %z, %t[%c0] : memref<4xf32>",
       "unaligned access at 0"},
      {"%q = arith.divsi %c1, %c0 : index", "division by zero"},
      {"%q = arith.remui %c1, %c0 : index", "division by zero"},
      {"%n = arith.constant -1 : i32\n%m = arith.constant -2147483648 : i32\n"
       "%q = arith.divsi %m, %n : i32",
       "division overflows"},
      {"%n = arith.constant 32 : i32\n%q = arith.shli %n, %n : i32", "shift by the width or more"},
      {"scf.for %i = %c0 to %c4 step %c0 {\n}", "step of 0"},
      {"%n = arith.subi %c0, %c1 : index\n%t = memref.alloc(%n) : memref<?xf32>",
       "allocation of -1 elements"},
  };
  for (const Trap &trap : traps) {
    Array x("i32", {1, 2, 3, 4}), y("i32", {0, 0, 0, 0});
    std::string problem = run(x, y, trap.body);
    EXPECT_TRUE(StringRef(problem).starts_with(trap.reason)) << trap.body << "\nsays: " << problem;
  }
  Array x("i32", {1, 2, 3, 4}), y("i32", {5, 6, 7, 8});
  EXPECT_EQ(run(x, y, "%v = memref.load %y[%c1] : memref<4xi32>", "", {.trapUnwritten = false}),
            "");
}

TEST(Traps, OperationsThatAreNotOfTheLoopLevel) {
  Array x("i32", {1, 2, 3, 4}), y("i32", {0, 0, 0, 0});
  std::string problem = run(x, y, "memref.copy %x, %y : memref<4xi32> to memref<4xi32>");
  EXPECT_TRUE(StringRef(problem).contains("'memref.copy'")) << problem;
}

} // namespace
