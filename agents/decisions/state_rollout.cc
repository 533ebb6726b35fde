// Completes places of a decision tree to schedules and evaluates them together. Random completions
// run on all threads, 8 at a time, each with its own stream of random numbers, so the result does
// not depend on the number of threads. Greedy ones advance in lock step: all children of all places
// are completed at random and evaluated at once, and each moves to its best, until a leaf. Cost:
// one evaluation a random completion; for a greedy one the sum of choices over its decisions.
#include "agents/decisions/state_rollout.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "agents/common/best_states.h"
#include "agents/parallel.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Schedules that one thread makes in one call.
constexpr int kChunk = 8;

struct WayOn {
  std::shared_ptr<const TreePlace> place;
  ScheduleState state;  // a completion of it
};

// Returns the children of a place that can be completed.
std::vector<WayOn> WaysOn(const TreePlace& place, Rng& rng, const StopToken& stop) {
  std::vector<WayOn> ways;
  for (int choice = 0; choice < place.choices(); ++choice) {
    std::shared_ptr<const TreePlace> next = place.After(choice);
    if (!next) continue;
    stop.Check();
    Result<ScheduleState> state = next->Complete(rng);
    if (state) ways.push_back({std::move(next), *std::move(state)});
  }
  return ways;
}

// Evaluates all children of all completions together. Returns the unfinished completions.
std::vector<GreedyCompletion*> Advanced(const std::vector<GreedyCompletion*>& going,
                                        std::vector<std::vector<WayOn>> ways,
                                        const StateEvaluator& evaluator) {
  std::vector<ScheduleState> states;
  for (std::vector<WayOn>& own : ways) {
    for (WayOn& way : own) states.push_back(std::move(way.state));
  }
  const std::vector<std::optional<double>> values = evaluator(states);
  std::vector<GreedyCompletion*> further;
  size_t begin = 0;
  for (size_t i = 0; i < going.size(); ++i) {
    const size_t end = begin + ways[i].size();
    const size_t best =
        std::max_element(values.begin() + begin, values.begin() + end) - values.begin();
    going[i]->evaluated += static_cast<int>(ways[i].size());
    if (best < end && values[best]) {
      going[i]->place = std::move(ways[i][best - begin].place);
      going[i]->state = std::move(states[best]);
      further.push_back(going[i]);
    }
    begin = end;
  }
  return further;
}

}  // namespace

StateRollout::StateRollout(const SearchSpace& space, StateEvaluator evaluator, int threads,
                           const StopToken& stop)
    : space_(space), evaluator_(std::move(evaluator)), threads_(threads), stop_(stop) {}

std::vector<std::optional<Rolled>> StateRollout::Roll(std::span<const RolloutRequest> requests,
                                                      Rng& rng) {
  const auto count = static_cast<int>(requests.size());
  std::vector<Rng> streams;
  for (int i = 0; i < count; ++i) streams.push_back(rng.Split());
  std::vector<std::optional<ScheduleState>> made(count);
  const auto make = [&](int chunk) {
    for (int i = chunk * kChunk; i < std::min(count, (chunk + 1) * kChunk); ++i) {
      if (requests[i].is_greedy) continue;
      Result<ScheduleState> state = Make(requests[i], streams[i]);
      if (state) made[i] = *std::move(state);
    }
  };
  ParallelFor((count + kChunk - 1) / kChunk, threads_, make, stop_);
  const std::vector<int> greedy = MakeGreedily(requests, streams, made);
  std::vector<ScheduleState> states;
  std::vector<int> whose;
  for (int i = 0; i < count; ++i) {
    if (!made[i]) continue;
    states.push_back(*std::move(made[i]));
    whose.push_back(i);
  }
  std::vector<std::optional<Rolled>> rolled(count);
  const std::vector<std::optional<Rolled>> evaluated = Evaluated(std::move(states));
  for (size_t i = 0; i < whose.size(); ++i) {
    rolled[whose[i]] = evaluated[i];
    if (evaluated[i]) rolled[whose[i]]->evaluated += greedy[whose[i]];
  }
  return rolled;
}

std::vector<std::optional<Rolled>> StateRollout::Evaluated(std::vector<ScheduleState> states) {
  const std::vector<std::optional<double>> values = ValuesOf(states);
  std::vector<std::optional<Rolled>> rolled;
  std::vector<BestStates::Offer> offers;
  for (size_t i = 0; i < states.size(); ++i) {
    rolled.emplace_back();
    if (!values[i]) continue;
    const auto sample = static_cast<int>(traces_.size());
    traces_.push_back(TraceKey(states[i]));
    const auto kept = samples_.emplace(sample, std::move(states[i])).first;
    rolled.back() = Rolled{sample, *values[i]};
    offers.push_back({*values[i], &kept->second});
  }
  if (best_) best_->Take(std::move(offers));
  return rolled;
}

// Returns the number of samples that each greedy completion evaluated.
std::vector<int> StateRollout::MakeGreedily(std::span<const RolloutRequest> requests,
                                            const std::vector<Rng>& streams,
                                            std::vector<std::optional<ScheduleState>>& made) {
  std::vector<GreedyCompletion> completions;
  std::vector<size_t> whose;
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!requests[i].is_greedy) continue;
    completions.push_back({.place = requests[i].place, .rng = streams[i]});
    whose.push_back(i);
  }
  const StateEvaluator evaluator = [this](const std::vector<ScheduleState>& states) {
    return ValuesOf(states);
  };
  CompleteGreedily(completions, evaluator, threads_, stop_);
  std::vector<int> evaluated(requests.size());
  for (size_t i = 0; i < whose.size(); ++i) {
    made[whose[i]] = std::move(completions[i].state);
    evaluated[whose[i]] = completions[i].evaluated;
  }
  return evaluated;
}

Result<ScheduleState> StateRollout::Make(const RolloutRequest& request, Rng& rng) const {
  if (request.place) return request.place->Complete(rng);
  return space_.Mutate(state(request.neighbour), rng);
}

std::vector<std::optional<double>> StateRollout::ValuesOf(
    const std::vector<ScheduleState>& states) {
  evaluated_ += std::ssize(states);
  std::vector<std::optional<double>> values = evaluator_(states);
  SG_CHECK(values.size() == states.size(), "a value for each schedule");
  return values;
}

std::vector<ScoredState> StateRollout::best() const {
  return best_ ? best_->states() : std::vector<ScoredState>();
}

void StateRollout::Keep(const std::set<int>& samples) {
  std::erase_if(samples_, [&](const auto& one) { return !samples.contains(one.first); });
}

void StateRollout::Note(const Trial& trial) {
  const Record* record = RecordToLearnFrom(trial);
  if (record == nullptr || !record->measurement.ok()) return;
  measured_[TraceKey(trial.state)] = record->measurement.timing->seconds;
}

std::optional<double> StateRollout::SecondsOf(int sample) const {
  const auto found = measured_.find(traces_[sample]);
  return found == measured_.end() ? std::nullopt : std::optional(found->second);
}

void CompleteGreedily(std::vector<GreedyCompletion>& completions, const StateEvaluator& evaluator,
                      int threads, const StopToken& stop) {
  std::vector<GreedyCompletion*> going;
  for (GreedyCompletion& one : completions) {
    Result<ScheduleState> state = one.place->Complete(one.rng);
    if (state) one.state = *std::move(state);
    going.push_back(&one);
  }
  while (!going.empty()) {
    std::vector<std::vector<WayOn>> ways(going.size());
    const auto find = [&](int i) { ways[i] = WaysOn(*going[i]->place, going[i]->rng, stop); };
    ParallelFor(static_cast<int>(going.size()), threads, find, stop);
    going = Advanced(going, std::move(ways), evaluator);
  }
}

}  // namespace schedulegym
