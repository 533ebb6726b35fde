#include "env/program/operators.h"

#include <cmath>
#include <string>

#include "env/base/check.h"

namespace schedulegym {

double FloatUnary(Op op, double x) {
  switch (op) {
    case Op::kNegate: return -x;
    case Op::kAbs: return std::abs(x);
    case Op::kExp: return std::exp(x);
    case Op::kLog: return std::log(x);
    case Op::kSqrt: return std::sqrt(x);
    case Op::kRsqrt: return 1 / std::sqrt(x);
    case Op::kTanh: return std::tanh(x);
    case Op::kSigmoid: return 1 / (1 + std::exp(-x));
    case Op::kErf: return std::erf(x);
    case Op::kFloor: return std::floor(x);
    default: break;
  }
  SG_CHECK(false, std::string("no function of one number: ") + OpName(op));
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
