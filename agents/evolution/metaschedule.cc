// MetaSchedule's evolutionary search (TVM, meta_schedule/search_strategy/evolutionary_search.cc),
// in rounds of 64 trials:
// 1. population of 512: up to 0.2 of it the best measured, the rest random places, at least 50;
// 2. evolve 4 generations: a child is a mutation with probability 0.85, or a copy; the mutator is
//    drawn by its share, of at most 10 draws a child: tile 0.90, location 0.05, unroll 0.03,
//    parallel 0.02, over the kinds that the sketch has;
// 3. measure the best by the model, and a share of 0.05 at random; 5 rounds without a candidate end
//    the search.
// The model: boosted trees of Ansor's features and constants on the median of the samples, random
// scores below 100 measurements, trained once a fifth more is measured (adaptive_training).
// Not published: a trace is a place of a sketch here, and a stale decision acts as the next lower
// value. Cost: population * (generations + 1) predictions a round.
#include "agents/evolution/metaschedule.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "agents/common/fresh_agent.h"
#include "agents/common/proposal_round.h"
#include "agents/common/search_model_state.h"
#include "agents/cost/boosted_cost_model.h"
#include "agents/parallel.h"
#include "env/base/fault.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

constexpr int kHeapFactor = 2;   // states kept for each of a round
constexpr int kStrayFactor = 3;  // random states drawn for each random proposal

struct MetascheduleOptions {
  EvolutionOptions evolution = {.population = 512, .draws = 10};
  double measured = 0.2;
  int least = 50;
  std::vector<MutatorShare> mutators = PublishedMutators();
  int round = 64;
  double epsilon = 0.05;
  int empty = 5;
  int trusted = 100;
  TrainingCadence cadence = TrainingCadence::kAdaptive;
};

// One model for all tasks of a run, as published.
using SharedModel = std::shared_ptr<BoostedCostModel>;

class MetascheduleSearch : public TaskSearch {
 public:
  MetascheduleSearch(const MetascheduleOptions& options, const AgentContext& context,
                     std::shared_ptr<const Task> task, int64_t retries, SharedModel model, Rng rng)
      : options_(options),
        space_(context.space),
        field_(context.space, std::move(task), "agent metaschedule"),
        retries_(retries),
        mutate_(MutationByKind(field_, options.mutators)),
        model_(std::move(model)),
        rng_(rng) {
    options_.evolution.stop = context.stop;
    options_.evolution.threads = SearchThreads(*field_.task());
  }

  std::vector<Proposal> Propose(int count) override {
    std::vector<Proposal> proposals;
    while (std::ssize(proposals) < count && empty_ < options_.empty) {
      const int lacking = count - static_cast<int>(proposals.size());
      if (!round_) round_ = Breed(std::max(options_.round, lacking));
      std::vector<Proposal> dealt = Deal(lacking);
      const bool is_over = std::ssize(dealt) < lacking || round_->dealt() >= options_.round;
      if (is_over) {
        empty_ = round_->dealt() == 0 ? empty_ + 1 : 0;
        round_.reset();
      }
      std::ranges::move(dealt, std::back_inserter(proposals));
    }
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      const std::optional<MeasuredState> measured = memory_.Take(trial);
      if (measured) {
        model_->Learn({&*measured, 1});
      } else {
        empty_ = 0;  // it may be proposed again
      }
    }
  }

 private:
  ProposalRound Breed(int count) {
    std::vector<ScheduleState> fresh = DrawStates();
    const int random = static_cast<int>(options_.epsilon * count);
    std::vector<ScheduleState> strays;
    for (int i = 0; i < kStrayFactor * random && !fresh.empty(); ++i) {
      strays.push_back(fresh[rng_.Below(std::ssize(fresh))]);
    }
    std::vector<ScheduleState> population;
    for (const MeasuredState* one : Leaders()) population.push_back(one->state);
    std::ranges::move(fresh, std::back_inserter(population));
    // Copies are scored again only under random scores.
    options_.evolution.evaluates_copies = !IsTrusted();
    std::vector<ScoredState> best;
    if (!population.empty()) {
      best = Evolve(
          std::move(population), mutate_, [this](const auto& states) { return Score(states); },
          options_.evolution, kHeapFactor * count, memory_.seen, rng_);
    }
    return {std::move(best), strays, space_, options_.evolution.threads, options_.evolution.stop};
  }

  // Returns the best measured states, which begin a population.
  std::vector<const MeasuredState*> Leaders() const {
    std::vector<const MeasuredState*> order = memory_.Ranked();
    const auto most = static_cast<size_t>(options_.measured * options_.evolution.population);
    order.resize(std::min(order.size(), most));
    return order;
  }

  // Returns random places, each schedule once; fewer if `retries_` draws in a row find no new one.
  std::vector<ScheduleState> DrawStates() {
    const int leaders = static_cast<int>(Leaders().size());
    const int wanted = std::max(options_.evolution.population - leaders, options_.least);
    std::vector<ScheduleState> states;
    std::set<FieldPlace> known;
    for (int64_t idle = 0; std::ssize(states) < wanted && idle < retries_; ++idle) {
      options_.evolution.stop.Check();
      std::optional<FieldPlace> place = field_.Draw(rng_);
      if (!place || !known.insert(*place).second) continue;
      Result<ScheduleState> state = field_.State(*place);
      if (!state) continue;
      states.push_back(*std::move(state));
      idle = 0;
    }
    return states;
  }

  bool IsTrusted() const { return model_->progress().samples >= options_.trusted; }

  std::vector<std::optional<double>> Score(const std::vector<ScheduleState>& states) {
    std::vector<std::optional<double>> scores;
    if (!IsTrusted()) {
      for (size_t i = 0; i < states.size(); ++i) scores.emplace_back(rng_.Uniform());
      return scores;
    }
    return ScoresOf(model_->Predict(WithFeatures(states)));
  }

  std::vector<Proposal> Deal(int count) {
    const ProposalRound::Mixture mixture = {.random = round_->PartOf(options_.epsilon, count)};
    std::vector<Proposal> dealt = round_->Deal(count, mixture, {}, memory_.seen);
    for (const Proposal& one : dealt) memory_.seen.insert(one.key);
    return dealt;
  }

  MetascheduleOptions options_;
  const SearchSpace& space_;
  KnobField field_;
  int64_t retries_;
  StateMutation mutate_;
  SharedModel model_;
  Rng rng_;
  SearchModelState memory_;
  std::optional<ProposalRound> round_;  // under way
  int empty_ = 0;                       // rounds without a candidate, one after another
};

void ReadMutators(RangedReader& ranged, std::vector<MutatorShare>& mutators) {
  for (MutatorShare& one : mutators) {
    one.share = ranged.Number(KnobKindName(one.kind), one.share, 0, 1);
  }
}

MetascheduleOptions ReadOptions(SpecReader& reader, const std::string& who) {
  RangedReader ranged(reader, who);
  MetascheduleOptions options;
  EvolutionOptions& evolution = options.evolution;
  evolution.population = ranged.Integer("population", evolution.population, 1, kMostOfACount);
  options.measured = ranged.Number("measured", options.measured, 0, 1);
  options.least = ranged.Integer("least", options.least, 1, kMostOfACount);
  evolution.generations = ranged.Integer("generations", evolution.generations, 0, 1000);
  evolution.mutation = ranged.Number("mutation", evolution.mutation, 0, 1);
  evolution.draws = ranged.Integer("draws", evolution.draws, 1, 1000);
  ReadMutators(ranged, options.mutators);
  if (std::ranges::all_of(options.mutators,
                          [](const MutatorShare& one) { return one.share <= 0; })) {
    throw InputError(who +
                     ": tile, location, unroll and parallel are 0, expected one of them above 0");
  }
  options.round = ranged.Integer("round", options.round, 1, 100'000);
  options.epsilon = ranged.Number("epsilon", options.epsilon, 0, 1);
  options.empty = ranged.Integer("empty", options.empty, 1, 1000);
  options.trusted = ranged.Integer("trusted", options.trusted, 1, kMostOfACount);
  const bool adapts = reader.Choice("cadence", "adaptive", {"adaptive", "always"}) == "adaptive";
  options.cadence = adapts ? TrainingCadence::kAdaptive : TrainingCadence::kAlways;
  return options;
}

}  // namespace

std::vector<MutatorShare> PublishedMutators() {
  return {{KnobKind::kTile, 0.9},
          {KnobKind::kLocation, 0.05},
          {KnobKind::kUnroll, 0.03},
          {KnobKind::kParallel, 0.02}};
}

StateMutation MutationByKind(const KnobField& field, std::vector<MutatorShare> shares) {
  return [&field, shares = std::move(shares)](const ScheduleState& state,
                                              Rng& rng) -> Result<ScheduleState> {
    const std::optional<FieldPlace> place = field.PlaceOf(state);
    if (!place) return Illegal("the schedule is no point of a sketch");
    double total = 0;
    std::vector<MutatorShare> present;
    for (const MutatorShare& one : shares) {
      if (!field.HasKind(place->sketch, one.kind)) continue;
      present.push_back(one);
      total += one.share;
    }
    if (total <= 0) return Illegal("no mutator has a decision to change");
    double drawn = rng.Uniform() * total;
    size_t chosen = 0;
    while (chosen + 1 < present.size() && drawn >= present[chosen].share) {
      drawn -= present[chosen++].share;
    }
    const std::optional<FieldPlace> next = field.Mutated(*place, present[chosen].kind, rng);
    if (!next) return Illegal("the mutator found no other place");
    return field.State(*next);
  };
}

std::unique_ptr<Agent> MakeMetascheduleAgent(const AgentContext& context) {
  const std::string who = "agent metaschedule";
  SpecReader reader(context.setup.agent, "agent");
  const MetascheduleOptions options = ReadOptions(reader, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  const auto model = std::make_shared<BoostedCostModel>(
      BoostedModelOptions{.cadence = options.cadence}, context.stop);
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<MetascheduleSearch>(options, context, task, retries, model, rng);
  });
}

}  // namespace schedulegym
