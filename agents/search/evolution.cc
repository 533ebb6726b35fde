#include "agents/search/evolution.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "agents/parallel.h"
#include "env/base/check.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Draws for each child, at most: in a small space most mutations lead nowhere.
constexpr int kMostDraws = 20;
// Children bred by one thread in one go, with chance of their own: so the result does not depend on
// how many threads there are.
constexpr int kBrood = 64;

struct Offer {
  double score = 0;
  const ScheduleState* state = nullptr;
};

// The best states offered so far, each once.
class Best {
 public:
  Best(int most, const std::set<Key>& seen) : most_(most), seen_(seen) {}

  // Of equal ones those that came first. To tell states apart costs as much as to judge them: those
  // that are not good enough are not asked for their keys.
  void Take(std::vector<Offer> offers) {
    std::ranges::stable_sort(offers, std::greater<>(), &Offer::score);
    std::set<Key> keys;
    for (const ScoredState& state : states_) keys.insert(state.key);
    std::vector<ScoredState> merged;
    size_t next = 0;  // of the states so far
    for (const Offer& offer : offers) {
      for (; next < states_.size() && states_[next].score >= offer.score; ++next) {
        merged.push_back(std::move(states_[next]));
      }
      if (static_cast<int>(merged.size()) >= most_) break;
      const Key key = StateKey(*offer.state);
      if (seen_.count(key) > 0 || !keys.insert(key).second) continue;
      merged.push_back({offer.score, key, *offer.state});
    }
    std::move(states_.begin() + static_cast<std::ptrdiff_t>(next), states_.end(),
              std::back_inserter(merged));
    if (static_cast<int>(merged.size()) > most_) merged.erase(merged.begin() + most_, merged.end());
    states_ = std::move(merged);
  }

  std::vector<ScoredState> states() && { return std::move(states_); }

 private:
  int most_;
  const std::set<Key>& seen_;
  std::vector<ScoredState> states_;  // best first
};

struct Member {
  ScheduleState state;
  bool is_judged = false;
  std::optional<double> score = {};
};

// Draws positions in proportion to scores; each alike where none is above zero.
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

// Children for one stream of chance.
class Brood {
 public:
  Brood(const std::vector<Member>& parents, const Roulette& roulette, const SearchSpace& space,
        const EvolutionOptions& options)
      : parents_(parents), roulette_(roulette), space_(space), options_(options) {}

  std::vector<Member> Breed(int count, Rng rng) const {
    std::vector<Member> children;
    children.reserve(count);
    for (int draw = 0; draw < kMostDraws * count; ++draw) {
      if (static_cast<int>(children.size()) == count) break;
      const Member& parent = parents_[roulette_.Draw(rng)];
      if (!rng.Chance(options_.mutation)) {
        children.push_back(options_.judges_copies ? Member{parent.state} : parent);
        continue;
      }
      Result<ScheduleState> child = space_.Mutate(parent.state, rng);
      if (child) children.push_back({*std::move(child)});
    }
    return children;
  }

 private:
  const std::vector<Member>& parents_;
  const Roulette& roulette_;
  const SearchSpace& space_;
  const EvolutionOptions& options_;
};

std::vector<Member> NextGeneration(const std::vector<Member>& parents, const SearchSpace& space,
                                   const EvolutionOptions& options, Rng& rng) {
  const Roulette roulette(parents);
  const Brood brood(parents, roulette, space, options);
  const int broods = (options.population + kBrood - 1) / kBrood;
  std::vector<Rng> streams;
  for (int i = 0; i < broods; ++i) streams.push_back(rng.Split());
  std::vector<std::vector<Member>> made(broods);
  ParallelFor(broods, options.threads, [&](int i) {
    made[i] = brood.Breed(std::min(kBrood, options.population - i * kBrood), streams[i]);
  });
  std::vector<Member> children;
  for (std::vector<Member>& some : made) std::ranges::move(some, std::back_inserter(children));
  return children;
}

// Those that are not, and offers them.
void JudgeNew(std::vector<Member>& members, const Judge& judge, Best& best) {
  std::vector<ScheduleState> states;
  for (const Member& member : members) {
    if (!member.is_judged) states.push_back(member.state);
  }
  const std::vector<std::optional<double>> scores = judge(states);
  SG_CHECK(scores.size() == states.size(), "a score for each state");
  std::vector<Offer> offers;
  size_t next = 0;
  for (Member& member : members) {
    if (member.is_judged) continue;
    member.is_judged = true;
    member.score = scores[next++];
    if (member.score) offers.push_back({*member.score, &member.state});
  }
  best.Take(std::move(offers));
}

}  // namespace

std::vector<ScoredState> Evolve(std::vector<ScheduleState> population, const SearchSpace& space,
                                const Judge& judge, const EvolutionOptions& options, int kept,
                                const std::set<Key>& seen, Rng& rng) {
  Best best(kept, seen);
  std::vector<Member> members;
  for (ScheduleState& state : population) members.push_back({std::move(state)});
  for (int generation = 0; !members.empty(); ++generation) {
    JudgeNew(members, judge, best);
    if (generation == options.generations) break;
    members = NextGeneration(members, space, options, rng);
  }
  return std::move(best).states();
}

}  // namespace schedulegym
