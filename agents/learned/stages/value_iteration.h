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

// A task of a set and a search space, on which one beam runs.
struct StagePlace {
  int task = 0;
  std::string space;  // spec

  auto operator<=>(const StagePlace&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Different ones of which the set has a program, at most `count`.
std::vector<StagePlace> DrawPlaces(const ProgramSet& programs, int count, Rng& rng);

// The spec of the evaluator's cost model.
Spec EvaluatorSpec(StageEvaluator evaluator);
// Throws InputError for a target of which it estimates no seconds: `pretrained` is of processors,
// `analytical` needs the bandwidth of a GPU.
void CheckEvaluatorFits(StageEvaluator evaluator, const Target& target);

// Runs a beam with the network, `width` wide, and adds the best `width` complete schedules to the
// description. Labels are shares of the task's best measured seconds, at most 1; seconds are the
// evaluator's, times the task's median of measured over estimated seconds. Returns the number of
// added programs: 0 where the evaluator predicts no seconds. Throws Interrupted.
int AddCompletions(const StagePlace& place, int width, ScorerModel& model, CostModel& evaluator,
                   const SearchSpace& space, int threads, ProgramDescription* description,
                   const StopToken& stop = {});

}  // namespace schedulegym
