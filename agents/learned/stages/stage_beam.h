// StageBeam: a beam search over stages by a network's values of partial schedules.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agents/learned/scorer/scorer_checkpoint.h"
#include "agents/learned/scorer/stage_prefixes.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/program/task.h"

namespace schedulegym {

struct ValuedPrefix {
  StagePrefix prefix;
  double value = 0;  // the higher, the faster its best completion
};

// Draws of a search in value iteration: the default of the agent `value`.
inline constexpr int kStageDraws = 512;

class StageBeam {
 public:
  // The arguments outlive the beam. Throws InputError for a network of another kind, if it has no
  // head for the task's target, and if the space has no sketches.
  StageBeam(ScorerModel& model, const SearchSpace& space, const std::shared_ptr<const Task>& task);

  // For each sketch extends the `width` best prefixes by one stage at a time; 1 is greedy. A stage
  // is decided as in one of `draws` random schedules of the space, or by mutations of the best.
  // With draws=0 prefixes grow by single decisions, without randomness. Returns all whole schedules
  // that were valued, best first. Throws Interrupted.
  std::vector<ValuedPrefix> Search(int width, int draws, Rng& rng, int threads,
                                   const StopToken& stop = {});

  const StagePrefixes& prefixes() const { return prefixes_; }

 private:
  std::vector<ValuedPrefix> ByDecisions(int sketch, int width, int threads, const StopToken& stop);
  // `drawn` are whole schedules of the sketch.
  std::vector<ValuedPrefix> ByStages(int sketch, int width, const std::vector<StagePrefix>& drawn,
                                     Rng& rng, int threads, const StopToken& stop);
  // Mutates the last stage of the prefix, from decision `begin` on; nullopt if the mutation is not
  // a schedule of the same sketch.
  std::optional<StagePrefix> Mutated(const StagePrefix& prefix, int begin, Rng& rng) const;
  // Values the prefixes that are schedules, best first.
  std::vector<ValuedPrefix> Valued(std::vector<StagePrefix> prefixes, int threads,
                                   const StopToken& stop);

  ScorerModel& model_;
  const SearchSpace& space_;
  std::shared_ptr<const Task> task_;
  StagePrefixes prefixes_;
  ProgramRows task_rows_;  // of the task alone
  StagePrefixes::Rows known_;
};

}  // namespace schedulegym
