// Heron's constrained genetic search (Bi et al., ASPLOS 2023), in each round:
// 1. population: the best 200 by prediction of the last one, the 32 best measured and 200 newly
//    drawn solutions;
// 2. five generations: 100 parents drawn by roulette on prediction - least + 1e-16; a child of two
//    of them has, for each key knob but one, the value of either; the solver sets that one and all
//    other knobs, near random values; the 20 best so far join the children;
// 3. the best open places of all predicted ones.
// Keys are a share of the sketch's knobs, by the splits of the surrogate's trees, random, or
// half each. The parents are of one sketch. Cost: (2 population + generations * select) predictions
// and solutions a round.
#include "agents/plan/genetic_explorer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "agents/plan/best_places.h"

namespace schedulegym {
namespace {

constexpr double kLeastWeight = 1e-16;
// Pairs of parents that are tried for each child.
constexpr int kMostPairs = 4;

std::vector<ScoredPlace> Scored(const PlaceBook& book, Surrogate& surrogate,
                                std::vector<FieldPlace> places) {
  const std::vector<double> scores = surrogate.Score(book, places);
  std::vector<ScoredPlace> scored;
  for (size_t i = 0; i < places.size(); ++i) {
    if (std::isfinite(scores[i])) scored.push_back({scores[i], std::move(places[i])});
  }
  std::ranges::stable_sort(scored, std::greater<>(), &ScoredPlace::score);
  return scored;
}

void Shuffle(std::vector<int>& values, Rng& rng) {
  for (int64_t i = std::ssize(values); i > 1; --i) std::swap(values[i - 1], values[rng.Below(i)]);
}

}  // namespace

std::vector<double> RouletteWeights(const std::vector<ScoredPlace>& places) {
  double least = places.empty() ? 0 : places[0].score;
  for (const ScoredPlace& one : places) least = std::min(least, one.score);
  std::vector<double> weights;
  for (const ScoredPlace& one : places) weights.push_back(one.score - least + kLeastWeight);
  return weights;
}

size_t DrawByWeight(const std::vector<double>& weights, Rng& rng) {
  double drawn = rng.Uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  size_t chosen = 0;
  while (chosen + 1 < weights.size() && drawn >= weights[chosen]) drawn -= weights[chosen++];
  return chosen;
}

std::vector<FieldPlace> GeneticExplorer::Begin(const PlaceBook& book, Rng& rng) const {
  std::set<FieldPlace> places(population_.begin(), population_.end());
  const std::vector<const MeasuredPlace*> order = book.Ranked();
  const auto measured = std::min(order.size(), static_cast<size_t>(options_.measured));
  for (size_t i = 0; i < measured; ++i) places.insert(order[i]->place);
  for (int draw = 0; draw < options_.population; ++draw) {
    std::optional<FieldPlace> place =
        options_.is_constrained ? field_->Draw(book.field(), rng) : book.field().Draw(rng);
    if (place) places.insert(*std::move(place));
  }
  return {places.begin(), places.end()};
}

std::vector<int> GeneticExplorer::KeysOf(const KnobField& field, int sketch, Rng& rng) const {
  std::vector<int> knobs(field.knobs(sketch).dimensions());
  std::iota(knobs.begin(), knobs.end(), 0);
  const auto wanted =
      static_cast<size_t>(std::ceil(options_.share * static_cast<double>(knobs.size())));
  const size_t count = std::min(knobs.size(), std::max<size_t>(wanted, 2));
  Shuffle(knobs, rng);
  const std::vector<int> splits = importance_();
  if (options_.keys == KeyChoice::kRandom || splits.empty()) {
    knobs.resize(count);
    return knobs;
  }
  // A knob's importance is the sum of its two columns'.
  const auto important = [&](int knob) {
    const int column = field.ColumnOf(sketch, knob);
    return splits[column] + splits[column + 1];
  };
  const size_t by_chance = options_.keys == KeyChoice::kHalf ? count / 2 : 0;
  std::stable_sort(knobs.begin() + static_cast<std::ptrdiff_t>(by_chance), knobs.end(),
                   [&](int a, int b) { return important(a) > important(b); });
  knobs.resize(count);
  return knobs;
}

std::optional<FieldPlace> GeneticExplorer::Breed(const KnobField& field, const FieldPlace& a,
                                                 const FieldPlace& b, Rng& rng) const {
  if (options_.is_constrained) {
    std::vector<int> keys = KeysOf(field, a.sketch, rng);
    const int open = has_stalled_ ? options_.open : 1;
    for (int i = 0; i < open && !keys.empty(); ++i) {
      keys.erase(keys.begin() + rng.Below(std::ssize(keys)));
    }
    return field_->Child(field, a, b, keys, rng);
  }
  FieldPlace child = a;
  for (size_t knob = 0; knob < child.point.size(); ++knob) {
    if (rng.Chance(0.5)) child.point[knob] = b.point[knob];
  }
  if (child.point.empty()) return child;
  const auto mutated = static_cast<int>(rng.Below(std::ssize(child.point)));
  child.point[mutated] = static_cast<int>(rng.Below(field.knobs(a.sketch).size_of(mutated)));
  return field_->Contains(field, child) ? std::optional(child) : std::nullopt;
}

std::vector<FieldPlace> GeneticExplorer::NextGeneration(const PlaceBook& book,
                                                        const std::vector<ScoredPlace>& parents,
                                                        Rng& rng) const {
  const std::vector<double> weights = RouletteWeights(parents);
  std::vector<const FieldPlace*> selected;
  for (int i = 0; i < options_.select; ++i) {
    selected.push_back(&parents[DrawByWeight(weights, rng)].place);
  }
  const auto draw = [&]() -> const FieldPlace& { return *selected[rng.Below(options_.select)]; };
  std::vector<FieldPlace> children;
  std::set<FieldPlace> known;
  const int pairs = (options_.breeds_until_new ? kMostPairs : 1) * options_.select;
  for (int i = 0; i < pairs && std::ssize(children) < options_.select; ++i) {
    const FieldPlace& a = draw();
    const FieldPlace& b = draw();
    std::optional<FieldPlace> child = Breed(book.field(), a, b.sketch == a.sketch ? b : a, rng);
    if (!child || (options_.breeds_until_new && !known.insert(*child).second)) continue;
    children.push_back(*std::move(child));
  }
  return children;
}

std::vector<ScoredPlace> GeneticExplorer::Explore(const PlaceBook& book, Surrogate& surrogate,
                                                  int count, Rng& rng) {
  const MeasuredPlace* fastest = book.Best();
  has_stalled_ = fastest != nullptr && fastest->speed <= best_speed_;
  if (fastest != nullptr) best_speed_ = fastest->speed;
  BestPlaces best(book, count);
  std::vector<ScoredPlace> members = Scored(book, surrogate, Begin(book, rng));
  for (int generation = 0;; ++generation) {
    book.stop().Check();
    for (const ScoredPlace& one : members) best.Offer(one.score, one.place);
    members.resize(std::min(members.size(), static_cast<size_t>(options_.population)));
    if (generation == options_.generations || members.empty()) break;
    std::vector<FieldPlace> next = NextGeneration(book, members, rng);
    const auto kept = std::min(members.size(), static_cast<size_t>(options_.kept));
    for (size_t i = 0; i < kept; ++i) next.push_back(members[i].place);
    members = Scored(book, surrogate, std::move(next));
  }
  population_.clear();
  for (ScoredPlace& one : members) population_.push_back(std::move(one.place));
  return best.Take();
}

}  // namespace schedulegym
