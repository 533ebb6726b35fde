#include "agents/evolution/preselection.h"

#include <algorithm>
#include <utility>

namespace schedulegym {

int Preselection::Beside() const {
  return std::max(1, static_cast<int>(options_.beside * options_.drafted));
}

std::vector<ScheduleState> Preselection::Next(std::vector<ScheduleState> population,
                                              CostModel& drafter, const SearchSpace& space,
                                              const EvolutionOptions& evolution,
                                              const SearchModelState& memory, Rng& rng) {
  const auto beside = static_cast<size_t>(Beside());
  const auto draws = static_cast<std::ptrdiff_t>(std::min(beside, population.size()));
  std::vector<ScheduleState> all(population.begin(), population.begin() + draws);
  if (!IsKept()) {
    const StateEvaluator evaluator = [&](const std::vector<ScheduleState>& states) {
      return ScoresOf(drafter.Predict(WithFeatures(states)));
    };
    best_.clear();
    for (ScoredState& one : Evolve(std::move(population), MutationOf(space), evaluator, evolution,
                                   options_.drafted, memory.seen, rng)) {
      best_.push_back(std::move(one.state));
    }
  }
  ++rounds_;
  all.insert(all.end(), best_.begin(), best_.end());
  const std::vector<const MeasuredState*> measured = memory.Ranked();
  for (size_t i = 0; i < std::min(beside, measured.size()); ++i) all.push_back(measured[i]->state);
  return all;
}

}  // namespace schedulegym
