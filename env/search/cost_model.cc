#include "env/search/cost_model.h"

namespace schedulegym {

std::vector<std::optional<double>> ScoresOf(
    std::span<const std::optional<Prediction>> predictions) {
  std::vector<std::optional<double>> scores;
  scores.reserve(predictions.size());
  for (const std::optional<Prediction>& one : predictions) {
    scores.push_back(one ? std::optional(one->score) : std::nullopt);
  }
  return scores;
}

}  // namespace schedulegym
