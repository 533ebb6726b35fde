#include "env/gym/measured_judge.h"

namespace schedulegym {

std::vector<Judgement> MeasuredJudge::Ask(std::span<const Walk* const> places) {
  std::vector<Judgement> judgements(places.size(), FailedJudgement(Outcome::kInvalidSchedule));
  std::vector<Candidate> candidates;
  std::vector<size_t> positions;
  for (size_t i = 0; i < places.size(); ++i) {
    if (!places[i]->state()) continue;
    candidates.push_back({*places[i]->state()});
    positions.push_back(i);
  }
  const std::vector<Measurement> results = measurer_.Measure(candidates);
  for (size_t i = 0; i < results.size(); ++i) {
    const Measurement& result = results[i];
    if (observer_) observer_(candidates[i].state, result);
    judgements[positions[i]] =
        result.ok() ? Judgement{Outcome::kOk, result.timing->ratio, result.timing->seconds}
                    : FailedJudgement(result.outcome);
  }
  return judgements;
}

}  // namespace schedulegym
