// StageBeam: whole schedules found decision by decision, by what a network says of partial ones.
#pragma once

#include <memory>
#include <vector>

#include "agents/learned/scorer/scorer_checkpoint.h"
#include "agents/learned/scorer/stage_prefixes.h"
#include "env/base/stop_token.h"
#include "env/program/task.h"

namespace schedulegym {

struct ValuedPrefix {
  StagePrefix prefix;
  double value = 0;  // the higher, the faster its best completion
};

class StageBeam {
 public:
  // All outlive it. Throws InputError for a network of another kind, for a task of a target for
  // which it has no head, and where the space has no sketches.
  StageBeam(ScorerModel& model, const SearchSpace& space, const std::shared_ptr<const Task>& task);

  // From each sketch on the `width` best prefixes of so many decisions lead to those of one more;
  // 1 is greedy. All whole schedules that were valued, the best first. Throws Interrupted.
  std::vector<ValuedPrefix> Search(int width, int threads, const StopToken& stop = {});

  const StagePrefixes& prefixes() const { return prefixes_; }

 private:
  // Of those that are schedules.
  std::vector<ValuedPrefix> Valued(std::vector<StagePrefix> prefixes, int threads,
                                   const StopToken& stop);

  ScorerModel& model_;
  StagePrefixes prefixes_;
  ProgramRows task_rows_;  // of the task alone
  StagePrefixes::Rows known_;
};

}  // namespace schedulegym
