#include "tests/fuzz/computations/operation_forms.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <type_traits>
#include <variant>

namespace schedulegym {
namespace {

constexpr DType kTypes[] = {DType::kF32, DType::kF64, DType::kI32, DType::kI8};

std::string OperationName(const ExprNode& node) {
  if (node.op == Op::kNegate) return "negate";
  if (node.op == Op::kCast) return std::string("from ") + DTypeName(node.args[0]->type);
  return OpName(node.op);
}

class Collector {
 public:
  std::set<OperationForm> Run(const LoopProgram& program) {
    Enter(*program.body);
    return std::move(forms_);
  }

 private:
  void Enter(const Statement& statement) {
    std::visit([this](const auto& node) { Enter(node); }, statement.node);
  }
  void Enter(const For& loop) {
    const bool is_vector = loop.kind == LoopKind::kVector && loop.extent > 1;
    if (is_vector) lane_ = loop.variable;
    Enter(*loop.body);
    if (is_vector) lane_.reset();
  }
  void Enter(const Let& let) { Enter(*let.body); }
  void Enter(const Allocate& allocate) { Enter(*allocate.body); }
  void Enter(const If& branch) {
    Collect(*branch.condition);
    Enter(*branch.then_body);
    if (branch.else_body) Enter(*branch.else_body);
  }
  void Enter(const Block& block) {
    for (const StatementPtr& part : block.statements) Enter(*part);
  }
  void Enter(const Store& store) { Collect(*store.value); }
  void Enter(const Barrier&) {}

  // Returns whether the value differs from lane to lane.
  bool Collect(const ExprNode& node) {
    bool vector = node.op == Op::kVariable && lane_ == node.id;
    for (const Expr& arg : node.args) vector |= Collect(*arg);
    const bool is_leaf = node.args.empty() || node.op == Op::kRead;
    const DType type =
        is_leaf || node.op == Op::kCast || node.op == Op::kSelect ? node.type : node.args[0]->type;
    if (!is_leaf && type != DType::kIndex) forms_.insert({OperationName(node), type, vector});
    return vector;
  }

  std::optional<int> lane_;
  std::set<OperationForm> forms_;
};

}  // namespace

std::set<OperationForm> OperationFormsOf(const LoopProgram& program) {
  return Collector().Run(program);
}

std::vector<OperationForm> EveryOperationForm() {
  std::vector<OperationForm> forms;
  const auto add = [&](const std::string& operation, DType type) {
    for (bool vector : {false, true}) forms.push_back({operation, type, vector});
  };
  for (const char* logic : {"!", "&&", "||"}) add(logic, DType::kBool);
  for (DType type : kTypes) {
    for (const char* any : {"+", "-", "*", "/", "negate", "abs", "min", "max", "select", "<",
                            "<=", ">", ">=", "==", "!="}) {
      add(any, type);
    }
    for (const char* whole : {"//", "%"}) {
      if (!IsFloating(type)) add(whole, type);
    }
    for (const char* function :
         {"exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid", "erf", "floor", "pow"}) {
      if (IsFloating(type)) add(function, type);
    }
    for (DType from : {DType::kF32, DType::kF64, DType::kI32, DType::kI8, DType::kIndex}) {
      if (from != type) add(std::string("from ") + DTypeName(from), type);
    }
  }
  return forms;
}

std::string OperationTable(const std::map<OperationForm, int64_t>& counts) {
  std::map<std::string, std::map<std::string, int64_t>> rows;
  std::set<std::string> columns;
  const auto column = [](const OperationForm& form) {
    return std::string(DTypeName(form.type)) + (form.vector ? " vector" : " scalar");
  };
  const std::vector<OperationForm> every = EveryOperationForm();
  for (const OperationForm& form : every) rows[form.operation][column(form)] = 0;
  for (const auto& [form, count] : counts) rows[form.operation][column(form)] = count;
  for (const auto& [operation, cells] : rows) {
    for (const auto& [name, count] : cells) columns.insert(name);
  }
  const auto cell = [](const std::string& text) {
    return std::string(text.size() < 12 ? 12 - text.size() : 1, ' ') + text;
  };
  std::string table = cell("");
  for (const std::string& name : columns) table += cell(name);
  for (const auto& [operation, cells] : rows) {
    table += "\n" + cell(operation);
    for (const std::string& name : columns) {
      const auto found = cells.find(name);
      table += cell(found == cells.end() ? "-" : std::to_string(found->second));
    }
  }
  return table + "\n";
}

}  // namespace schedulegym
