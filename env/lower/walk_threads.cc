// A reduction whose loops are bound to threads, which then share it. Each thread keeps its part of
// the sum in a cell of shared memory, and what reads the sums adds them up in the order of threads:
//   for the threads t: partial[t] = neutral; for the other loops: partial[t] += value
//   sum = neutral;  for t in order: sum += partial[t];  cell = sum
// The loops of threads come first among those of the reduction: they have no order of their own.
// Barriers, and that one thread stores what is for all, follow from the memory that is used
// (place_barriers.h, merge_threads.h). Cost: one cell for each thread and each cell of the stage
// that the loops from the first bound one on compute.
#include <algorithm>

#include "env/lower/builder.h"
#include "env/lower/cut_loops.h"
#include "env/lower/walk.h"
#include "env/schedule/thread_scope.h"

namespace schedulegym {
namespace {

bool IsBoundReduction(const Stage& stage, const StageLoop& loop) {
  return stage.nodes[loop.node].reduction && IsThreadLoop(loop.annotation);
}

int64_t ExtentOf(const Nest& nest, int position) {
  const int node = nest.LoopNode(position);
  return nest.extent[node] >= 0 ? nest.extent[node] : nest.stage->nodes[node].extent;
}

}  // namespace

const Stage& Walker::WithThreadsOutside(const Stage& stage) {
  const auto is_bound = [&](const StageLoop& loop) { return IsBoundReduction(stage, loop); };
  if (std::ranges::none_of(stage.loops, is_bound)) return stage;
  Stage& made = reordered_.emplace_back(stage);
  const auto first = std::ranges::find_if(
      made.loops, [&](const StageLoop& loop) { return made.nodes[loop.node].reduction; });
  std::stable_partition(first, made.loops.end(), is_bound);
  return made;
}

// Keeps the loop names of the schedule, where the loops may have another order.
std::shared_ptr<const LoopNames> Walker::NamesAsScheduled(const Stage& scheduled,
                                                          const Stage& reordered) {
  const LoopNames names = NameLoops(scheduled);
  auto made = std::make_shared<LoopNames>(names);
  for (size_t i = 0; i < reordered.loops.size(); ++i) {
    (*made)[i] = names[static_cast<size_t>(scheduled.FindLoop(reordered.loops[i].node))];
  }
  return made;
}

StatementPtr Walker::ShareReduction(Job job, int position) {
  job.partials.buffer = AddPartials(job, position);
  Job fill = job;
  fill.partials.fills = true;
  return Sequence({Enter(std::move(fill), position), CombineThreads(std::move(job), position)});
}

// Fills in all of the job's partials but the buffer, which it adds.
int Walker::AddPartials(Job& job, int position) {
  const Nest& nest = job.nest;
  Buffer buffer{nest.op().name + kPartialSuffix, nest.op().type, {}, {}, MemoryScope::kShared};
  for (const int variable : open_threads_) {
    job.partials.outer.push_back(Variable(variable));
    buffer.shape.push_back(builder_.program().variables[variable].range.high + 1);
  }
  job.partials.position = position;
  for (int i = position; i < nest.loop_count(); ++i) {
    if (!nest.IsReduction(i)) buffer.shape.push_back(ExtentOf(nest, i));
  }
  for (int i = position; i < nest.loop_count(); ++i) {
    if (!nest.IsReduction(i) || !IsThreadLoop(nest.annotation[i])) continue;
    job.partials.loops.push_back(i);
    buffer.shape.push_back(ExtentOf(nest, i));
  }
  buffer.strides.assign(buffer.shape.size(), 1);
  for (size_t i = buffer.shape.size(); i-- > 1;) {
    buffer.strides[i - 1] = buffer.strides[i] * buffer.shape[i];
  }
  partials_.push_back(builder_.AddBuffer(std::move(buffer)));
  return partials_.back();
}

std::vector<Expr> Walker::PartialIndices(const Job& job) const {
  const Nest& nest = job.nest;
  std::vector<Expr> indices = job.partials.outer;
  for (int i = job.partials.position; i < nest.loop_count(); ++i) {
    if (!nest.IsReduction(i)) indices.push_back(nest.value[nest.LoopNode(i)]);
  }
  for (const int i : job.partials.loops) indices.push_back(nest.value[nest.LoopNode(i)]);
  return indices;
}

// In registers, unless these are there already, or threads share out the cells.
StatementPtr Walker::CombineThreads(Job job, int position) {
  Nest& nest = job.nest;
  job.initialized = true;
  for (const int i : job.partials.loops) nest.annotation[i] = Annotation::kNone;
  bool in_tile = !AccumulatesInPlace(nest);
  for (int i = position; i < nest.loop_count(); ++i) {
    in_tile = in_tile && (nest.IsReduction(i) || !IsThreadLoop(nest.annotation[i]));
  }
  if (in_tile) {
    Buffer buffer{nest.op().name + ".sum", nest.op().type, {}, {}, MemoryScope::kLocal};
    for (int i = position; i < nest.loop_count(); ++i) {
      if (!nest.IsReduction(i)) buffer.shape.push_back(ExtentOf(nest, i));
    }
    buffer.strides.assign(buffer.shape.size(), 1);
    for (size_t i = buffer.shape.size(); i-- > 1;) {
      buffer.strides[i - 1] = buffer.strides[i] * buffer.shape[i];
    }
    job.tile.position = position;
    job.tile.buffer = builder_.AddBuffer(std::move(buffer));
  }
  Job begin = job, store = job;
  begin.mode = in_tile ? Mode::kInitializeTile : Mode::kInitialize;
  store.mode = Mode::kStoreTile;
  const int tile = job.tile.buffer;
  job.mode = Mode::kCombineThreads;
  std::vector<StatementPtr> parts = {Enter(std::move(begin), position),
                                     Enter(std::move(job), position)};
  if (in_tile) parts.push_back(Enter(std::move(store), position));
  StatementPtr body = Sequence(std::move(parts));
  if (!body || !in_tile) return body;
  return MakeStatement(Allocate{tile, std::move(body)});
}

}  // namespace schedulegym
