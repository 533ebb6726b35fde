#include "agents/search/proposal_round.h"

#include <algorithm>
#include <functional>

#include "agents/parallel.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

// Lowering them all at once is sooner done than one by one until enough are found.
ProposalRound::ProposalRound(std::vector<ScoredState> best, std::vector<ScheduleState> strays,
                             const SearchSpace& space, int threads)
    : strays_(std::move(strays)) {
  std::vector<char> admitted(best.size());
  ParallelFor(static_cast<int>(best.size()), threads,
              [&](int i) { admitted[i] = static_cast<char>(space.Admit(best[i].state).ok()); });
  for (size_t i = 0; i < best.size(); ++i) {
    if (admitted[i] != 0) best_.push_back(std::move(best[i]));
  }
}

int ProposalRound::PartOf(double share, int count) const {
  return static_cast<int>(share * (dealt_ + count)) - static_cast<int>(share * dealt_);
}

void ProposalRound::RankAnew(const Judge& judge) {
  std::vector<ScheduleState> states;
  for (const ScoredState& one : best_) states.push_back(one.state);
  const std::vector<std::optional<double>> scores = judge(states);
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i]) best_[i].score = *scores[i];
  }
  std::ranges::stable_sort(best_, std::greater<>(), &ScoredState::score);
}

std::vector<ScheduleState> ProposalRound::Deal(int count, const Mixture& mixture,
                                               const std::vector<ScheduleState>& neighbours,
                                               const std::set<Key>& seen,
                                               const SearchSpace& space) {
  std::vector<ScheduleState> dealt;
  std::set<Key> taken;
  const auto take = [&](const ScheduleState& state, const Key& key, bool is_admitted) {
    if (seen.count(key) > 0 || taken.count(key) > 0) return;
    if (!is_admitted && !space.Admit(state)) return;
    taken.insert(key);
    dealt.push_back(state);
  };
  const auto has = [&](int most) { return static_cast<int>(dealt.size()) >= most; };
  const auto take_best = [&](int most) {
    for (size_t i = 0; i < best_.size() && !has(most); ++i)
      take(best_[i].state, best_[i].key, true);
  };
  const auto take_some = [&](const std::vector<ScheduleState>& states, int most) {
    for (size_t i = 0; i < states.size() && !has(most); ++i) {
      take(states[i], StateKey(states[i]), false);
    }
  };
  take_best(count - mixture.random - mixture.local);
  take_some(neighbours, count - mixture.random);
  take_some(strays_, count);
  take_best(count);
  dealt_ += static_cast<int>(dealt.size());
  return dealt;
}

}  // namespace schedulegym
