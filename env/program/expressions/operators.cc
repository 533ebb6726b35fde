#include "env/program/expressions/operators.h"

#include <cmath>
#include <limits>
#include <string>

#include "env/base/check.h"

namespace schedulegym {
namespace {

template <typename T>
int64_t Saturate(double value) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(Limits::min())) return Limits::min();
  if (value >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<int64_t>(value);
}

// By the form whose exponential does not overflow.
double Sigmoid(double x) {
  const double t = std::exp(-std::abs(x));
  return (x < 0 ? t : 1) / (1 + t);
}

}  // namespace

double FloatUnary(Op op, double x) {
  switch (op) {
    case Op::kNegate: return -x;
    case Op::kAbs: return std::abs(x);
    case Op::kExp: return std::exp(x);
    case Op::kLog: return std::log(x);
    case Op::kSqrt: return std::sqrt(x);
    case Op::kRsqrt: return 1 / std::sqrt(x);
    case Op::kTanh: return std::tanh(x);
    case Op::kSigmoid: return Sigmoid(x);
    case Op::kErf: return std::erf(x);
    case Op::kFloor: return std::floor(x);
    default: break;
  }
  SG_CHECK(false, std::string("no function of one number: ") + OpName(op));
}

int64_t SaturateToType(DType type, double value) {
  switch (type) {
    case DType::kI8: return Saturate<int8_t>(value);
    case DType::kI32: return Saturate<int32_t>(value);
    case DType::kBool: return value != 0;
    default: return Saturate<int64_t>(value);
  }
}

Op Inverted(Op op) {
  switch (op) {
    case Op::kLess: return Op::kGreaterEqual;
    case Op::kLessEqual: return Op::kGreater;
    case Op::kGreater: return Op::kLessEqual;
    case Op::kGreaterEqual: return Op::kLess;
    case Op::kEqual: return Op::kNotEqual;
    default: return Op::kEqual;
  }
}

}  // namespace schedulegym
