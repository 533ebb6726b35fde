// Compares the verification's rules for each operation (PlanExact and the error rules) with the
// generated code, for each operation and type, on scalars and vectors, with operands that lanes
// share and others, and for products that are added. Exact operations must have the interpreter's
// bits on every instruction set. All others lie within the bound; functions lie within 4 ulp of the
// exact value wherever they are finite.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "env/base/text.h"
#include "tests/backends/llvm/belief.h"
#include "tests/backends/llvm/differential.h"
#include "tests/support/cells.h"

namespace schedulegym {
namespace {

constexpr double kMostUlps = 4;
constexpr DType kTypes[] = {DType::kF32, DType::kF64, DType::kI32, DType::kI8};

// Which operand the lanes share.
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
  CellOperation apply;
  Exact exact = nullptr;  // of functions only
};

// Signed zeros, halves, numbers that need all their bits, the ends of the types, subnormals,
// infinities and NaN.
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

bool SameBits(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

// Distance of `got` from `want` in units of the last place of the type at `want`.
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
  const auto product = [](const Expr& a, const Expr& b) { return Binary(Op::kMultiply, a, b); };
  all.push_back({"x * y + x", type, true, [=](Expr a, Expr b) { return product(a, b) + a; }});
  all.push_back({"y + x * x", type, true, [=](Expr a, Expr b) { return b + product(a, a); }});
  all.push_back({"x * y - y", type, true, [=](Expr a, Expr b) { return product(a, b) - b; }});
  all.push_back({"x - x * y", type, true, [=](Expr a, Expr b) { return a - product(a, b); }});
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

// The values of the rows of one operation. Literals are compiled one by one: every third value.
std::vector<double> RowsOf(DType type, Sharing sharing) {
  const std::vector<double> values = ValuesOf(type);
  if (sharing != Sharing::kLiteral) return values;
  std::vector<double> literals;
  for (size_t i = 0; i < values.size(); i += 3) literals.push_back(LiteralOf(type, values[i]));
  return literals;
}

// Cell [i, j] combines the value j and that of row i, from inputs of as many cells or from rows.
struct Trial {
  LoopProgram program;
  std::vector<GuardedMemory> arguments;
  std::vector<double> first, second;  // by cell
  std::vector<CellBound> bounds;      // by cell
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
  Trial trial = {ProgramOf(operation, type, vector, sharing), {}, {}, {}, {}};
  trial.arguments = MakeArguments(trial.program, 1);
  for (size_t i = 0; i < outer.size(); ++i) {
    for (size_t j = 0; j < inner.size(); ++j) {
      const auto cell = static_cast<int64_t>(i * inner.size() + j);
      SetCell(trial.arguments[0], type, is_whole ? cell : static_cast<int64_t>(j), inner[j]);
      SetCell(trial.arguments[1], type, is_whole ? cell : static_cast<int64_t>(i), outer[i]);
      trial.first.push_back(sharing == Sharing::kFirst ? outer[i] : inner[j]);
      trial.second.push_back(sharing == Sharing::kFirst ? inner[j] : outer[i]);
    }
  }
  return trial;
}

// Errors of the worst cells.
struct Worst {
  double ulps = 0;    // of functions
  double bounds = 0;  // of cells with bounds, as a share of the bound
};

// "" if the cell is right by the rules.
std::string FaultOf(const Operation& operation, const Belief& belief, const Trial& trial,
                    size_t cell, double right, double got, Worst& worst) {
  const double x = trial.first[cell], y = trial.second[cell];
  if (belief.DemandsBits(x, y)) return SameBits(got, right) ? "" : "has other bits";
  const CellBound& bound = trial.bounds[cell];
  if (std::isfinite(bound.most) && std::isfinite(bound.value)) {
    const double error = std::abs(got - bound.value);
    if (!(error <= bound.most)) return "lies beyond its bound";
    if (bound.most > 0) worst.bounds = std::max(worst.bounds, error / bound.most);
  }
  if (!operation.exact) return "";
  const double ulps = Ulps(operation.result, got, operation.exact(x, y));
  worst.ulps = std::max(worst.ulps, ulps);
  return ulps <= kMostUlps ? "" : FormatDouble(ulps) + " ulp off";
}

void Compare(const Operation& operation, const Belief& belief, const Trial& trial,
             std::vector<GuardedMemory> want, std::vector<GuardedMemory> found,
             const std::string& what, Worst& worst) {
  for (size_t at = 0; at < trial.first.size(); ++at) {
    const auto cell = static_cast<int64_t>(at);
    const double right = GetCell(want.back(), operation.result, cell);
    const double got = GetCell(found.back(), operation.result, cell);
    const std::string fault = FaultOf(operation, belief, trial, at, right, got, worst);
    if (fault.empty()) continue;
    ADD_FAILURE() << what << " of " << FormatDouble(trial.first[at]) << " and "
                  << FormatDouble(trial.second[at]) << " is " << FormatDouble(got) << ", expected "
                  << FormatDouble(right) << ": " << fault;
    return;
  }
}

Worst CompareOnEveryMachine(const Operation& operation, const Belief& belief, DType type,
                            bool vector, Sharing sharing) {
  Trial trial = MakeTrial(operation, type, vector, sharing);
  trial.bounds = belief.BoundsOf(trial.first, trial.second);
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  const auto want = RunOn(*interpreter, trial.program, {}, trial.arguments).value();
  Worst worst;
  for (const auto& backend : LlvmBackends()) {
    const bool is_first = &backend == &LlvmBackends().front();
    for (const bool optimize : is_first ? std::vector{true, false} : std::vector{true}) {
      const auto found = RunOn(*backend, trial.program, {optimize}, trial.arguments).value();
      const std::string what = NameOf(*backend, optimize) + " " + DTypeName(type) +
                               (vector ? " vector " : " scalar ") + kSharings.at(sharing) + " " +
                               operation.name;
      Compare(operation, belief, trial, want, found, what, worst);
    }
  }
  return worst;
}

// "bits", or the worst errors found.
std::string Found(const Operation& operation, const Belief& belief, const Worst& worst) {
  const auto rounded = [](double value) { return FormatDouble(std::round(100 * value) / 100); };
  std::string text = operation.name + (belief.demands_bits() ? " bits" : "");
  if (worst.bounds > 0) text += " " + rounded(worst.bounds) + " of the bound";
  if (operation.exact) text += " " + rounded(worst.ulps) + " ulp";
  return text;
}

class ExactnessTest : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(Types, ExactnessTest, testing::ValuesIn(kTypes),
                         [](const auto& info) { return std::string(DTypeName(info.param)); });

// Prints the kind of test: "bits", or the worst errors found.
TEST_P(ExactnessTest, EveryOperationIsWhatVerificationTakesItFor) {
  std::string table = std::string(DTypeName(GetParam())) + ": form, operand: operations\n";
  for (const bool vector : {false, true}) {
    for (const auto& [sharing, name] : kSharings) {
      table += std::string("  ") + (vector ? "vector, " : "scalar, ") + name + ": ";
      std::vector<std::string> tested;
      for (const Operation& operation : OperationsOf(GetParam())) {
        if (!operation.is_binary && sharing != Sharing::kNone) continue;
        const Belief belief(operation.apply, GetParam(), operation.result);
        // Only functions have neither: they are compared with their own reference.
        EXPECT_NE(belief.demands_bits(), operation.exact != nullptr) << operation.name;
        const Worst worst = CompareOnEveryMachine(operation, belief, GetParam(), vector, sharing);
        tested.push_back(Found(operation, belief, worst));
      }
      table += Join(tested, ", ") + "\n";
    }
  }
  std::cout << table;
}

}  // namespace
}  // namespace schedulegym
