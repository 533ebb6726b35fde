// Preselection: schedules of an evolution under the analytical estimate, for a dearer model to
// rank.
#pragma once

#include <vector>

#include "agents/common/search_model_state.h"
#include "agents/evolution/evolution.h"

namespace schedulegym {

// Pruner's code: the 512 best of 1,536 a generation, for two rounds.
struct PreselectionOptions {
  int drafted = 512;
  int redraft = 2;  // rounds that take the same draft
};

// Of one task (Pruner: Gu et al., ASPLOS 2025). A tenth as many are added that were measured, and,
// which is ours, a tenth of fresh draws.
class Preselection {
 public:
  explicit Preselection(const PreselectionOptions& options) : options_(options) {}

  // Members of the population that the next round needs: fresh draws alone where the draft stays.
  int Draws(int population) const { return IsKept() ? Beside() : population; }
  // What a model is to rank: the best by the estimate that are not among the memory's, and others.
  std::vector<ScheduleState> Next(std::vector<ScheduleState> population, const SearchSpace& space,
                                  const EvolutionOptions& evolution, const SearchModelState& memory,
                                  Rng& rng);

 private:
  bool IsKept() const { return rounds_ % options_.redraft != 0; }
  int Beside() const;

  PreselectionOptions options_;
  int rounds_ = 0;
  std::vector<ScheduleState> best_;
};

}  // namespace schedulegym
