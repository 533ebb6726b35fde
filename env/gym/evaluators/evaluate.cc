#include "env/gym/evaluators/evaluate.h"

#include <optional>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// The recorded row where there is one: the schedule of a table's place is made only when it is
// needed.
std::optional<Candidate> CandidateOf(const EpisodeState& place) {
  if (place.row()) return Candidate{.state = std::nullopt, .row = place.row()};
  const Result<ScheduleState>& state = place.state();
  if (!state) return std::nullopt;
  return Candidate{.state = *state};
}

}  // namespace

std::vector<EvaluationResult> Evaluate(std::span<const EpisodeState* const> places,
                                       Measurer& measurer) {
  std::vector<EvaluationResult> evaluations(places.size(),
                                            FailedEvaluationResult(Outcome::kInvalidSchedule));
  std::vector<Candidate> candidates;
  std::vector<size_t> positions;
  for (size_t i = 0; i < places.size(); ++i) {
    std::optional<Candidate> candidate = CandidateOf(*places[i]);
    if (!candidate) continue;
    candidates.push_back(*std::move(candidate));
    positions.push_back(i);
  }
  const std::vector<Measurement> measurements = measurer.Measure(candidates);
  SG_CHECK(measurements.size() == candidates.size(), "a measurement for each candidate");
  for (size_t i = 0; i < measurements.size(); ++i) {
    evaluations[positions[i]] = EvaluationResultOf(measurements[i]);
  }
  return evaluations;
}

EvaluationResult Evaluate(const EpisodeState& place, Measurer& measurer) {
  const std::optional<Candidate> candidate = CandidateOf(place);
  if (!candidate) return FailedEvaluationResult(Outcome::kInvalidSchedule);
  return EvaluationResultOf(measurer.Measure({&*candidate, 1}).at(0));
}

void Expect(std::span<const EpisodeState* const> places, Measurer& measurer) {
  std::vector<Candidate> candidates;
  for (const EpisodeState* place : places) {
    if (std::optional<Candidate> candidate = CandidateOf(*place)) {
      candidates.push_back(*std::move(candidate));
    }
  }
  measurer.Expect(candidates);
}

}  // namespace schedulegym
