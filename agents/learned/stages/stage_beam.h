// StageBeam: whole schedules found stage by stage, by what a network says of partial ones.
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

// What value iteration draws for a search: as many as the agent value by default.
inline constexpr int kStageDraws = 512;

class StageBeam {
 public:
  // All outlive it. Throws InputError for a network of another kind, for a task of a target for
  // which it has no head, and where the space has no sketches.
  StageBeam(ScorerModel& model, const SearchSpace& space, const std::shared_ptr<const Task>& task);

  // From each sketch on the `width` best prefixes of so many stages lead to those of one more; 1 is
  // greedy. A stage is decided as in one of `draws` random schedules of the space, or as mutations
  // of the best of these. With draws=0 prefixes grow decision by decision instead, and chance takes
  // no part. All whole schedules that were valued, the best first. Throws Interrupted.
  std::vector<ValuedPrefix> Search(int width, int draws, Rng& rng, int threads,
                                   const StopToken& stop = {});

  const StagePrefixes& prefixes() const { return prefixes_; }

 private:
  std::vector<ValuedPrefix> ByDecisions(int sketch, int width, int threads, const StopToken& stop);
  // `drawn` are whole schedules of the sketch.
  std::vector<ValuedPrefix> ByStages(int sketch, int width, const std::vector<StagePrefix>& drawn,
                                     Rng& rng, int threads, const StopToken& stop);
  // The prefix with its last stage, from `begin` decisions on, decided anew; none where it is no
  // other schedule of the sketch.
  std::optional<StagePrefix> Mutated(const StagePrefix& prefix, int begin, Rng& rng) const;
  // Of those that are schedules, the best first.
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
