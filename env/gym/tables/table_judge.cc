#include "env/gym/tables/table_judge.h"

#include <cmath>

namespace schedulegym {

double TableJudge::CostOf(const Walk& place) const {
  return place.row() ? table_->row(*place.row()).cost_seconds : 0;
}

std::vector<Judgement> TableJudge::Ask(std::span<const Walk* const> places) {
  std::vector<Judgement> judgements;
  judgements.reserve(places.size());
  for (const Walk* place : places) {
    judgements.push_back(place->row() ? table_->row(*place->row()).judgement
                                      : FailedJudgement(Outcome::kInvalidSchedule));
    nanoseconds_ += static_cast<int64_t>(std::llround(CostOf(*place) * 1e9));
    ++answers_;
  }
  return judgements;
}

}  // namespace schedulegym
