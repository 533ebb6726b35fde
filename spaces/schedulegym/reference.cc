// The reference schedule. Of processors: the heuristic of the space `schedulegym`, or a plainer
// one. Of GPUs: the first sketch of the space `ansor` that takes the fixed tiles below, and for a
// task that no sketch fits a thread for each result. Of a matmul a block has 64 x 64 results, of 16
// x 16 threads with 4 x 4 each, and copies 8 steps of both operands to shared memory at a time. In
// general
// 1. spatial axes that index the same reads are a side; those that index all reads are none;
// 2. the sides share 256 threads and 16 results of a thread evenly, from the innermost axis
//    outwards; of each axis they take the largest divisor that is left to them;
// 3. threads that are left over go to any axis, the innermost first;
// 4. reductions take 8 steps in the same way.
// Where no device launches this, blocks of more threads follow, then of fewer, each with results
// halved down to 1. Nothing is drawn. Cost: a lowering and a proof, mostly once.
#include "spaces/schedulegym/reference.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "env/base/check.h"
#include "env/lower/lower.h"
#include "env/lower/sequential_form.h"
#include "env/lower/validate.h"
#include "env/search/factorization.h"
#include "spaces/ansor/ansor_rules.h"
#include "spaces/ansor/derive.h"
#include "spaces/bind_threads.h"
#include "spaces/gpu_registers.h"
#include "spaces/schedulegym/build.h"
#include "spaces/schedulegym/decision_provider.h"

namespace schedulegym {
namespace {

// Inlines nothing into reductions, and computes nothing within others.
class PlainDecisionProvider : public HeuristicDecisionProvider {
 public:
  bool Inline(const ScheduleState&, int) override { return false; }
  bool FuseConsumer(const ScheduleState&, int) override { return false; }
  int64_t Lanes(const ScheduleState&, int, int64_t) override { return 1; }
};

constexpr int64_t kBlockThreads = 256;
constexpr int64_t kThreadResults = 16;
constexpr int64_t kReductionSteps = 8;
// auto_unroll_max_step of tiled stages and of others. The results of a thread are straight code. Of
// the 8 steps CUDA text unrolls 4; all of them (512) are slower on PoCL and compile for longer.
constexpr int64_t kTileUnroll = 64;
constexpr int64_t kOtherUnroll = 16;

struct BlockSize {
  int64_t threads = kBlockThreads;
  int64_t results = kThreadResults;  // results of a thread
};

// Block sizes in the order in which they are tried.
std::vector<BlockSize> BlockSizes(const GpuFacts& gpu) {
  std::vector<int64_t> counts;
  const int64_t first = std::min<int64_t>(kBlockThreads, gpu.threads);
  for (int64_t threads = first; threads <= gpu.threads; threads *= 2) counts.push_back(threads);
  for (int64_t threads = first / 2; threads >= gpu.warp; threads /= 2) counts.push_back(threads);
  std::vector<BlockSize> sizes;
  for (const int64_t threads : counts) {
    for (int64_t results = kThreadResults; results > 0; results /= 2) {
      sizes.push_back({threads, results});
    }
  }
  return sizes;
}

// The part of a spatial axis that a block computes.
struct AxisTile {
  int64_t extent = 1;
  int64_t threads = 1;
  int64_t results = 1;  // results of a thread

  int64_t rest() const { return extent / (threads * results); }
};

int64_t DivisorUpTo(int64_t number, int64_t most) {
  int64_t largest = 1;
  for (const int64_t divisor : Divisors(number)) {
    if (divisor <= most) largest = divisor;
  }
  return largest;
}

// Positions of spatial axes by side, innermost first.
std::vector<std::vector<int>> SidesOf(const StageOp& op) {
  std::map<int, std::set<int>> readers;  // by axis
  for (int read = 0; read < static_cast<int>(op.reads.size()); ++read) {
    for (const Expr& index : op.reads[read].indices) {
      Visit(index, [&](const ExprNode& node) {
        if (node.op == Op::kVariable) readers[node.id].insert(read);
      });
    }
  }
  std::vector<std::vector<int>> sides;
  std::map<std::set<int>, size_t> numbers;
  for (int axis = op.spatial; axis-- > 0;) {
    const auto [side, is_new] = numbers.try_emplace(readers[axis], sides.size());
    if (is_new) sides.emplace_back();
    sides[side->second].push_back(axis);
  }
  std::set<int> all;
  for (const auto& [axis, reads] : readers) all.insert(reads.begin(), reads.end());
  if (sides.size() > 1 && numbers.contains(all)) sides.erase(sides.begin() + numbers[all]);
  return sides;
}

// The least power of two that each of `sides` takes so that together they take `whole` or more.
int64_t EvenShare(int64_t whole, int64_t sides) {
  for (int64_t share = 1;; share *= 2) {
    int64_t together = 1;
    for (int64_t i = 0; i < sides; ++i) together *= share;
    if (together >= whole) return share;
  }
}

// Distributes at most `most` over a member of AxisTile, along axes in the given order.
void TakeAlong(const std::vector<int>& axes, int64_t most, int64_t AxisTile::*part,
               std::vector<AxisTile>& tiles) {
  for (const int axis : axes) {
    const int64_t taken = DivisorUpTo(tiles[axis].rest(), most);
    tiles[axis].*part *= taken;
    most /= taken;
  }
}

std::vector<AxisTile> TilesOf(const StageOp& op, const BlockSize& size) {
  std::vector<AxisTile> tiles;
  std::vector<int> inner_first;
  for (int axis = 0; axis < op.spatial; ++axis) {
    tiles.push_back({op.axes[axis].extent});
    inner_first.insert(inner_first.begin(), axis);
  }
  int64_t threads = size.threads, results = size.results;
  const std::vector<std::vector<int>> sides = SidesOf(op);
  for (auto left = static_cast<int64_t>(sides.size()); left > 0; --left) {
    const std::vector<int>& side = sides[sides.size() - left];
    const int64_t own_threads = EvenShare(threads, left), own_results = EvenShare(results, left);
    TakeAlong(side, own_threads, &AxisTile::threads, tiles);
    TakeAlong(side, own_results, &AxisTile::results, tiles);
    threads /= own_threads;
    results /= own_results;
  }
  int64_t taken = 1;
  for (const AxisTile& tile : tiles) taken *= tile.threads;
  TakeAlong(inner_first, size.threads / taken, &AxisTile::threads, tiles);
  return tiles;
}

// Steps between two copies, by reduction axis.
std::vector<int64_t> StepsOf(const StageOp& op) {
  std::vector<int64_t> steps(op.axes.size() - op.spatial, 1);
  int64_t left = kReductionSteps;
  for (size_t i = steps.size(); i-- > 0;) {
    steps[i] = DivisorUpTo(op.axes[op.spatial + i].extent, left);
    left /= steps[i];
  }
  return steps;
}

int StageOfSplit(const OpenSketch& sketch, const OpenSplit& open) {
  return std::get<Split>(sketch.state.step(open.step)).stage.id;
}

// A tiled stage's splits are those of its axes, in order: the lengths behind the blocks, and the
// steps of a reduction.
Result<ScheduleState> WithLengths(const OpenSketch& sketch, const BlockSize& size) {
  std::map<int, int> axes;  // seen so far, by stage
  std::vector<int> chosen;
  for (const OpenSplit& open : sketch.splits) {
    const int stage = StageOfSplit(sketch, open);
    const StageOp& op = *sketch.state.stage(stage).effective;
    const int axis = axes[stage]++;
    std::vector<int64_t> lengths;
    if (axis < op.spatial) {
      const AxisTile tile = TilesOf(op, size)[axis];
      lengths = {1, tile.threads, 1, tile.results};
    } else {
      lengths = {StepsOf(op)[axis - op.spatial], 1};
    }
    const auto found = std::ranges::find(open.choices, lengths);
    SG_CHECK(found != open.choices.end(), "lengths that divide the axis");
    chosen.push_back(static_cast<int>(found - open.choices.begin()));
  }
  return FillLengths(sketch, chosen);
}

// The choice with the given unroll step.
const Trace& Unrolling(const OpenAnnotation& open, int64_t most) {
  for (const Trace& steps : open.choices) {
    if (!steps.empty() && std::get<Pragma>(steps[0]).value == most) return steps;
  }
  return open.choices[0];
}

// Copies have no vectors.
Result<ScheduleState> WithTiles(const OpenSketch& sketch, const BlockSize& size) {
  Result<ScheduleState> state = WithLengths(sketch, size);
  for (const OpenAnnotation& open : sketch.annotations) {
    if (open.kind != KnobKind::kUnroll) continue;
    const bool is_tiled = std::ranges::any_of(sketch.splits, [&](const OpenSplit& split) {
      return StageOfSplit(sketch, split) == open.stage;
    });
    for (const Primitive& step : Unrolling(open, is_tiled ? kTileUnroll : kOtherUnroll)) {
      if (state) state = Apply(*std::move(state), step);
    }
  }
  return state ? BindThreads(*std::move(state)) : state;
}

bool IsProved(const ScheduleState& state) {
  if (!CheckLaunch(state) || !CheckRegisters(state)) return false;
  Result<LoopProgram> program = Lower(state);
  return program && Validate(SequentialForm(*std::move(program)));
}

// Inlines every stage that may be inlined.
ScheduleState ThreadForEachResult(std::shared_ptr<const Task> task) {
  ScheduleState state = ScheduleState::Initial(task);
  const std::vector<int> order = state.order();
  for (size_t i = order.size(); i-- > 0;) {
    const Stage& stage = state.stage(order[i]);
    if (stage.op->is_reduction() || stage.op->kind == StageKind::kInput) continue;
    if (state.is_output(order[i])) continue;
    if (Result<ScheduleState> next = Apply(state, ComputeInline{{order[i]}})) {
      state = *std::move(next);
    }
  }
  Result<ScheduleState> bound = BindThreads(state);
  return bound ? *std::move(bound) : ScheduleState::Initial(std::move(task));
}

ScheduleState GpuReference(std::shared_ptr<const Task> task) {
  const std::vector<BlockSize> sizes = BlockSizes(task->target.gpu);
  for (const OpenSketch& sketch : DeriveSketches(task, AnsorRules())) {
    for (const BlockSize& size : sizes) {
      Result<ScheduleState> state = WithTiles(sketch, size);
      if (state && IsProved(*state)) return *std::move(state);
      if (sketch.splits.empty()) break;
    }
  }
  return ThreadForEachResult(std::move(task));
}

}  // namespace

ScheduleState ReferenceSchedule(std::shared_ptr<const Task> task) {
  if (task->target.IsGpu()) return GpuReference(std::move(task));
  HeuristicDecisionProvider first;
  PlainDecisionProvider second;
  for (DecisionProvider* decisions :
       {static_cast<DecisionProvider*>(&first), static_cast<DecisionProvider*>(&second)}) {
    Result<ScheduleState> state = BuildSchedule(task, *decisions);
    if (state && Lower(*state)) return *std::move(state);
  }
  return ScheduleState::Initial(std::move(task));
}

}  // namespace schedulegym
