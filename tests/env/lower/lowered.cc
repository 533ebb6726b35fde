#include "tests/env/lower/lowered.h"

#include <algorithm>

#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/support/program_runner.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

class Execution {
 public:
  Execution(const LoopProgram& program, const StoreVisitor& visit)
      : visit_(visit), values_(program.variables.size()) {}

  void Run(const StatementPtr& statement) {
    std::visit([this](const auto& node) { Step(node); }, statement->node);
  }

 private:
  void Step(const For& loop) {
    for (int64_t i = loop.begin; i < loop.begin + loop.extent; ++i) {
      values_[loop.variable] = i;
      Run(loop.body);
    }
  }
  void Step(const Let& let) {
    values_[let.variable] = Evaluate(let.value, values_);
    Run(let.body);
  }
  void Step(const If& branch) {
    const StatementPtr& side =
        Evaluate(branch.condition, values_) != 0 ? branch.then_body : branch.else_body;
    if (side) Run(side);
  }
  void Step(const Allocate& allocate) { Run(allocate.body); }
  void Step(const Store& store) {
    std::vector<int64_t> indices;
    for (const Expr& index : store.indices) indices.push_back(Evaluate(index, values_));
    visit_(store, indices);
  }
  void Step(const Block& block) {
    for (const StatementPtr& statement : block.statements) Run(statement);
  }
  void Step(const Barrier&) {}

  const StoreVisitor& visit_;
  std::vector<int64_t> values_;
};

}  // namespace

std::string BodyOf(const LoopProgram& program) {
  const std::string text = program.ToText();
  const std::string statements = text.substr(0, text.find("\n\npack ") + 1);
  const std::string& whole = statements.empty() ? text : statements;
  const size_t last_view = whole.rfind("\nview ");
  return whole.substr(whole.find('\n', last_view + 1) + 1);
}

std::string BodyOf(std::string_view dag, std::string_view steps) {
  return BodyOf(Lower(StateAfter(dag, steps)).value());
}

std::string FaultOf(std::string_view dag, std::string_view steps) {
  const auto task = TaskOf(dag, BackendKind::kInterpreter);
  const auto interpreter = MakeInterpreter(task->target);
  return Differential(task, 1).Run(StateAfter(task, steps), *interpreter).message;
}

std::vector<int32_t> Outcome(std::string_view dag, std::string_view steps,
                             const std::vector<std::vector<int32_t>>& inputs) {
  const auto task = TaskOf(dag, BackendKind::kInterpreter);
  const LoopProgram program = Lower(StateAfter(task, steps)).value();
  const auto kernel = MakeInterpreter(task->target)->Compile(program, {}).value();
  std::vector<GuardedMemory> arguments = MakeArguments(program, 1);
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::copy(inputs[i].begin(), inputs[i].end(), arguments[i].as<int32_t>());
  }
  const auto run = RunKernel(*kernel, arguments);
  EXPECT_TRUE(run.ok()) << run.error().message;
  GuardedMemory& output = arguments.back();
  return {output.as<int32_t>(), output.as<int32_t>() + output.bytes() / 4};
}

void ForEachStore(const LoopProgram& program, const StoreVisitor& visit) {
  Execution(program, visit).Run(program.body);
}

}  // namespace schedulegym
