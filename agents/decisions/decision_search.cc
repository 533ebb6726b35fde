#include "agents/decisions/decision_search.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {
namespace {

// Trees may predict 0 or less.
constexpr double kLeastScore = 1e-3;

double WorthOf(Worth worth, const Prediction& predicted) {
  if (worth == Worth::kLogSpeed) return std::log(std::max(predicted.score, kLeastScore));
  const double speed = predicted.score > 0 ? predicted.score : kLeastScore;
  return -predicted.seconds.value_or(1 / speed);
}

}  // namespace

DecisionSearchContext Forked(DecisionSearchContext& ground) {
  DecisionSearchContext forked = ground;
  forked.rng = ground.rng.Split();
  return forked;
}

FeatureEvaluator WorthByFeatures(const DecisionSearchContext& ground, Worth worth) {
  return [ground, worth](const std::vector<StateFeatures>& states) {
    ground.stop.Check();
    std::vector<std::optional<double>> values(states.size());
    const auto predictions = ground.model->Predict(states);
    for (size_t i = 0; i < values.size(); ++i) {
      if (predictions[i]) values[i] = WorthOf(worth, *predictions[i]);
    }
    return values;
  };
}

FeatureEvaluator DoubtByFeatures(const DecisionSearchContext& ground) {
  return [ground](const std::vector<StateFeatures>& states) {
    ground.stop.Check();
    std::vector<std::optional<double>> doubts;
    for (const std::optional<Prediction>& one : ground.model->Predict(states)) {
      const bool is_known = one && one->spread;
      doubts.push_back(is_known ? std::optional(*one->spread / std::max(one->score, kLeastScore))
                                : std::nullopt);
    }
    return doubts;
  };
}

StateEvaluator WorthBy(const DecisionSearchContext& ground, Worth worth) {
  return [evaluator = WorthByFeatures(ground, worth)](const std::vector<ScheduleState>& states) {
    return evaluator(WithFeatures(states));
  };
}

}  // namespace schedulegym
