// What verification believes of each operation (env/measure/exact_plan.h, bounded_expr.cc) against
// what the code generator emits for it: operation by operation, type by type, on scalars and on
// vectors, with operands that lanes share and such as they do not. All but functions must have the
// interpreter's bits, on every instruction set; functions lie within 4 ulp of the exact value.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "env/base/text.h"
#include "tests/backends/llvm/differential.h"

namespace schedulegym {
namespace {

constexpr double kMostUlps = 4;
constexpr DType kTypes[] = {DType::kF32, DType::kF64, DType::kI32, DType::kI8};

// Whose lanes share the second operand, or the first.
enum class Sharing { kNone, kSecond, kLiteral, kFirst };
const std::map<Sharing, std::string> kSharings = {{Sharing::kNone, "own"},
                                                  {Sharing::kSecond, "shared"},
                                                  {Sharing::kLiteral, "literal"},
                                                  {Sharing::kFirst, "shared first"}};

using Exact = long double (*)(long double, long double);

struct Operation {
  std::string name;
  DType result;
  bool is_binary;
  std::function<Expr(Expr, Expr)> apply;
  Exact exact = nullptr;  // of functions, else bits are compared
};

// Signed zeros, halves, numbers that need all their bits, the ends of the types, subnormals, what
// is infinite or no number.
std::vector<double> FloatValues(DType type) {
  using Single = std::numeric_limits<float>;
  using Double = std::numeric_limits<double>;
  const bool single = type == DType::kF32;
  const double tiny = single ? Single::denorm_min() : Double::denorm_min();
  const double least = single ? Single::min() : Double::min();
  const double most = single ? Single::max() : Double::max();
  std::vector<double> values = {0.0,          1,        2,        3,          7,
                                10,           49,       0.5,      1.5,        2.5,
                                0.1,          1.0 / 3,  127,      127.5,      128,
                                129,          255,      16777217, 2147483520, 2147483647,
                                2147483648.0, 4e9,      1e19,     1e-30,      1e30,
                                0.999999,     tiny,     3 * tiny, least,      1.25 * least,
                                most,         most / 3, HUGE_VAL, 88.5,       104};
  const size_t half = values.size();
  for (size_t i = 0; i < half; ++i) values.push_back(-values[i]);
  Rng rng(11);
  for (int i = 0; i < 14; ++i) values.push_back(8 * rng.Uniform() - 4);
  values.push_back(std::nan(""));
  for (double& value : values) value = single ? static_cast<float>(value) : value;
  return values;
}

std::vector<double> ValuesOf(DType type) {
  if (IsFloating(type)) return FloatValues(type);
  std::vector<double> values = {0, 1, 2, 3, 7, 8, 10, 49, 64, 100, 126, 127, -128, -127};
  for (int i = 1; i < 10; ++i) values.push_back(-values[i]);
  if (type == DType::kI8) return values;
  for (double wide : {128.0, 255.0, 32767.0, 65536.0, 16777217.0, 123456789.0, 2147483646.0}) {
    values.insert(values.end(), {wide, -wide});
  }
  values.insert(values.end(), {2147483647.0, -2147483648.0, -2147483647.0});
  return values;
}

void Set(Memory& memory, DType type, int64_t at, double value) {
  if (type == DType::kF32) memory.as<float>()[at] = static_cast<float>(value);
  if (type == DType::kF64) memory.as<double>()[at] = value;
  if (type == DType::kI32) memory.as<int32_t>()[at] = static_cast<int32_t>(value);
  if (type == DType::kI8) memory.as<int8_t>()[at] = static_cast<int8_t>(value);
}

double Get(Memory& memory, DType type, int64_t at) {
  if (type == DType::kF32) return memory.as<float>()[at];
  if (type == DType::kF64) return memory.as<double>()[at];
  if (type == DType::kI32) return memory.as<int32_t>()[at];
  return memory.as<int8_t>()[at];
}

bool SameBits(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

// How far `got` lies from `want` in units of the last place of the type at `want`.
double Ulps(DType type, double got, long double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : HUGE_VAL;
  const bool single = type == DType::kF32;
  const double rounded = single ? static_cast<float>(want) : static_cast<double>(want);
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : HUGE_VAL;
  const double magnitude = std::abs(rounded);
  const double above = single ? std::nextafter(static_cast<float>(magnitude), HUGE_VALF)
                              : std::nextafter(magnitude, HUGE_VAL);
  return static_cast<double>(std::abs(got - want) / (static_cast<long double>(above) - magnitude));
}

std::vector<Operation> OperationsOf(DType type) {
  std::vector<Operation> all;
  const auto unary = [&](const std::string& name, Op op, Exact exact = nullptr) {
    all.push_back({name, type, false, [op](Expr a, Expr) { return Unary(op, a); }, exact});
  };
  const auto binary = [&](Op op, Exact exact = nullptr) {
    all.push_back(
        {OpName(op), type, true, [op](Expr a, Expr b) { return Binary(op, a, b); }, exact});
  };
  const auto chosen = [&](const std::string& name, const std::function<Expr(Expr, Expr)>& holds) {
    all.push_back({name, DType::kI32, true, [holds](Expr a, Expr b) {
                     return Select(holds(a, b), Constant(DType::kI32, 1), Constant(DType::kI32, 0));
                   }});
  };
  for (Op op : {Op::kAdd, Op::kSubtract, Op::kMultiply, Op::kDivide, Op::kMin, Op::kMax})
    binary(op);
  for (Op op : {Op::kFloorDivide, Op::kModulo}) {
    if (!IsFloating(type)) binary(op);
  }
  for (Op op :
       {Op::kLess, Op::kLessEqual, Op::kGreater, Op::kGreaterEqual, Op::kEqual, Op::kNotEqual}) {
    chosen(OpName(op), [op](Expr a, Expr b) { return Binary(op, a, b); });
  }
  const auto positive = [type](const Expr& a) {
    return Binary(Op::kGreater, a, Constant(type, 0));
  };
  for (Op op : {Op::kAnd, Op::kOr}) {
    chosen(OpName(op), [=](Expr a, Expr b) { return Binary(op, positive(a), positive(b)); });
  }
  chosen("!", [=](Expr a, Expr) { return Unary(Op::kNot, positive(a)); });
  all.push_back({"select", type, true,
                 [=](Expr a, Expr b) { return Select(positive(a), b, Unary(Op::kNegate, a)); }});
  unary("negate", Op::kNegate);
  unary("abs", Op::kAbs);
  for (DType to : kTypes) {
    if (to == type) continue;
    all.push_back({std::string("to ") + DTypeName(to), to, false,
                   [to](Expr a, Expr) { return Cast(to, a); }});
  }
  if (!IsFloating(type)) return all;
  unary("floor", Op::kFloor);
  unary("sqrt", Op::kSqrt);
  using Real = long double;
  unary("exp", Op::kExp, [](Real x, Real) { return std::exp(x); });
  unary("log", Op::kLog, [](Real x, Real) { return std::log(x); });
  unary("rsqrt", Op::kRsqrt, [](Real x, Real) { return 1 / std::sqrt(x); });
  unary("tanh", Op::kTanh, [](Real x, Real) { return std::tanh(x); });
  unary("erf", Op::kErf, [](Real x, Real) { return std::erf(x); });
  unary("sigmoid", Op::kSigmoid, [](Real x, Real) { return 1 / (1 + std::exp(-x)); });
  binary(Op::kPow, [](Real x, Real y) { return std::pow(x, y); });
  return all;
}

// Literals are finite, and no integer is divided by the literal 0: 1 stands in for such values.
double LiteralOf(DType type, double value) {
  return std::isfinite(value) && (value != 0 || IsFloating(type)) ? value : 1;
}

// What the rows of one operation hold: of literals, which are compiled one by one, every third.
std::vector<double> RowsOf(DType type, Sharing sharing) {
  const std::vector<double> values = ValuesOf(type);
  if (sharing != Sharing::kLiteral) return values;
  std::vector<double> literals;
  for (size_t i = 0; i < values.size(); i += 3) literals.push_back(LiteralOf(type, values[i]));
  return literals;
}

// Cell [i, j] takes the value j and that of row i, from inputs of as many cells or from rows.
struct Trial {
  LoopProgram program;
  std::vector<Memory> arguments;
  std::vector<double> first, second;  // by cell
};

LoopProgram ProgramOf(const Operation& operation, DType type, bool vector, Sharing sharing) {
  const std::vector<double> outer = RowsOf(type, sharing);
  const auto n = static_cast<int64_t>(ValuesOf(type).size());
  const auto rows = static_cast<int64_t>(outer.size());
  const bool is_whole = sharing == Sharing::kNone;
  LoopBuilder b;
  const int x = b.Input("x", type, is_whole ? std::vector{n, n} : std::vector{n});
  const int y = b.Input("y", type, is_whole ? std::vector{n, n} : std::vector{rows});
  const int out = b.Output("out", operation.result, {rows, n});
  const auto cell = [&](const Expr& i, const Expr& j) {
    if (is_whole) return operation.apply(b.At(x, {i, j}), b.At(y, {i, j}));
    if (sharing == Sharing::kFirst) return operation.apply(b.At(y, {i}), b.At(x, {j}));
    if (sharing == Sharing::kSecond) return operation.apply(b.At(x, {j}), b.At(y, {i}));
    return operation.apply(b.At(x, {j}), Constant(type, outer[i->integer]));
  };
  const auto row = [&](const Expr& i) {
    const auto body = [&](Expr j) { return b.Write(out, {i, j}, cell(i, j)); };
    return vector ? b.Vector(n, body) : b.Serial(n, body);
  };
  if (sharing != Sharing::kLiteral) return b.Finish(b.Serial(rows, row));
  std::vector<StatementPtr> parts;
  for (int64_t i = 0; i < rows; ++i) parts.push_back(row(IndexConstant(i)));
  return b.Finish(Sequence(parts));
}

Trial MakeTrial(const Operation& operation, DType type, bool vector, Sharing sharing) {
  const std::vector<double> inner = ValuesOf(type), outer = RowsOf(type, sharing);
  const bool is_whole = sharing == Sharing::kNone;
  Trial trial = {ProgramOf(operation, type, vector, sharing), {}, {}, {}};
  trial.arguments = MakeArguments(trial.program, 1);
  for (size_t i = 0; i < outer.size(); ++i) {
    for (size_t j = 0; j < inner.size(); ++j) {
      const auto cell = static_cast<int64_t>(i * inner.size() + j);
      Set(trial.arguments[0], type, is_whole ? cell : static_cast<int64_t>(j), inner[j]);
      Set(trial.arguments[1], type, is_whole ? cell : static_cast<int64_t>(i), outer[i]);
      trial.first.push_back(sharing == Sharing::kFirst ? outer[i] : inner[j]);
      trial.second.push_back(sharing == Sharing::kFirst ? inner[j] : outer[i]);
    }
  }
  return trial;
}

// The worst cell in ulp; 0 where all bits are right.
double WorstOf(const Operation& operation, Trial& trial, const std::vector<Memory>& wanted,
               std::vector<Memory>& found, const std::string& what) {
  double worst = 0;
  std::vector<Memory> want = wanted;
  for (size_t at = 0; at < trial.first.size(); ++at) {
    const auto cell = static_cast<int64_t>(at);
    const double right = Get(want.back(), operation.result, cell);
    const double got = Get(found.back(), operation.result, cell);
    double ulps = SameBits(got, right) ? 0 : HUGE_VAL;
    if (operation.exact) {
      ulps = Ulps(operation.result, got, operation.exact(trial.first[at], trial.second[at]));
    }
    worst = std::max(worst, ulps);
    if (ulps <= kMostUlps) continue;
    ADD_FAILURE() << what << " of " << FormatDouble(trial.first[at]) << " and "
                  << FormatDouble(trial.second[at]) << " is " << FormatDouble(got) << ", expected "
                  << FormatDouble(right);
    return worst;
  }
  return worst;
}

double WorstOnEveryMachine(const Operation& operation, DType type, bool vector, Sharing sharing) {
  Trial trial = MakeTrial(operation, type, vector, sharing);
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  const auto want = RunOn(*interpreter, trial.program, {}, trial.arguments).value();
  double worst = 0;
  for (const auto& backend : LlvmBackends()) {
    const bool is_first = &backend == &LlvmBackends().front();
    for (const bool optimize : is_first ? std::vector{true, false} : std::vector{true}) {
      auto found = RunOn(*backend, trial.program, {optimize}, trial.arguments).value();
      const std::string what = NameOf(*backend, optimize) + " " + DTypeName(type) +
                               (vector ? " vector " : " scalar ") + kSharings.at(sharing) + " " +
                               operation.name;
      worst = std::max(worst, WorstOf(operation, trial, want, found, what));
    }
  }
  return worst;
}

class ExactnessTest : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(Types, ExactnessTest, testing::ValuesIn(kTypes),
                         [](const auto& info) { return std::string(DTypeName(info.param)); });

// Prints what was tested: "bits", or the worst error found.
TEST_P(ExactnessTest, EveryOperationIsWhatVerificationTakesItFor) {
  std::string table = std::string(DTypeName(GetParam())) + ": form, operand: operations\n";
  for (const bool vector : {false, true}) {
    for (const auto& [sharing, name] : kSharings) {
      table += std::string("  ") + (vector ? "vector, " : "scalar, ") + name + ": ";
      std::vector<std::string> tested;
      for (const Operation& operation : OperationsOf(GetParam())) {
        if (!operation.is_binary && sharing != Sharing::kNone) continue;
        const double worst = WorstOnEveryMachine(operation, GetParam(), vector, sharing);
        tested.push_back(operation.name +
                         (operation.exact
                              ? " " + FormatDouble(std::round(100 * worst) / 100) + " ulp"
                              : " bits"));
      }
      table += Join(tested, ", ") + "\n";
    }
  }
  std::cout << table;
}

}  // namespace
}  // namespace schedulegym
