#include "env/lower/device_form.h"

#include <utility>

#include "env/lower/cut_loops.h"
#include "env/lower/merge_threads.h"
#include "env/lower/place_barriers.h"
#include "env/lower/statements.h"

namespace schedulegym {
namespace {

Result<StatementPtr> Formed(LoopProgram& program, const StatementPtr& kernel) {
  if (!AllocatesShared(program, *kernel)) return kernel;
  const Result<StatementPtr> merged = MergeThreads(program, kernel);
  if (!merged) return merged;
  return CutLoops(program, PlaceBarriers(program, *merged), CutLoopKind::kVthread);
}

// Makes a kernel of each statement of a sequence at the top, inside the allocations that they
// share.
Result<StatementPtr> EachKernel(LoopProgram& program, const StatementPtr& statement) {
  const auto* allocate = std::get_if<Allocate>(&statement->node);
  const bool is_around =
      std::holds_alternative<Block>(statement->node) ||
      (allocate && program.buffers[allocate->buffer].scope == MemoryScope::kGlobal);
  if (!is_around) return Formed(program, statement);
  std::vector<StatementPtr> parts = PartsOf(*statement);
  for (StatementPtr& part : parts) {
    Result<StatementPtr> made = EachKernel(program, part);
    if (!made) return made;
    part = *std::move(made);
  }
  return WithParts(*statement, std::move(parts));
}

}  // namespace

Result<LoopProgram> DeviceForm(LoopProgram program) {
  Result<StatementPtr> body = EachKernel(program, program.body);
  if (!body) return body.error();
  program.body = *std::move(body);
  return program;
}

}  // namespace schedulegym
