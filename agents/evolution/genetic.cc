// AutoTVM's genetic search (population 100, elite 3, mutation 0.1) over measured speeds. Generation
// 0 is random, with the results of earlier searches. Parents are the successes of the last
// generation and the elite, drawn in proportion to speed; a child crosses two of them
// (sketch_place.h), each of its genes is drawn anew with probability `mutation`, and it is changed
// further until it is new. A corrected measurement replaces its speed in all three lists. Cost:
// O(population) a parent.
#include "agents/evolution/genetic.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/common/sketch_place.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

// As published.
struct GeneticOptions {
  int population = 100;
  int elite = 3;
  double mutation = 0.1;
};

// Keeps the best, best first; ties keep the earlier one.
void KeepBest(std::vector<RatedState>& states, int most) {
  std::ranges::stable_sort(states, std::greater<>(), &RatedState::speed);
  if (std::ssize(states) > most) states.erase(states.begin() + most, states.end());
}

// Sets another speed for a schedule, or removes it.
void ReviseIn(std::vector<RatedState>& states, const Key& key,
              const std::optional<RatedState>& rated) {
  const auto found = std::ranges::find(states, key, &RatedState::key);
  if (found == states.end()) return;
  if (rated) {
    *found = *rated;
  } else {
    states.erase(found);
  }
}

class GeneticSearch : public TaskSearch {
 public:
  GeneticSearch(const GeneticOptions& options, FreshSchedules fresh, Rng rng)
      : options_(options), fresh_(std::move(fresh)), rng_(rng), left_(options.population) {}

  // Returns at most the rest of a generation: the next one descends from it.
  std::vector<Proposal> Propose(int count) override {
    if (left_ == 0) BeginGeneration();
    std::vector<Proposal> proposals = Breed(count);
    if (!proposals.empty() || members_.empty()) return proposals;
    BeginGeneration();
    return Breed(count);
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      fresh_.Learn(trial);
      if (RecordToLearnFrom(trial) == nullptr) continue;
      std::optional<RatedState> rated = RatingOf(trial);
      if (trial.told == TrialStatus::kRevised) {
        for (auto* states : {&members_, &parents_, &elite_}) ReviseIn(*states, trial.key, rated);
      } else if (rated) {
        if (trial.told == TrialStatus::kKnown && left_ > 0) --left_;
        members_.push_back(*std::move(rated));
      }
    }
  }

 private:
  void BeginGeneration() {
    KeepBest(members_, options_.population);
    parents_ = std::move(members_);
    members_.clear();
    std::ranges::copy(elite_, std::back_inserter(parents_));
    elite_ = parents_;
    KeepBest(elite_, options_.elite);
    left_ = options_.population;
  }

  std::vector<Proposal> Breed(int count) {
    std::vector<Proposal> children;
    while (left_ > 0 && std::ssize(children) < count) {
      std::optional<Proposal> child;
      if (!parents_.empty()) child = Child();
      if (!child) child = fresh_.Draw(rng_);
      if (!child) break;
      children.push_back(*std::move(child));
      --left_;
    }
    return children;
  }

  std::optional<Proposal> Child() {
    const RatedState& first = Parent();
    const RatedState& second = Parent();
    const Result<ScheduleState> crossed =
        Crossed(fresh_.sketches(), first.state, second.state, rng_);
    const ScheduleState& child = crossed ? *crossed : first.state;
    int64_t mutations = 0;
    for (int64_t gene = CountGenes(child); gene > 0; --gene) {
      mutations += rng_.Chance(options_.mutation) ? 1 : 0;
    }
    return fresh_.Beyond(child, mutations, rng_);
  }

  const RatedState& Parent() {
    double total = 0;
    for (const RatedState& parent : parents_) total += parent.speed;
    double drawn = rng_.Uniform() * total;
    for (const RatedState& parent : parents_) {
      drawn -= parent.speed;
      if (drawn < 0) return parent;
    }
    return parents_.back();
  }

  GeneticOptions options_;
  FreshSchedules fresh_;
  Rng rng_;
  std::vector<RatedState> members_;  // the successes of this generation
  std::vector<RatedState> parents_;  // of this generation
  std::vector<RatedState> elite_;    // best first
  int left_;                         // of this generation, to be proposed
};

GeneticOptions ReadOptions(SpecReader& reader, const std::string& who) {
  GeneticOptions options;
  options.population = ReadCount(reader, who, {"population", options.population, kMostOfACount});
  options.elite = ReadCount(reader, who, {"elite", options.elite, kMostOfACount});
  options.mutation = ReadShare(reader, who, "mutation", options.mutation);
  return options;
}

}  // namespace

std::unique_ptr<Agent> MakeGeneticAgent(const AgentContext& context) {
  return MakeFreshAgent<GeneticSearch>(context, ReadOptions);
}

}  // namespace schedulegym
