#include "agents/tree/decision_search.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {
namespace {

// Trees may predict nothing or less.
constexpr double kLeastScore = 1e-3;

double WorthOf(Worth worth, const SearchGround& ground, double score) {
  const double speed = std::max(score, kLeastScore);
  if (worth == Worth::kLogSpeed) return std::log(speed);
  return -ground.model->SecondsOf(TaskKey(*ground.task), score).value_or(1 / speed);
}

}  // namespace

SearchGround Forked(SearchGround& ground) {
  SearchGround forked = ground;
  forked.rng = ground.rng.Split();
  return forked;
}

Judge WorthBy(const SearchGround& ground, Worth worth) {
  return [ground, worth](const std::vector<ScheduleState>& states) {
    ground.stop.Check();
    std::vector<std::optional<double>> values = ground.model->Predict(states);
    for (std::optional<double>& value : values) {
      if (value) value = WorthOf(worth, ground, *value);
    }
    return values;
  };
}

}  // namespace schedulegym
