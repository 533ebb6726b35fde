#include "backends/device_text/named_values.h"

#include "env/lower/statements.h"

namespace schedulegym {

NamedValues::NamedValues(const Statement& kernel) {
  ForEachStatement(kernel, [this](const Statement& statement) {
    if (const auto* let = std::get_if<Let>(&statement.node)) {
      values_[let->variable] = VariablesOf(let->value);
    }
  });
}

std::set<int> NamedValues::VariablesOf(const Expr& expr) const {
  std::set<int> variables;
  Visit(expr, [&](const ExprNode& node) {
    if (node.op != Op::kVariable) return;
    variables.insert(node.id);
    const auto value = values_.find(node.id);
    if (value != values_.end()) variables.insert(value->second.begin(), value->second.end());
  });
  return variables;
}

}  // namespace schedulegym
