#include "agents/common/best_states.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "env/schedule/loop_structure.h"

namespace schedulegym {

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

}  // namespace schedulegym
