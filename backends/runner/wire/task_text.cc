#include "backends/runner/wire/task_text.h"

#include <utility>

#include "env/base/fault.h"
#include "env/program/language/parser.h"

namespace schedulegym {

TaskText TextOf(const Task& task) { return {task.dag.ToText(), task.target.ToText(), task.name}; }

std::shared_ptr<const Task> MakeTask(const TaskText& text) {
  Result<ComputeDag> dag = ParseDag(text.dag, text.name);
  if (!dag) throw InputError(dag.error().message);
  const Result<Spec> target = ParseSpec(text.target);
  if (!target) throw InputError(target.error().message);
  return std::make_shared<const Task>(Task{*std::move(dag), MakeTarget(*target), text.name});
}

}  // namespace schedulegym
