#include "env/gym/evaluators/analytical_judge.h"

namespace schedulegym {

std::vector<Judgement> AnalyticalJudge::Ask(std::span<const Walk* const> places) {
  std::vector<Judgement> judgements;
  judgements.reserve(places.size());
  for (const Walk* place : places) {
    const Result<ScheduleState>& state = place->state();
    if (!state) {
      judgements.push_back(FailedJudgement(Outcome::kInvalidSchedule));
      continue;
    }
    const AnalyticalSpeed::Answer answer = speed_.Of(*state);
    judgements.push_back(ExactJudgement(answer.speed, answer.seconds));
  }
  return judgements;
}

}  // namespace schedulegym
