// AutoTVM's simulated annealing over a cost model. In each step every chain draws one decision of
// its place anew and moves there with probability
//   exp(min((to - from) / (T + 1e-5), 1)),   T = 1 - step / (steps + 1)
// The best open places of all candidates are kept, accepted or not; `patience` steps that add none
// end the walk. Published: scores are unscaled, though a rank model's have no unit; `scaled`
// divides them by their deviation over the measured places. Cost: chains * steps scores.
#include "agents/plan/annealing_explorer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "agents/plan/best_places.h"

namespace schedulegym {
namespace {

// Returns the standard deviation of the scores of measured places.
double DeviationOf(const PlaceBook& book, Surrogate& surrogate) {
  std::vector<FieldPlace> places;
  for (const MeasuredPlace& one : book.measured()) places.push_back(one.place);
  double sum = 0, squares = 0, count = 0;
  for (const double score : surrogate.Score(book, places)) {
    if (!std::isfinite(score)) continue;
    sum += score;
    squares += score * score;
    ++count;
  }
  const double mean = sum / std::max(count, 1.0);
  const double variance = squares / std::max(count, 1.0) - mean * mean;
  return variance > 0 ? std::sqrt(variance) : 1;
}

}  // namespace

double TemperatureAt(int step, int steps) {
  return 1 - static_cast<double>(step) / static_cast<double>(steps + 1);
}

double Acceptance(double from, double to, double temperature) {
  return std::min(std::exp(std::min((to - from) / (temperature + 1e-5), 1.0)), 1.0);
}

void AnnealingExplorer::Begin(const PlaceBook& book, Rng& rng) {
  if (!options_.persistent) chains_.clear();
  for (int draw = 0; draw < 2 * options_.chains && std::ssize(chains_) < options_.chains; ++draw) {
    std::optional<FieldPlace> place = book.field().Draw(rng);
    if (place) chains_.push_back(*std::move(place));
  }
  const std::vector<const MeasuredPlace*> order = book.Ranked();
  const size_t leaders =
      std::min({order.size(), chains_.size(), static_cast<size_t>(options_.from_best)});
  for (size_t i = 0; i < leaders; ++i) chains_[i] = order[i]->place;
}

std::vector<ScoredPlace> AnnealingExplorer::Explore(const PlaceBook& book, Surrogate& surrogate,
                                                    int count, Rng& rng) {
  Begin(book, rng);
  const double unit = options_.scaled ? DeviationOf(book, surrogate) : 1;
  std::vector<double> scores = surrogate.Score(book, chains_);
  BestPlaces best(book, count);
  for (size_t i = 0; i < chains_.size(); ++i) best.Offer(scores[i], chains_[i]);
  int changed = 0;
  for (int step = 0; step < options_.steps && step < changed + options_.patience; ++step) {
    book.stop().Check();
    const double temperature = TemperatureAt(step, options_.steps);
    std::vector<FieldPlace> next;
    for (const FieldPlace& place : chains_) {
      next.push_back(book.field().Redrawn(place, rng).value_or(place));
    }
    const std::vector<double> next_scores = surrogate.Score(book, next);
    for (size_t i = 0; i < chains_.size(); ++i) {
      if (best.Offer(next_scores[i], next[i])) changed = step;
      if (!rng.Chance(Acceptance(scores[i] / unit, next_scores[i] / unit, temperature))) continue;
      chains_[i] = std::move(next[i]);
      scores[i] = next_scores[i];
    }
  }
  return best.Take();
}

}  // namespace schedulegym
