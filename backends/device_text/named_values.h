// NamedValues: of a kernel's named values, the variables that they are made of.
#pragma once

#include <map>
#include <set>

#include "env/lower/loop_program.h"

namespace schedulegym {

class NamedValues {
 public:
  explicit NamedValues(const Statement& kernel);

  // Of an expression, through the values that are named between.
  std::set<int> VariablesOf(const Expr& expr) const;

 private:
  std::map<int, std::set<int>> values_;
};

}  // namespace schedulegym
