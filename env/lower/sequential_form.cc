#include "env/lower/sequential_form.h"

#include <utility>
#include <vector>

namespace schedulegym {
namespace {

StatementPtr Rewritten(const StatementPtr& statement);

Statement RewrittenNode(const For& loop) {
  For made = loop;
  if (IsGpuLoop(loop.kind)) made.kind = LoopKind::kParallel;
  made.body = Rewritten(loop.body);
  return {made};
}

Statement RewrittenNode(const Let& let) {
  return {Let{let.variable, let.value, Rewritten(let.body)}};
}

Statement RewrittenNode(const If& branch) {
  return {If{branch.condition, Rewritten(branch.then_body), Rewritten(branch.else_body)}};
}

Statement RewrittenNode(const Allocate& allocate) {
  return {Allocate{allocate.buffer, Rewritten(allocate.body)}};
}

Statement RewrittenNode(const Store& store) { return {store}; }

Statement RewrittenNode(const Block& block) {
  Block made;
  for (const StatementPtr& part : block.statements) made.statements.push_back(Rewritten(part));
  return {made};
}

StatementPtr Rewritten(const StatementPtr& statement) {
  if (!statement) return nullptr;
  return std::visit(
      [](const auto& node) { return std::make_shared<const Statement>(RewrittenNode(node)); },
      statement->node);
}

}  // namespace

LoopProgram SequentialForm(LoopProgram program) {
  program.body = Rewritten(program.body);
  return program;
}

}  // namespace schedulegym
