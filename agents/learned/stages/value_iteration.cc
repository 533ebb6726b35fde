// Value iteration (Steiner et al., MLSys 2021): the network V_k leads a beam to whole schedules.
// These are evaluated, the value of each partial schedule becomes the best of its completions, and
// V_k+1 is trained on all of it. There schedules are benchmarked. Here a model estimates them, so
// that a training needs no quiet machine. Its seconds are scaled to the task's measured ones. No
// schedule counts as faster than the best measured one, since an optimum of a model is partly its
// error. Cost: of a place width * decisions * values partial schedules, about a second.
#include "agents/learned/stages/value_iteration.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "agents/learned/stages/stage_beam.h"
#include "env/base/fault.h"
#include "env/features/estimated_seconds.h"

namespace schedulegym {
namespace {

// A task's measured seconds over the evaluator's, least measured seconds, and reference seconds.
struct Measured {
  double scale = 1, best = 0, reference = 0;
};

std::vector<std::optional<double>> EstimatedSeconds(std::span<const ScheduleState> states,
                                                    CostModel& evaluator) {
  std::vector<std::optional<double>> seconds;
  for (const std::optional<Prediction>& one : evaluator.Predict(WithFeatures(states))) {
    seconds.push_back(one && one->seconds && *one->seconds > 0 ? one->seconds : std::nullopt);
  }
  return seconds;
}

std::optional<Measured> MeasuredOf(int task, const ProgramDescription& description,
                                   CostModel& evaluator) {
  std::vector<ScheduleState> states;
  std::vector<double> seconds;
  double reference = 0;
  for (const MeasuredProgram& program : description.programs().programs) {
    if (program.task != task || program.outcome != Outcome::kOk) continue;
    Result<ScheduleState> state = ReplayText(description.task(task), program.trace);
    if (!state) continue;
    states.push_back(*std::move(state));
    seconds.push_back(program.seconds);
    reference = program.seconds * program.ratio.median;
  }
  const std::vector<std::optional<double>> estimated = EstimatedSeconds(states, evaluator);
  std::vector<double> ratios;
  for (size_t i = 0; i < estimated.size(); ++i) {
    if (estimated[i]) ratios.push_back(seconds[i] / *estimated[i]);
  }
  if (ratios.empty()) return std::nullopt;
  const auto middle = ratios.begin() + std::ssize(ratios) / 2;
  std::ranges::nth_element(ratios, middle);
  return Measured{*middle, *std::ranges::min_element(seconds), reference};
}

}  // namespace

std::vector<StagePlace> DrawPlaces(const ProgramSet& programs, int count, Rng& rng) {
  std::set<StagePlace> known;
  for (const MeasuredProgram& program : programs.programs) {
    known.insert({program.task, program.space});
  }
  std::vector<StagePlace> places(known.begin(), known.end());
  for (size_t i = places.size(); i > 1; --i) {
    std::swap(places[i - 1], places[static_cast<size_t>(rng.Below(static_cast<int64_t>(i)))]);
  }
  places.resize(std::min(places.size(), static_cast<size_t>(count)));
  return places;
}

Spec EvaluatorSpec(StageEvaluator evaluator) {
  return RequireSpec(
      "model", evaluator == StageEvaluator::kPretrained ? "pretrained" : "analytical(version=2)");
}

void CheckEvaluatorFits(StageEvaluator evaluator, const Target& target) {
  if (evaluator == StageEvaluator::kAnalytical) {
    CheckCanEstimate(target, "model stages: evaluator=analytical");
  } else if (target.IsGpu()) {
    throw InputError(std::string("model stages: evaluator=pretrained on target '") +
                     target.BackendName() +
                     "': it learned from processors, expected evaluator=analytical or "
                     "iterations=0");
  }
}

int AddCompletions(const StagePlace& place, int width, ScorerModel& model, CostModel& evaluator,
                   const SearchSpace& space, int threads, ProgramDescription* description,
                   const StopToken& stop) {
  const std::optional<Measured> measured = MeasuredOf(place.task, *description, evaluator);
  if (!measured) return 0;
  StageBeam beam(model, space, description->task(place.task));
  Rng rng(TaskKey(*description->task(place.task)).low);
  std::vector<ScheduleState> states;
  for (const ValuedPrefix& one : beam.Search(width, kStageDraws, rng, threads, stop)) {
    if (std::ssize(states) == width) break;
    std::optional<ScheduleState> state = beam.prefixes().StateAt(one.prefix);
    if (state && space.Admit(*state)) states.push_back(*std::move(state));
  }
  const std::vector<std::optional<double>> estimated = EstimatedSeconds(states, evaluator);
  const ProgramLabel kind = model.options.label;
  int added = 0;
  for (size_t i = 0; i < states.size(); ++i) {
    if (!estimated[i]) continue;
    const double part = std::min(1.0, measured->best / (*estimated[i] * measured->scale));
    const float label = kind == ProgramLabel::kTask
                            ? static_cast<float>(part)
                            : ReferenceLabel(part * measured->reference / measured->best, kind);
    description->AddStages(place.task, place.space, states[i], label);
    ++added;
  }
  return added;
}

}  // namespace schedulegym
