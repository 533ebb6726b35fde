// ValueIteration: schedules that a network's own search leads to, as programs to learn from.
#pragma once

#include <string>
#include <vector>

#include "agents/learned/scorer/program_rows.h"
#include "agents/learned/scorer/scorer_checkpoint.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// What is searched on at once: a task of a set, in a search space.
struct StagePlace {
  int task = 0;
  std::string space;  // spec

  auto operator<=>(const StagePlace&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Different ones of which the set has a program, at most `count`.
std::vector<StagePlace> DrawPlaces(const ProgramSet& programs, int count, Rng& rng);

// What the evaluator of value iteration is as a model.
Spec EvaluatorSpec(StageEvaluator evaluator);
// Throws InputError for a target of which it estimates no seconds: `pretrained` is of processors,
// `analytical` needs the bandwidth of a GPU.
void CheckEvaluatorFits(StageEvaluator evaluator, const Target& target);

// A beam by the network, `width` wide; of the schedules that it ends in the best `width` become
// programs of the description. Their labels are parts of the task's best measured seconds, at most
// 1, by the evaluator's seconds times the median of measured over estimated ones of the task.
// Returns how many were added: none where the evaluator knows no seconds. Throws Interrupted.
int AddCompletions(const StagePlace& place, int width, ScorerModel& model, CostModel& evaluator,
                   const SearchSpace& space, int threads, ProgramDescription* description,
                   const StopToken& stop = {});

}  // namespace schedulegym
