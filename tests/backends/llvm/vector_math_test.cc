#include <cmath>
#include <functional>
#include <limits>

#include "tests/backends/llvm/differential.h"

namespace schedulegym {
namespace {

constexpr double kMostUlps = 4;

// Distance of `got` from `want` in units of the last place of `want`'s type at `want`.
template <typename T>
double Ulps(T got, double want) {
  const T rounded = static_cast<T>(want);
  if (std::isnan(want)) return std::isnan(got) ? 0 : HUGE_VAL;
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : HUGE_VAL;
  const T above = std::nextafter(std::abs(rounded), std::numeric_limits<T>::infinity());
  return std::abs(static_cast<double>(got) - want) / static_cast<double>(above - std::abs(rounded));
}

// Every sign and exponent, denormals included, with several significands; the special values; and
// an even grid where the functions bend.
template <typename T>
std::vector<T> Arguments() {
  std::vector<T> values;
  using Limits = std::numeric_limits<T>;
  for (int exponent = Limits::min_exponent - Limits::digits; exponent <= Limits::max_exponent - 1;
       ++exponent) {
    for (const double significand : {1.0, 1.19, 1.41421356, 1.73, 1.999999}) {
      const T value = std::ldexp(static_cast<T>(significand), exponent);
      values.insert(values.end(), {value, -value});
    }
  }
  for (const T special : {T(0), Limits::infinity(), Limits::quiet_NaN(), Limits::max(),
                          Limits::denorm_min(), Limits::min(), T(1)}) {
    values.insert(values.end(), {special, -special});
  }
  for (int i = -110000; i <= 110000; ++i) values.push_back(static_cast<T>(i * 1.003e-3));
  while (values.size() % 64 != 21) values.push_back(T(0.5));
  return values;
}

struct Function {
  Op op;
  long double (*exact)(long double);
};
const Function kFunctions[] = {
    {Op::kExp, [](long double x) { return std::exp(x); }},
    {Op::kLog, [](long double x) { return std::log(x); }},
    {Op::kTanh, [](long double x) { return std::tanh(x); }},
    {Op::kErf, [](long double x) { return std::erf(x); }},
    {Op::kSigmoid,
     [](long double x) {
       return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
     }},
    {Op::kSqrt, [](long double x) { return std::sqrt(x); }},
    {Op::kRsqrt, [](long double x) { return 1 / std::sqrt(x); }},
};

template <typename T>
void ExpectWithinUlps(const Backend& backend, DType type, bool vector, bool optimize) {
  const std::vector<T> values = Arguments<T>();
  const int64_t n = static_cast<int64_t>(values.size());
  for (const Function& function : kFunctions) {
    LoopBuilder b;
    const int x = b.Input("x", type, {n});
    const int out = b.Output("out", type, {n});
    const auto body = [&](Expr i) { return b.Write(out, {i}, Unary(function.op, b.At(x, {i}))); };
    const LoopProgram program = b.Finish(vector ? b.Vector(n, body) : b.Serial(n, body));
    std::vector<GuardedMemory> arguments = MakeArguments(program, 1);
    std::copy(values.begin(), values.end(), arguments[0].as<T>());
    const auto kernel = backend.Compile(program, {optimize}).value();
    ASSERT_TRUE(RunKernel(*kernel, arguments));
    double worst = 0;
    T where = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double want = static_cast<double>(function.exact(values[i]));
      const double ulps = Ulps(arguments[1].as<T>()[i], want);
      if (ulps > worst) std::tie(worst, where) = std::pair(ulps, values[i]);
    }
    EXPECT_LE(worst, kMostUlps) << NameOf(backend, optimize) << " " << OpName(function.op)
                                << (vector ? " vector" : " scalar") << " at " << where;
  }
}

TEST(VectorMath, WithinFourUlps) {
  for (const auto& backend : LlvmBackends()) {
    for (const bool vector : {true, false}) {
      ExpectWithinUlps<float>(*backend, DType::kF32, vector, true);
      ExpectWithinUlps<double>(*backend, DType::kF64, vector, true);
    }
    ExpectWithinUlps<float>(*backend, DType::kF32, false, false);
  }
}

TEST(VectorMath, PowersWithinFourUlps) {
  const std::vector<float> bases{0.001f, 0.5f, 0.99f, 1.0f, 1.01f, 2.0f, 3.7f, 100.0f, 1e30f};
  const std::vector<float> exponents{-7.5f, -1.0f, -0.01f, 0.0f, 0.3f, 1.0f, 2.0f, 11.25f};
  const int64_t n = static_cast<int64_t>(bases.size() * exponents.size());
  for (const auto& backend : LlvmBackends()) {
    LoopBuilder b;
    const int x = b.Input("x", DType::kF32, {n});
    const int y = b.Input("y", DType::kF32, {n});
    const int out = b.Output("out", DType::kF32, {n});
    const LoopProgram program = b.Finish(b.Vector(n, [&](Expr i) {
      return b.Write(out, {i}, Binary(Op::kPow, b.At(x, {i}), b.At(y, {i})));
    }));
    std::vector<GuardedMemory> arguments = MakeArguments(program, 1);
    for (int64_t i = 0; i < n; ++i) {
      arguments[0].as<float>()[i] = bases[i % bases.size()];
      arguments[1].as<float>()[i] = exponents[i / bases.size()];
    }
    ASSERT_TRUE(RunKernel(*backend->Compile(program, {}).value(), arguments));
    for (int64_t i = 0; i < n; ++i) {
      const double base = arguments[0].as<float>()[i], exponent = arguments[1].as<float>()[i];
      EXPECT_LE(Ulps(arguments[2].as<float>()[i], std::pow(base, exponent)), kMostUlps)
          << base << " to the power of " << exponent;
    }
  }
}

}  // namespace
}  // namespace schedulegym
