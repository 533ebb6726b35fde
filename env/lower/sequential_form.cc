#include "env/lower/sequential_form.h"

#include <utility>
#include <vector>

#include "env/lower/cut_loops.h"
#include "env/lower/statements.h"

namespace schedulegym {
namespace {

StatementPtr InParallel(const StatementPtr& statement) {
  std::vector<StatementPtr> parts = PartsOf(*statement);
  for (StatementPtr& part : parts) part = InParallel(part);
  StatementPtr made = WithParts(*statement, std::move(parts));
  const auto* loop = std::get_if<For>(&made->node);
  if (!loop || !IsGpuLoop(loop->kind)) return made;
  For parallel = *loop;
  parallel.kind = LoopKind::kParallel;
  return MakeStatement(std::move(parallel));
}

}  // namespace

LoopProgram SequentialForm(LoopProgram program) {
  program.body = InParallel(CutLoops(program, program.body, CutLoopKind::kThread));
  for (Buffer& buffer : program.buffers) {
    // Each buffer has memory of its own.
    if (buffer.scope == MemoryScope::kShared) buffer.byte_offset = 0;
  }
  return program;
}

}  // namespace schedulegym
