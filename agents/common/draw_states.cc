#include "agents/common/draw_states.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "agents/parallel.h"

namespace schedulegym {
namespace {

// Drawn by one thread in one go, with chance of their own: so the result does not depend on how
// many threads there are.
constexpr int kChunk = 64;

}  // namespace

Key TraceKey(const ScheduleState& state) {
  Hasher hasher;
  for (int i = 0; i < state.trace_size(); ++i) hasher.Add(HashOf(state.step(i)));
  return hasher.KeyValue();
}

std::vector<DrawnState> DrawStates(const SearchSpace& space,
                                   const std::shared_ptr<const Task>& task, int draws, int threads,
                                   Rng& rng, const StopToken& stop) {
  const int chunks = (draws + kChunk - 1) / kChunk;
  std::vector<Rng> streams;
  for (int i = 0; i < chunks; ++i) streams.push_back(rng.Split());
  std::vector<std::vector<DrawnState>> drawn(chunks);
  ParallelFor(
      chunks, threads,
      [&](int chunk) {
        for (int i = chunk * kChunk; i < std::min(draws, (chunk + 1) * kChunk); ++i) {
          Result<ScheduleState> state = space.Sample(task, streams[chunk]);
          if (!state) continue;
          const Key trace = TraceKey(*state);
          drawn[chunk].push_back({*std::move(state), trace});
        }
      },
      stop);
  std::vector<DrawnState> all;
  for (std::vector<DrawnState>& some : drawn) std::ranges::move(some, std::back_inserter(all));
  return all;
}

}  // namespace schedulegym
