#include "agents/common/best_states.h"

#include <algorithm>
#include <iterator>

#include "agents/parallel.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// States that one thread draws from a random stream of their own, so that the result does not
// depend on the number of threads.
constexpr int kChunk = 64;

}  // namespace

void BestStates::Take(std::vector<Offer> offers) {
  std::ranges::stable_sort(offers, std::greater<>(), &Offer::score);
  std::set<Key> keys;
  for (const ScoredState& state : states_) keys.insert(state.key);
  std::vector<ScoredState> merged;
  size_t next = 0;  // of the states so far
  for (const Offer& offer : offers) {
    for (; next < states_.size() && states_[next].score >= offer.score; ++next) {
      merged.push_back(std::move(states_[next]));
    }
    if (static_cast<int>(merged.size()) >= most_) break;
    const Key key = StateKey(*offer.state);
    if (seen_->contains(key) || !keys.insert(key).second) continue;
    merged.push_back({offer.score, key, *offer.state});
  }
  std::move(states_.begin() + static_cast<std::ptrdiff_t>(next), states_.end(),
            std::back_inserter(merged));
  if (static_cast<int>(merged.size()) > most_) merged.erase(merged.begin() + most_, merged.end());
  states_ = std::move(merged);
}

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
