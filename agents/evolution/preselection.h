// Preselection: schedules of an evolution under a cheap model, for a dearer one to rank.
#pragma once

#include <vector>

#include "agents/common/search_model_state.h"
#include "agents/evolution/evolution.h"
#include "env/base/spec.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Pruner's code: the 512 best of 1,536 a generation, for two rounds.
struct PreselectionOptions {
  Spec model = {"analytical", {}};  // what drafts; it learns nothing of the search
  int drafted = 512;
  int redraft = 2;      // rounds that take the same draft
  double beside = 0.1;  // as many measured ones are added, and as many fresh draws, which is ours
};

// Of one task (Pruner: Gu et al., ASPLOS 2025).
class Preselection {
 public:
  explicit Preselection(const PreselectionOptions& options) : options_(options) {}

  // Members of the population that the next round needs: fresh draws alone where the draft stays.
  int Draws(int population) const { return IsKept() ? Beside() : population; }
  // What a model is to rank: the best by `drafter` that are not among the memory's, and others.
  std::vector<ScheduleState> Next(std::vector<ScheduleState> population, CostModel& drafter,
                                  const SearchSpace& space, const EvolutionOptions& evolution,
                                  const SearchModelState& memory, Rng& rng);

 private:
  bool IsKept() const { return rounds_ % options_.redraft != 0; }
  int Beside() const;

  PreselectionOptions options_;
  int rounds_ = 0;
  std::vector<ScheduleState> best_;
};

}  // namespace schedulegym
