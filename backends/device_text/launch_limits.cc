// Counts of each kernel against the facts. Virtual threads: the longest product of their loops that
// lie within one another. Vectors: the lanes of a loop times the bytes of what it stores.
// Cost: O(statements).
#include "backends/device_text/launch_limits.h"

#include <algorithm>
#include <string>

#include "env/lower/statements.h"
#include "env/program/expressions/dtype.h"

namespace schedulegym {
namespace {

struct Widths {
  int64_t vthreads = 1;
  int64_t vector_bytes = 0;
};

// Of a statement within `vthreads` virtual threads and a vector loop of `lanes`, 0 without one.
void FindWidths(const LoopProgram& program, const Statement& statement, int64_t vthreads,
                int64_t lanes, Widths* widths) {
  if (const auto* loop = std::get_if<For>(&statement.node)) {
    if (loop->kind == LoopKind::kVthread) vthreads *= loop->extent;
    if (loop->kind == LoopKind::kVector) lanes = loop->extent;
  }
  widths->vthreads = std::max(widths->vthreads, vthreads);
  if (const auto* store = std::get_if<Store>(&statement.node)) {
    const int64_t bytes = lanes * SizeInBytes(program.buffers[store->buffer].type);
    widths->vector_bytes = std::max(widths->vector_bytes, bytes);
  }
  for (const StatementPtr& part : PartsOf(statement)) {
    FindWidths(program, *part, vthreads, lanes, widths);
  }
}

struct Limit {
  int64_t found = 0;
  int64_t most = 0;
  const char* what = "";
};

}  // namespace

Result<void> CheckLaunches(const LoopProgram& program, const GpuFacts& facts) {
  const Result<KernelSplit> split = SplitKernels(program);
  if (!split) return split.error();
  return CheckLaunches(program, *split, facts);
}

Result<void> CheckLaunches(const LoopProgram& program, const KernelSplit& split,
                           const GpuFacts& facts) {
  for (size_t i = 0; i < split.kernels.size(); ++i) {
    const KernelBody& kernel = split.kernels[i];
    int64_t threads = 1;
    for (const int64_t extent : kernel.threads) threads *= extent;
    Widths widths;
    FindWidths(program, *kernel.body, 1, 0, &widths);
    for (const Limit& limit :
         {Limit{threads, facts.threads, "threads a block"},
          Limit{kernel.shared_bytes, facts.shared_bytes, "shared bytes a block"},
          Limit{widths.vthreads, facts.vthreads, "virtual threads a thread"},
          Limit{widths.vector_bytes, facts.vector_bytes, "bytes a vector"}}) {
      if (limit.found <= limit.most) continue;
      return Error{ErrorKind::kUnsupported, "kernel_" + std::to_string(i) + " has " +
                                                std::to_string(limit.found) + " " + limit.what +
                                                ", expected at most " + std::to_string(limit.most)};
    }
  }
  return {};
}

}  // namespace schedulegym
