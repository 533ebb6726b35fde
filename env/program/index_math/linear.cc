// Sums of terms coefficient * atom, where an atom is a variable or what is not linear, and their
// floor division. Divide splits value = high * m + low, with m dividing each coefficient of high;
// where the bounds put low into one multiple of m,  k m <= low < (k + 1) m,
//   value // m = high + k       value % m = low - k m
// Otherwise it divides by the largest divisor of m for which that works, and then by the rest.
// Nested quotients and remainders join: (x // a) // b = x // (a b), and (x % a) % b = x % b where b
// divides a; JoinDivisions makes c (x % d) + c d (x // d) into c x. CompareWithZero decides a
// comparison by its bounds, else divides by the gcd. Cost: adding a term is O(terms); a division
// tries one divisor a term.
#include "env/program/index_math/linear.h"

#include <numeric>
#include <optional>

#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

bool SameAtom(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (a->op != b->op) return false;
  return a->op == Op::kVariable ? a->id == b->id : Equal(a, b);
}

// The k with k m <= value < (k + 1) m for all values of the range; nullopt if there is none.
std::optional<int64_t> Bucket(Range range, int64_t m) {
  if (range.low <= -kUnbounded || range.high >= kUnbounded) return std::nullopt;
  const int64_t bucket = FloorDivide(range.low, m);
  if (bucket != FloorDivide(range.high, m)) return std::nullopt;
  return bucket;
}

// Splits value = high * m + low, where low has the terms that m does not divide.
void SplitBy(const Linear& value, int64_t m, Linear* high, Linear* low) {
  for (const Linear::Term& term : value.terms) {
    const bool divides = term.coefficient % m == 0;
    Linear* part = divides ? high : low;
    part->terms.push_back(
        {term.atom, divides ? term.coefficient / m : term.coefficient, term.range});
  }
  high->constant = FloorDivide(value.constant, m);
  low->constant = value.constant - high->constant * m;
}

bool IsLoneAtom(const Linear& value, Op op) {
  return value.constant == 0 && value.terms.size() == 1 && value.terms[0].coefficient == 1 &&
         value.terms[0].atom->op == op && value.terms[0].atom->args[1]->op == Op::kInteger;
}

// value // divisor as an atom; (x // a) // b is x // (a * b).
Expr QuotientAtom(const Linear& value, int64_t divisor) {
  if (IsLoneAtom(value, Op::kFloorDivide)) {
    const ExprNode& inner = *value.terms[0].atom;
    return Binary(Op::kFloorDivide, inner.args[0], IndexConstant(inner.args[1]->integer * divisor));
  }
  return Binary(Op::kFloorDivide, value.ToExpr(), IndexConstant(divisor));
}

// value % divisor as an atom; (x % a) % b is x % b where b divides a.
Expr RemainderAtom(const Linear& value, int64_t divisor) {
  if (IsLoneAtom(value, Op::kModulo)) {
    const ExprNode& inner = *value.terms[0].atom;
    if (inner.args[1]->integer % divisor == 0) {
      return Binary(Op::kModulo, inner.args[0], IndexConstant(divisor));
    }
  }
  return Binary(Op::kModulo, value.ToExpr(), IndexConstant(divisor));
}

// The largest proper divisor m of `divisor` such that value = high * m + low with low in one
// bucket of m; 1 if there is none.
int64_t InnerDivisor(const Linear& value, int64_t divisor) {
  int64_t best = value.Divisor(divisor);
  for (const Linear::Term& term : value.terms) {
    const int64_t m = std::gcd(term.coefficient, divisor);
    if (m <= best || m == divisor) continue;
    Linear high, low;
    SplitBy(value, m, &high, &low);
    if (Bucket(low.Bounds(), m)) best = m;
  }
  return best;
}

Division DivideRest(const Linear& rest, int64_t divisor) {
  Division result;
  const Range bounds = rest.Bounds();
  const int64_t m = InnerDivisor(rest, divisor);
  if (m == 1) {
    result.quotient.Add(QuotientAtom(rest, divisor), 1, FloorDivide(bounds, divisor));
    result.remainder.Add(RemainderAtom(rest, divisor), 1, FloorModulo(bounds, divisor));
    return result;
  }
  Linear high, low;
  SplitBy(rest, m, &high, &low);
  const int64_t bucket = *Bucket(low.Bounds(), m);
  high.constant += bucket;
  low.constant -= bucket * m;
  const Division inner = Divide(high, divisor / m);
  result.quotient = inner.quotient;
  result.remainder = std::move(low);
  result.remainder.Add(inner.remainder, m);
  return result;
}

Op Mirrored(Op op) {
  switch (op) {
    case Op::kLess: return Op::kGreater;
    case Op::kLessEqual: return Op::kGreaterEqual;
    case Op::kGreater: return Op::kLess;
    case Op::kGreaterEqual: return Op::kLessEqual;
    default: return op;
  }
}

// The truth of `value op 0`; nullopt if the range of value does not decide it.
std::optional<bool> Decided(Op op, Range value) {
  const bool negative = value.high < 0;
  const bool positive = value.low > 0;
  const bool at_most = value.high <= 0;
  const bool at_least = value.low >= 0;
  const bool zero = at_most && at_least;
  const auto answer = [](bool yes, bool no) -> std::optional<bool> {
    if (yes || no) return yes;
    return std::nullopt;
  };
  switch (op) {
    case Op::kLess: return answer(negative, at_least);
    case Op::kLessEqual: return answer(at_most, positive);
    case Op::kGreater: return answer(positive, at_most);
    case Op::kGreaterEqual: return answer(at_least, negative);
    case Op::kEqual: return answer(zero, negative || positive);
    default: return answer(negative || positive, zero);
  }
}

// The constant after dividing `divisor * x + constant op 0` by the divisor.
int64_t Tightened(Op op, int64_t constant, int64_t divisor) {
  const bool down = op == Op::kLess || op == Op::kGreaterEqual;
  return down ? FloorDivide(constant, divisor) : CeilDivide(constant, divisor);
}

}  // namespace

void Linear::Add(const Expr& atom, int64_t coefficient, Range range) {
  if (coefficient == 0) return;
  const bool is_variable = atom->op == Op::kVariable;
  size_t position = 0;
  for (; position < terms.size(); ++position) {
    const Expr& other = terms[position].atom;
    if (SameAtom(other, atom)) {
      terms[position].coefficient += coefficient;
      if (terms[position].coefficient == 0) {
        terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(position));
      }
      return;
    }
    if (is_variable && (other->op != Op::kVariable || other->id > atom->id)) break;
  }
  terms.insert(terms.begin() + static_cast<std::ptrdiff_t>(position), {atom, coefficient, range});
}

void Linear::Add(const Linear& other, int64_t factor) {
  for (const Term& term : other.terms) Add(term.atom, term.coefficient * factor, term.range);
  constant += other.constant * factor;
}

Range Linear::Bounds() const {
  Range bounds{constant, constant};
  for (const Term& term : terms) bounds = Plus(bounds, Times(term.range, term.coefficient));
  return bounds;
}

int64_t Linear::Divisor(int64_t start) const {
  for (const Term& term : terms) start = std::gcd(start, term.coefficient);
  return start;
}

Expr Linear::ToExpr() const {
  Expr sum;
  // Starts with a positive term, else with a positive constant, so that no sum starts with a minus.
  const Term* lead = nullptr;
  for (const Term& term : terms) {
    if (lead == nullptr && term.coefficient > 0) lead = &term;
  }
  bool constant_leads = lead == nullptr && constant > 0;
  if (constant_leads) sum = IndexConstant(constant);
  const auto append = [&](const Term& term) {
    const bool subtract = sum != nullptr && term.coefficient < 0;
    const int64_t size = subtract ? -term.coefficient : term.coefficient;
    Expr value = size == 1 ? term.atom : term.atom * IndexConstant(size);
    if (sum == nullptr) {
      sum = std::move(value);
    } else {
      sum = Binary(subtract ? Op::kSubtract : Op::kAdd, std::move(sum), std::move(value));
    }
  };
  if (lead != nullptr) append(*lead);
  for (const Term& term : terms) {
    if (&term != lead) append(term);
  }
  if (sum == nullptr) return IndexConstant(constant);
  if (constant_leads) return sum;
  return constant < 0 ? sum - IndexConstant(-constant) : sum + IndexConstant(constant);
}

Division Divide(const Linear& value, int64_t divisor) {
  Linear high, low;
  SplitBy(value, divisor, &high, &low);
  if (const auto bucket = Bucket(low.Bounds(), divisor)) {
    high.constant += *bucket;
    low.constant -= *bucket * divisor;
    return {std::move(high), std::move(low)};
  }
  Division result = DivideRest(low, divisor);
  high.Add(result.quotient, 1);
  result.quotient = std::move(high);
  return result;
}

void JoinDivisions(Linear* sum, const std::function<Linear(const Expr&)>& collect) {
  for (size_t i = 0; i < sum->terms.size(); ++i) {
    const Linear::Term remainder = sum->terms[i];
    if (remainder.atom->op != Op::kModulo) continue;
    const Expr& divisor = remainder.atom->args[1];
    if (divisor->op != Op::kInteger) continue;
    const Linear value = collect(remainder.atom->args[0]);
    const Expr quotient = QuotientAtom(value, divisor->integer);
    for (size_t j = 0; j < sum->terms.size(); ++j) {
      const Linear::Term& other = sum->terms[j];
      if (other.coefficient != remainder.coefficient * divisor->integer) continue;
      if (!SameAtom(other.atom, quotient)) continue;
      sum->Add(Expr(other.atom), -other.coefficient, {});
      sum->Add(remainder.atom, -remainder.coefficient, {});
      sum->Add(value, remainder.coefficient);
      JoinDivisions(sum, collect);
      return;
    }
  }
}

Expr CompareWithZero(Op op, const Linear& difference) {
  if (const auto answer = Decided(op, difference.Bounds())) return BoolConstant(*answer);
  const int64_t divisor = difference.Divisor(0);
  const bool is_equality = op == Op::kEqual || op == Op::kNotEqual;
  if (is_equality && difference.constant % divisor != 0) return BoolConstant(op == Op::kNotEqual);
  Linear left, right;
  for (const Linear::Term& term : difference.terms) {
    const int64_t coefficient = term.coefficient / divisor;
    Linear& side = coefficient > 0 ? left : right;
    side.terms.push_back({term.atom, coefficient > 0 ? coefficient : -coefficient, term.range});
  }
  const int64_t constant = Tightened(op, difference.constant, divisor);
  if (left.IsConstant()) {
    right.constant = 0;
    return Binary(Mirrored(op), right.ToExpr(), IndexConstant(constant));
  }
  if (constant > 0 && !right.IsConstant()) {
    left.constant = constant;
  } else {
    right.constant = -constant;
  }
  return Binary(op, left.ToExpr(), right.ToExpr());
}

}  // namespace schedulegym
