#include "env/program/language/bounds.h"

namespace schedulegym {
namespace {

class BoundsCheck {
 public:
  BoundsCheck(const std::vector<int64_t>& extents, const std::vector<std::vector<int64_t>>& shapes)
      : extents_(extents), shapes_(shapes) {}

  std::optional<UnprovenRead> Run(const Expr& body) {
    Prover prover;
    for (size_t i = 0; i < extents_.size(); ++i) {
      prover.SetRange(static_cast<int>(i), {0, extents_[i] - 1});
    }
    return Check(body, prover);
  }

 private:
  using Answer = std::optional<UnprovenRead>;

  Answer Check(const Expr& expr, const Prover& prover) {
    if (expr->type == DType::kIndex) return std::nullopt;
    switch (expr->op) {
      case Op::kRead: return CheckRead(expr, prover);
      case Op::kSelect: {
        if (Answer fault = Check(expr->args[0], prover)) return fault;
        if (Answer fault = CheckUnder(expr->args[0], true, expr->args[1], prover)) return fault;
        return CheckUnder(expr->args[0], false, expr->args[2], prover);
      }
      // The second operand is evaluated only where the first does not decide.
      case Op::kAnd:
      case Op::kOr:
        if (Answer fault = Check(expr->args[0], prover)) return fault;
        return CheckUnder(expr->args[0], expr->op == Op::kAnd, expr->args[1], prover);
      default: break;
    }
    for (const Expr& arg : expr->args) {
      if (Answer fault = Check(arg, prover)) return fault;
    }
    return std::nullopt;
  }

  Answer CheckUnder(const Expr& condition, bool truth, const Expr& expr, const Prover& prover) {
    if (!Reads(expr)) return std::nullopt;
    Prover inner = prover;
    inner.Assume(condition, truth);
    return Check(expr, inner);
  }

  static bool Reads(const Expr& expr) {
    if (expr->op == Op::kRead) return true;
    for (const Expr& arg : expr->args) {
      if (Reads(arg)) return true;
    }
    return false;
  }

  Answer CheckRead(const Expr& read, const Prover& prover) {
    const std::vector<int64_t>& shape = shapes_[read->id];
    const RangeOf range_of = [this](int id) { return Range{0, extents_[id] - 1}; };
    for (size_t i = 0; i < shape.size(); ++i) {
      const Range possible = BoundsOf(read->args[i], range_of);
      if (possible.low >= 0 && possible.high < shape[i]) continue;
      if (prover.ProvesWithin(read->args[i], {0, shape[i] - 1})) continue;
      return UnprovenRead{read, static_cast<int>(i), possible};
    }
    return std::nullopt;
  }

  const std::vector<int64_t>& extents_;
  const std::vector<std::vector<int64_t>>& shapes_;
};

}  // namespace

std::optional<UnprovenRead> FindUnprovenRead(const Expr& body, const std::vector<int64_t>& extents,
                                             const std::vector<std::vector<int64_t>>& shapes) {
  return BoundsCheck(extents, shapes).Run(body);
}

}  // namespace schedulegym
