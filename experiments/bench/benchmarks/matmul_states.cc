// States of a 512 x 512 x 512 product for benchmarks: the prefix of 15 steps of a tiled schedule
// (micro kernels of 8 x 48 with AVX-512, else 6 x 16) and one of schedules of its copied operands,
// and for every primitive a state and a next step that is legal there.
#include "experiments/bench/benchmarks/matmul_states.h"

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/program/language/parser.h"

namespace schedulegym {
namespace {

constexpr char kMatmul[] =
    "input A[512, 512]\n"
    "input B[512, 512]\n"
    "C[i:512, j:512] = sum(k:512) A[i, k] * B[k, j]\n";

// C is unchanged, so that it may still be cached or factored: all steps change the copies of its
// operands.
constexpr char kOperandsTrace[] = R"(trace 1
pack(stage=B, readers=[C], tile=[1, 16], order=[1, 0, 2])
cache_read(stage=A, scope=global, readers=[C])
split(stage=B.pack, loop=0, lengths=[4, 8])
split(stage=B.pack, loop=3, lengths=[2, 16])
reorder(stage=B.pack, order=[0, 3, 1, 4, 2, 5])
fuse(stage=B.pack, loops=[0, 1])
parallel(stage=B.pack, loop=0)
unroll(stage=B.pack, loop=3)
vectorize(stage=B.pack, loop=4)
split(stage=A.global, loop=0, lengths=[4, 8])
split(stage=A.global, loop=3, lengths=[2, 16])
reorder(stage=A.global, order=[0, 3, 1, 4, 2, 5])
parallel(stage=A.global, loop=0)
vectorize(stage=A.global, loop=5)
pragma(stage=A.global, name=auto_unroll_max_step, value=16)
)";

}  // namespace

std::shared_ptr<const Task> MatmulTask(const Target& target) {
  Result<ComputeDag> dag = ParseDag(kMatmul, "matmul");
  return std::make_shared<const Task>(Task{*std::move(dag), target, "matmul(m=512,n=512,k=512)"});
}

std::string TiledMatmulTrace(const Target& target) {
  const bool wide = target.vector_bits >= 512;
  const std::string rows = wide ? "8" : "6", columns = wide ? "48" : "16";
  const std::string panel = wide ? "16" : "16";
  return "trace 1\n"
         "cache_write(stage=C, scope=local)\n"
         "pack(stage=B, readers=[C.local], tile=[1, " +
         panel +
         "], order=[1, 0, 2])\n"
         "split(stage=C, loop=0, lengths=[8, " +
         rows +
         "])\n"
         "split(stage=C, loop=3, lengths=[4, " +
         columns +
         "])\n"
         "reorder(stage=C, order=[0, 3, 1, 4, 2, 5])\n"
         "fuse(stage=C, loops=[0, 1])\n"
         "compute_at(stage=C.local, target=C, loop=2)\n"
         "split(stage=C.local, loop=2, lengths=[4])\n"
         "reorder(stage=C.local, order=[2, 3, 0, 1])\n"
         "unroll(stage=C.local, loop=1)\n"
         "unroll(stage=C.local, loop=2)\n"
         "vectorize(stage=C.local, loop=3)\n"
         "unroll(stage=C, loop=3)\n"
         "vectorize(stage=C, loop=4)\n"
         "parallel(stage=C, loop=0)\n"
         "split(stage=B.pack, loop=1, lengths=[16])\n"
         "reorder(stage=B.pack, order=[1, 0, 2])\n"
         "vectorize(stage=B.pack, loop=2)\n"
         "parallel(stage=B.pack, loop=0)\n"
         "pragma(stage=B.pack, name=auto_unroll_max_step, value=16)\n";
}

ScheduleState StateAfter(const std::shared_ptr<const Task>& task, const std::string& trace,
                         int steps) {
  std::vector<std::string> lines = SplitLines(trace);
  lines.resize(steps + 1);
  Result<ScheduleState> state = ReplayText(task, Join(lines, "\n"));
  SG_CHECK(state.ok(), state.error().message);
  return *std::move(state);
}

std::vector<NextStep> EveryNextStep(const std::shared_ptr<const Task>& task) {
  const ScheduleState tiled = StateAfter(task, TiledMatmulTrace(task->target), 15);
  const ScheduleState operands = StateAfter(task, kOperandsTrace, 15);
  struct Step {
    const ScheduleState& state;
    const char* text;
  };
  const Step steps[] = {
      {tiled, "split(stage=B.pack, loop=1, lengths=[4, 16])"},
      {tiled, "fuse(stage=B.pack, loops=[0, 1])"},
      {tiled, "reorder(stage=B.pack, order=[1, 0])"},
      {tiled, "follow_split(stage=B.pack, loop=0, source=2, count=2)"},
      {tiled, "follow_fused_split(stage=B.pack, loop=0, sources=[2, 3], level=0)"},
      {tiled, "parallel(stage=B.pack, loop=0)"},
      {tiled, "vectorize(stage=B.pack, loop=1)"},
      {tiled, "unroll(stage=C, loop=2)"},
      {tiled, "pragma(stage=C.local, name=auto_unroll_max_step, value=64)"},
      {tiled, "storage_align(stage=C.local, axis=0, factor=16, offset=1)"},
      {tiled, "compute_at(stage=B.pack, target=C, loop=0)"},
      {tiled, "compute_root(stage=C.local)"},
      {tiled, "cache_read(stage=A, scope=local, readers=[C.local])"},
      {tiled, "pack(stage=A, readers=[C.local], tile=[8, 1], order=[0, 2, 1])"},
      {operands, "cache_write(stage=C, scope=local)"},
      {operands, "rfactor(stage=C, loop=2, axis=2)"},
      {operands, "compute_inline(stage=A.global)"},
  };
  std::vector<NextStep> result;
  for (const Step& step : steps) {
    Result<Primitive> primitive = ParsePrimitive(step.text, step.state.Names());
    SG_CHECK(primitive.ok(), primitive.error().message);
    const Result<void> legal = Check(step.state, *primitive);
    SG_CHECK(legal.ok(), std::string(step.text) + ": " + legal.error().message);
    result.push_back({step.state, *std::move(primitive)});
  }
  return result;
}

}  // namespace schedulegym
