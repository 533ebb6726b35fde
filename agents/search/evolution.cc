#include "agents/search/evolution.h"

#include <algorithm>
#include <utility>

#include "env/base/check.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Draws for each child, at most: in a small space most mutations lead nowhere.
constexpr int kMostDraws = 20;

// The best states offered so far, each once.
class Best {
 public:
  Best(int most, const std::set<Key>& seen) : most_(most), seen_(seen) {}

  void Offer(double score, const ScheduleState& state) {
    if (static_cast<int>(states_.size()) == most_ && score <= states_.back().score) return;
    const Key key = StateKey(state);
    if (seen_.count(key) > 0 || !keys_.insert(key).second) return;
    const auto after = std::upper_bound(
        states_.begin(), states_.end(), score,
        [](double value, const ScoredState& other) { return value > other.score; });
    states_.insert(after, ScoredState{score, key, state});
    if (static_cast<int>(states_.size()) <= most_) return;
    keys_.erase(states_.back().key);
    states_.pop_back();
  }

  std::vector<ScoredState> Take() { return std::move(states_); }

 private:
  int most_;
  const std::set<Key>& seen_;
  std::vector<ScoredState> states_;  // best first
  std::set<Key> keys_;
};

// Draws positions in proportion to scores; each alike where none is above zero.
class Roulette {
 public:
  explicit Roulette(const std::vector<std::optional<double>>& scores) {
    for (const std::optional<double>& score : scores) {
      total_ += std::max(score.value_or(0), 0.0);
      sums_.push_back(total_);
    }
  }

  size_t Draw(Rng& rng) const {
    if (total_ <= 0) return static_cast<size_t>(rng.Below(static_cast<int64_t>(sums_.size())));
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), rng.Uniform() * total_);
    return std::min(static_cast<size_t>(found - sums_.begin()), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_;
  double total_ = 0;
};

std::vector<ScheduleState> Breed(const std::vector<ScheduleState>& parents,
                                 const std::vector<std::optional<double>>& scores,
                                 const SearchSpace& space, const EvolutionOptions& options,
                                 Rng& rng) {
  const Roulette roulette(scores);
  std::vector<ScheduleState> children;
  for (int draw = 0; draw < kMostDraws * options.population; ++draw) {
    if (static_cast<int>(children.size()) == options.population) break;
    const ScheduleState& parent = parents[roulette.Draw(rng)];
    if (!rng.Chance(options.mutation)) {
      children.push_back(parent);
      continue;
    }
    Result<ScheduleState> child = space.Mutate(parent, rng);
    if (child) children.push_back(*std::move(child));
  }
  return children;
}

}  // namespace

std::vector<ScoredState> Evolve(std::vector<ScheduleState> population, const SearchSpace& space,
                                const Judge& judge, const EvolutionOptions& options, int kept,
                                const std::set<Key>& seen, Rng& rng) {
  Best best(kept, seen);
  for (int generation = 0; !population.empty(); ++generation) {
    const std::vector<std::optional<double>> scores = judge(population);
    SG_CHECK(scores.size() == population.size(), "a score for each state");
    for (size_t i = 0; i < scores.size(); ++i) {
      if (scores[i]) best.Offer(*scores[i], population[i]);
    }
    if (generation == options.generations) break;
    population = Breed(population, scores, space, options, rng);
  }
  return best.Take();
}

}  // namespace schedulegym
