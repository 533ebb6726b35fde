// One evolutionary search under a score (Zheng et al., OSDI 2020, 5.1): evaluate the population,
// keep the best, draw parents in proportion to max(score, 0), uniformly if none is above 0; a child
// is a mutation with probability `mutation`, otherwise a copy; repeat. A brood of 64 children has
// its own stream of random numbers, so the result does not depend on the number of threads. At most
// `draws` = 20 a child, as mutations fail: in a small space most lead nowhere. Cost: population *
// generations mutations and evaluations, O(log population) a draw.
#include "agents/evolution/evolution.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "agents/parallel.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Children that one thread makes from a random stream of their own, so that the result does not
// depend on the number of threads.
constexpr int kBrood = 64;

struct Member {
  ScheduleState state;
  bool is_evaluated = false;
  std::optional<double> score = {};
};

// Draws positions in proportion to scores; uniformly if none is above zero.
class Roulette {
 public:
  explicit Roulette(const std::vector<Member>& members) {
    for (const Member& member : members) {
      total_ += std::max(member.score.value_or(0), 0.0);
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

// Makes children from one random stream.
class Brood {
 public:
  Brood(const std::vector<Member>& parents, const Roulette& roulette, const StateMutation& mutate,
        const EvolutionOptions& options)
      : parents_(parents), roulette_(roulette), mutate_(mutate), options_(options) {}

  std::vector<Member> Breed(int count, Rng rng) const {
    std::vector<Member> children;
    children.reserve(count);
    for (int draw = 0; draw < options_.draws * count; ++draw) {
      if (static_cast<int>(children.size()) == count) break;
      const Member& parent = parents_[roulette_.Draw(rng)];
      if (!rng.Chance(options_.mutation)) {
        children.push_back(options_.evaluates_copies ? Member{parent.state} : parent);
        continue;
      }
      Result<ScheduleState> child = mutate_(parent.state, rng);
      if (child) children.push_back({*std::move(child)});
    }
    return children;
  }

 private:
  const std::vector<Member>& parents_;
  const Roulette& roulette_;
  const StateMutation& mutate_;
  const EvolutionOptions& options_;
};

std::vector<Member> NextGeneration(const std::vector<Member>& parents, const StateMutation& mutate,
                                   const EvolutionOptions& options, Rng& rng) {
  const Roulette roulette(parents);
  const Brood brood(parents, roulette, mutate, options);
  const int broods = (options.population + kBrood - 1) / kBrood;
  std::vector<Rng> streams;
  for (int i = 0; i < broods; ++i) streams.push_back(rng.Split());
  std::vector<std::vector<Member>> made(broods);
  ParallelFor(
      broods, options.threads,
      [&](int i) {
        made[i] = brood.Breed(std::min(kBrood, options.population - i * kBrood), streams[i]);
      },
      options.stop);
  std::vector<Member> children;
  for (std::vector<Member>& some : made) std::ranges::move(some, std::back_inserter(children));
  return children;
}

// Evaluates the members without a score and offers them to `best`.
void EvaluateNew(std::vector<Member>& members, const StateEvaluator& evaluator, BestStates& best) {
  std::vector<ScheduleState> states;
  for (const Member& member : members) {
    if (!member.is_evaluated) states.push_back(member.state);
  }
  const std::vector<std::optional<double>> scores = evaluator(states);
  SG_CHECK(scores.size() == states.size(), "a score for each state");
  std::vector<BestStates::Offer> offers;
  size_t next = 0;
  for (Member& member : members) {
    if (member.is_evaluated) continue;
    member.is_evaluated = true;
    member.score = scores[next++];
    if (member.score) offers.push_back({*member.score, &member.state});
  }
  best.Take(std::move(offers));
}

}  // namespace

StateMutation MutationOf(const SearchSpace& space) {
  return [&space](const ScheduleState& state, Rng& rng) { return space.Mutate(state, rng); };
}

std::vector<ScoredState> Evolve(std::vector<ScheduleState> population, const StateMutation& mutate,
                                const StateEvaluator& evaluator, const EvolutionOptions& options,
                                int kept, const std::set<Key>& seen, Rng& rng) {
  BestStates best(kept, seen);
  std::vector<Member> members;
  for (ScheduleState& state : population) members.push_back({std::move(state)});
  for (int generation = 0; !members.empty(); ++generation) {
    EvaluateNew(members, evaluator, best);
    if (generation == options.generations) break;
    members = NextGeneration(members, mutate, options, rng);
  }
  return std::move(best).states();
}

}  // namespace schedulegym
