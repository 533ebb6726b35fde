// Each fault changes a lowered program: a statement is removed, gets a condition, or stores to
// another cell.
#include "tests/support/gpu_faults.h"

#include <functional>
#include <utility>

#include "env/lower/lower.h"
#include "env/lower/statements.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

LoopProgram GpuProgram(const std::string& dag, const std::string& steps) {
  return Lower(StateAfter(TaskOf(dag, BackendKind::kOpenCl), steps)).value();
}

// Rows of 5 in two blocks, the last of one row; shared copies of 4 columns a step.
LoopProgram Rows() {
  return GpuProgram(
      "input A[6, 8] : i32\nC[i:6, j:8] = sum(k:8) A[i, k] * A[i, j]\n",
      "split(stage=C, loop=2, lengths=[4])\nreorder(stage=C, order=[0, 2, 1, 3])\n"
      "split(stage=C, loop=0, lengths=[5])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
      "bind(stage=C, loop=1, thread=threadIdx.x)\ncache_read(stage=A, scope=shared, readers=[C])\n"
      "compute_at(stage=A.shared, target=C, loop=2)\nsplit(stage=A.shared, loop=1, lengths=[4])\n"
      "bind(stage=A.shared, loop=2, thread=threadIdx.x)");
}

// Sums of rows, then of columns: the operands use the same bytes in turn.
LoopProgram CopiesInTurn() {
  return GpuProgram(
      "input A[4, 8] : i32\ninput B[4, 8] : i32\nS[i:4] = sum(k:8) A[i, k]\n"
      "C[i:4, j:8] = B[i, j] + S[i]\n",
      "bind(stage=C, loop=0, thread=threadIdx.x)\ncompute_at(stage=S, target=C, loop=0)\n"
      "cache_read(stage=A, scope=shared, readers=[S])\ncompute_at(stage=A.shared, target=S, "
      "loop=0)\ncache_read(stage=B, scope=shared, readers=[C])\n"
      "compute_at(stage=B.shared, target=C, loop=1)");
}

LoopProgram CopiesAtOnce() {
  return GpuProgram(
      "input A[4] : i32\ninput B[4] : i32\nC[i:4] = A[3 - i] + B[3 - i]\n",
      "bind(stage=C, loop=0, thread=threadIdx.x)\ncache_read(stage=A, scope=shared, readers=[C])\n"
      "cache_read(stage=B, scope=shared, readers=[C])\n"
      "compute_at(stage=A.shared, target=C, loop=0)\n"
      "compute_at(stage=B.shared, target=C, loop=0)");
}

LoopProgram SquareCopy() {
  return GpuProgram("input A[4, 4] : i32\nC[i:4, j:4] = A[i, j] * 3\n",
                    "bind(stage=C, loop=0, thread=threadIdx.x)\n"
                    "cache_read(stage=A, scope=shared, readers=[C])\n"
                    "compute_at(stage=A.shared, target=C, loop=0)\n"
                    "bind(stage=A.shared, loop=1, thread=threadIdx.x)");
}

// Eight threads share each sum.
LoopProgram SharedSums() {
  return GpuProgram(
      "input A[4, 16] : i32\nC[i:4] = sum(k:16) A[i, k]\n",
      "split(stage=C, loop=1, lengths=[8])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
      "bind(stage=C, loop=2, thread=threadIdx.x)");
}

using StatementChange = std::function<StatementPtr(const StatementPtr&)>;

// Changes the innermost statements first.
StatementPtr ChangedWithin(const StatementPtr& statement, const StatementChange& change) {
  std::vector<StatementPtr> parts = PartsOf(*statement);
  for (StatementPtr& part : parts) part = ChangedWithin(part, change);
  return change(WithParts(*statement, std::move(parts)));
}

}  // namespace

LoopProgram WithChange(LoopProgram program, const StatementChange& change) {
  program.body = ChangedWithin(program.body, change);
  return program;
}

LoopProgram WithoutBarrier(const LoopProgram& program, int dropped) {
  int count = 0;
  return WithChange(program, [&](const StatementPtr& statement) {
    const bool is_barrier = std::holds_alternative<Barrier>(statement->node);
    return is_barrier && count++ == dropped ? MakeStatement(Block{}) : statement;
  });
}

namespace {

// Only four of the threads reach the barrier.
LoopProgram WithDivergentBarriers(const LoopProgram& program) {
  int thread = -1;
  ForEachStatement(*program.body, [&](const Statement& statement) {
    const auto* loop = std::get_if<For>(&statement.node);
    if (loop && loop->kind == LoopKind::kThreadX) thread = loop->variable;
  });
  const Expr condition = Binary(Op::kLess, Variable(thread), IndexConstant(4));
  return WithChange(program, [&](const StatementPtr& statement) {
    const bool is_barrier = std::holds_alternative<Barrier>(statement->node);
    return is_barrier ? MakeStatement(If{condition, statement, nullptr}) : statement;
  });
}

LoopProgram WithoutGuards(const LoopProgram& program) {
  return WithChange(program, [](const StatementPtr& statement) {
    const auto* branch = std::get_if<If>(&statement->node);
    return branch && !branch->else_body ? branch->then_body : statement;
  });
}

LoopProgram WithOtherExtent(const LoopProgram& program, LoopKind kind, int64_t extent,
                            int64_t other) {
  return WithChange(program, [&](const StatementPtr& statement) {
    const auto* loop = std::get_if<For>(&statement->node);
    if (!loop || loop->kind != kind || loop->extent != extent) return statement;
    return MakeStatement(For{loop->variable, 0, other, kind, loop->body});
  });
}

LoopProgram WithOtherStores(const LoopProgram& program, const std::string& buffer,
                            const std::function<void(Store&)>& change) {
  return WithChange(program, [&](const StatementPtr& statement) {
    const auto* store = std::get_if<Store>(&statement->node);
    if (!store || program.buffers[store->buffer].name != buffer) return statement;
    Store made = *store;
    change(made);
    return MakeStatement(std::move(made));
  });
}

LoopProgram WithOneArenaPlace(LoopProgram program) {
  for (Buffer& buffer : program.buffers) {
    if (buffer.scope == MemoryScope::kShared) buffer.byte_offset = 0;
  }
  return program;
}

// Moves registers into memory shared by all threads, after the other shared buffers.
LoopProgram WithCommonLocals(const LoopProgram& program) {
  constexpr int64_t kBehind = 256;
  LoopProgram made = program;
  for (Buffer& buffer : made.buffers) {
    if (buffer.scope != MemoryScope::kLocal) continue;
    buffer.scope = MemoryScope::kShared;
    buffer.byte_offset = kBehind;
  }
  int local = -1;
  made = WithChange(std::move(made), [&](const StatementPtr& statement) {
    const auto* allocate = std::get_if<Allocate>(&statement->node);
    if (!allocate || program.buffers[allocate->buffer].scope != MemoryScope::kLocal) {
      return statement;
    }
    local = allocate->buffer;
    return allocate->body;
  });
  made.body = MakeStatement(Allocate{local, made.body});
  return made;
}

}  // namespace

std::vector<GpuFault> PlantedGpuFaults() {
  const LoopProgram rows = Rows(), in_turn = CopiesInTurn(), at_once = CopiesAtOnce();
  const LoopProgram square = SquareCopy(), sums = SharedSums();
  const auto transposed = [](Store& store) { std::swap(store.indices[0], store.indices[1]); };
  const auto further = [](Store& store) { store.indices[0] = store.indices[0] + IndexConstant(1); };
  const auto at_row_0 = [](Store& store) { store.indices[0] = IndexConstant(0); };
  return {
      {"BarrierDroppedBeforeALoop", in_turn, WithoutBarrier(in_turn, 0)},
      {"BarrierDroppedBehindALoop", at_once, WithoutBarrier(at_once, 0)},
      {"BarrierDroppedWithinALoop", in_turn, WithoutBarrier(in_turn, 2)},
      {"BarrierDroppedWhereALoopComesBack", in_turn, WithoutBarrier(in_turn, 1)},
      {"DivergentBarrier", rows, WithDivergentBarriers(rows)},
      {"ShortRegion", rows, WithOtherExtent(rows, LoopKind::kSerial, 5, 4)},
      {"DroppedGuard", rows, WithoutGuards(rows)},
      {"WrongGrid", rows, WithOtherExtent(rows, LoopKind::kBlockX, 2, 1)},
      {"TransposedIndex", square, WithOtherStores(square, "A.shared", transposed)},
      {"StorePastTheEnd", rows, WithOtherStores(rows, "C", further)},
      {"CellSharedByThreads", rows, WithOtherStores(rows, "C", at_row_0)},
      {"UnsynchronisedReduction", sums, WithoutBarrier(sums, 0)},
      {"UnsynchronisedStores", in_turn, WithoutGuards(in_turn)},
      {"OverlapInTheArena", at_once, WithOneArenaPlace(at_once)},
      {"LocalOfAnotherThread", in_turn, WithCommonLocals(in_turn)},
  };
}

}  // namespace schedulegym
