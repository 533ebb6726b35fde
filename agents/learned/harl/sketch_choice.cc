#include "agents/learned/harl/sketch_choice.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "agents/schedulers/arm_rewards.h"

namespace schedulegym {

std::vector<int> ChooseSketches(SketchChoice& choice, int count, bool by_bandit) {
  std::vector<int> open(static_cast<size_t>(choice.bandit.arms())), chosen;
  std::iota(open.begin(), open.end(), 0);
  while (std::ssize(chosen) < count && !open.empty()) {
    const int next = by_bandit ? *choice.bandit.Choose(open)
                               : open[static_cast<size_t>(choice.rng.Below(std::ssize(open)))];
    chosen.push_back(next);
    std::erase(open, next);
  }
  return chosen;
}

void NoteProposal(SketchChoice& choice, int sketch, const Key& key) {
  auto place = std::ranges::find(choice.trials, sketch, &SketchTrial::sketch);
  if (place == choice.trials.end()) place = choice.trials.insert(place, {sketch, {}});
  place->keys.insert(key);
}

void PaySketches(SketchChoice& choice, const SearchMemory& memory) {
  std::optional<double> best;
  for (const auto& [key, measured] : memory.measured) {
    best = std::max(best.value_or(0), 1 / *measured.seconds);
  }
  for (const SketchTrial& trial : choice.trials) {
    std::optional<double> best_of_round;
    for (const Key& key : trial.keys) {
      const auto found = memory.measured.find(key);
      if (found == memory.measured.end()) continue;
      best_of_round = std::max(best_of_round.value_or(0), 1 / *found->second.seconds);
    }
    choice.bandit.Learn(trial.sketch, SketchReward(best_of_round, best));
  }
  choice.trials.clear();
}

}  // namespace schedulegym
