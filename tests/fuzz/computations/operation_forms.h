// OperationForms: the operations of a loop program, with their types, on scalars or vectors.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "env/lower/loop_program.h"

namespace schedulegym {

struct OperationForm {
  std::string operation;  // "+", "negate", "from i8" (a conversion), "exp"
  DType type;             // of the operand; for conversions, of the result
  bool vector = false;    // differs from lane to lane of a vector loop

  auto operator<=>(const OperationForm&) const = default;
};

// Index arithmetic does not count.
std::set<OperationForm> OperationFormsOf(const LoopProgram& program);

// All forms that computations of f32, f64, i32 and i8 can have.
std::vector<OperationForm> EveryOperationForm();

// A row for each operation, a column for each type and form.
std::string OperationTable(const std::map<OperationForm, int64_t>& counts);

}  // namespace schedulegym
