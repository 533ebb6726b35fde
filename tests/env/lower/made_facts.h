// Made facts: short names for the facts and indices that tests of them write by hand.
#pragma once

#include "env/lower/fact.h"

namespace schedulegym {

inline Expr V(int id) { return Variable(id); }
inline Expr N(int64_t value) { return IndexConstant(value); }
inline Expr Less(const Expr& a, const Expr& b) { return Binary(Op::kLess, a, b); }

// From 0 on.
inline Fact RangeFact(int variable, int64_t extent) {
  return {Fact::Kind::kRange, variable, {0, extent - 1}, nullptr};
}
inline Fact ValueFact(int variable, const Expr& value) {
  return {Fact::Kind::kValue, variable, {}, value};
}
inline Fact True(const Expr& condition) { return {Fact::Kind::kTrue, 0, {}, condition}; }

}  // namespace schedulegym
