#include "agents/search/ansor.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "agents/cost/analytical_cost_model.h"
#include "agents/cost/boosted_cost_model.h"
#include "agents/search/evolution.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Published constants (TVM 0.16, SketchPolicy's defaults).
constexpr double kMeasuredShare = 0.2;  // of the population, at most, that was measured before
constexpr int kHeapFactor = 2;          // states kept for each that is asked for
constexpr int kRandomFactor = 3;        // random states drawn for each that epsilon asks for
constexpr int kLeastSamples = 50;       // of a fresh population
constexpr int kPatience = 5;            // batches without a new sample halve that
constexpr int kTrustedFrom = 100;       // measurements above which the model's word counts
constexpr int kRandomGenerations = 2;   // without a model
// Of boosting in the fast mode: what told best of later schedules after 64 and 128 of the same
// search (model_benchmark).
constexpr int kFastRounds = 80;
constexpr int kFastDepth = 3;
constexpr double kFastChildWeight = 2;
constexpr int kElite = 8;             // parents of what is bred without the model
constexpr int kLocalDraws = 20;       // children of theirs, at most, for each that is asked for
constexpr int kFastTrustedFrom = 48;  // a model of so few is better than chance already

enum class ModelKind { kBoosted, kAnalytical, kRandom };

struct Options {
  bool fast = true;
  ModelKind model = ModelKind::kBoosted;
  EvolutionOptions evolution;
  ModelFeatures features = ModelFeatures::kEstimated;
  double epsilon = 0.05;
  // Share of a round bred from the best schedules measured, without the model's word; none as
  // published.
  double local = 0.2;
};

// What is known of one task's schedules.
struct TaskMemory {
  std::vector<Record> told;  // before the task itself was seen
  std::set<Key> seen;        // proposed or told of
  std::map<Key, ScheduleState> pending;
  std::map<Key, MeasuredState> measured;  // successes; a record may replace an earlier one
};

class AnsorAgent : public Agent {
 public:
  AnsorAgent(const Options& options, AgentContext context)
      : options_(options),
        context_(context),
        boosted_(options.fast ? TrainingCadence::kAdaptive : TrainingCadence::kAlways,
                 Boosting(options.fast), options.features) {}

  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override {
    TaskMemory& memory = tasks_[TaskKey(*task)];
    Recall(task, memory);
    for (int attempt = 0; attempt < 2; ++attempt) {
      std::vector<ScheduleState> proposals = Round(task, memory, count);
      if (proposals.empty()) continue;
      for (const ScheduleState& state : proposals) {
        const Key key = StateKey(state);
        memory.seen.insert(key);
        memory.pending.emplace(key, state);
      }
      return proposals;
    }
    return {};
  }

  void Learn(std::span<const Record> records) override {
    std::vector<MeasuredState> lessons;
    for (const Record& record : records) {
      TaskMemory& memory = tasks_[record.task->key];
      memory.seen.insert(record.state_key);
      const auto pending = memory.pending.find(record.state_key);
      if (pending == memory.pending.end()) {
        memory.told.push_back(record);
        continue;
      }
      lessons.push_back(Remember(memory, pending->second, record.measurement));
    }
    TakeIn(lessons);
  }

 private:
  static BoostingOptions Boosting(bool fast) {
    BoostingOptions boosting;
    if (!fast) return boosting;
    boosting.bins = true;
    boosting.most_rounds = kFastRounds;
    boosting.max_depth = kFastDepth;
    boosting.min_child_weight = kFastChildWeight;
    return boosting;
  }

  static MeasuredState Remember(TaskMemory& memory, const ScheduleState& state,
                                const Measurement& measurement) {
    MeasuredState measured{state, std::nullopt};
    if (measurement.ok()) measured.seconds = measurement.timing->seconds;
    const Key key = StateKey(state);
    memory.measured.erase(key);
    if (measured.seconds) memory.measured.emplace(key, measured);
    return measured;
  }

  void TakeIn(const std::vector<MeasuredState>& lessons) {
    samples_ += static_cast<int>(lessons.size());
    if (options_.model == ModelKind::kBoosted && !lessons.empty()) boosted_.Learn(lessons);
  }

  // Schedules of earlier searches, once there is a task to replay them on.
  void Recall(const std::shared_ptr<const Task>& task, TaskMemory& memory) {
    std::vector<MeasuredState> lessons;
    for (const Record& record : std::exchange(memory.told, {})) {
      const Result<ScheduleState> state = ReplayText(task, record.trace);
      if (state) lessons.push_back(Remember(memory, *state, record.measurement));
    }
    TakeIn(lessons);
  }

  std::vector<ScheduleState> Round(const std::shared_ptr<const Task>& task, TaskMemory& memory,
                                   int count) {
    std::vector<ScheduleState> population = Sample(task);
    AddMeasured(memory, population);
    if (population.empty()) return {};
    const int random = static_cast<int>(options_.epsilon * count);
    std::vector<ScheduleState> strays;
    for (int i = 0; i < kRandomFactor * random; ++i) {
      const auto size = static_cast<int64_t>(population.size());
      strays.push_back(population[context_.rng.Below(size)]);
    }
    EvolutionOptions evolution = options_.evolution;
    if (options_.model == ModelKind::kRandom) {
      evolution.generations = std::min(evolution.generations, kRandomGenerations);
    }
    // Breeding by chance only leads away from what the space draws.
    if (options_.fast && options_.model == ModelKind::kBoosted && !IsTrusted()) {
      evolution.generations = 0;
    }
    const Judge judge = [this](const std::vector<ScheduleState>& states) { return Score(states); };
    const std::vector<ScoredState> best =
        Evolve(std::move(population), context_.space, judge, evolution, kHeapFactor * count,
               memory.seen, context_.rng);
    return Pick(best, Neighbours(memory, count), strays, memory, count, random);
  }

  // Distinct schedules; fewer than asked for only where the space has hardly more.
  std::vector<ScheduleState> Sample(const std::shared_ptr<const Task>& task) {
    std::vector<ScheduleState> population;
    std::set<Key> known;
    int least = kLeastSamples;
    int idle = 0;
    while (static_cast<int>(population.size()) < least) {
      const size_t before = population.size();
      for (int i = 0; i < options_.evolution.population; ++i) {
        Result<ScheduleState> state = context_.space.Sample(task, context_.rng);
        if (state && known.insert(StateKey(*state)).second) {
          population.push_back(*std::move(state));
        }
      }
      idle = population.size() == before ? idle + 1 : 0;
      if (idle == 0 || idle % kPatience != 0) continue;
      if (least == 1) break;
      least /= 2;
    }
    return population;
  }

  // Children of the best, one decision apart, for when the model is blind to what matters.
  std::vector<ScheduleState> Neighbours(const TaskMemory& memory, int count) {
    const int wanted = IsTrusted() ? static_cast<int>(options_.local * count) : 0;
    const std::vector<const MeasuredState*> order = Ranked(memory);
    std::vector<ScheduleState> children;
    for (int draw = 0; draw < kLocalDraws * wanted && !order.empty(); ++draw) {
      if (static_cast<int>(children.size()) == 2 * wanted) break;
      const auto most = std::min<int64_t>(kElite, static_cast<int64_t>(order.size()));
      // The better, the more children.
      const auto parent = std::min(context_.rng.Below(most), context_.rng.Below(most));
      Result<ScheduleState> child = context_.space.Mutate(order[parent]->state, context_.rng);
      if (child && memory.seen.count(StateKey(*child)) == 0) children.push_back(*std::move(child));
    }
    return children;
  }

  // What was measured, the fastest first.
  static std::vector<const MeasuredState*> Ranked(const TaskMemory& memory) {
    std::vector<const MeasuredState*> order;
    for (const auto& [key, one] : memory.measured) order.push_back(&one);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return *a->seconds < *b->seconds; });
    return order;
  }

  void AddMeasured(const TaskMemory& memory, std::vector<ScheduleState>& population) const {
    const std::vector<const MeasuredState*> order = Ranked(memory);
    const auto most = static_cast<size_t>(kMeasuredShare * options_.evolution.population);
    for (size_t i = 0; i < std::min(most, order.size()); ++i) population.push_back(order[i]->state);
  }

  bool IsTrusted() const { return samples_ > (options_.fast ? kFastTrustedFrom : kTrustedFrom); }

  std::vector<std::optional<double>> Score(const std::vector<ScheduleState>& states) {
    if (options_.model == ModelKind::kAnalytical) return analytical_.Predict(states);
    if (options_.model == ModelKind::kBoosted && IsTrusted()) return boosted_.Predict(states);
    std::vector<std::optional<double>> scores;
    for (size_t i = 0; i < states.size(); ++i) scores.emplace_back(context_.rng.Uniform());
    return scores;
  }

  // The best first, then neighbours of what was measured, then random ones; whichever runs out
  // yields to the others.
  std::vector<ScheduleState> Pick(const std::vector<ScoredState>& best,
                                  const std::vector<ScheduleState>& neighbours,
                                  const std::vector<ScheduleState>& strays,
                                  const TaskMemory& memory, int count, int random) const {
    std::vector<ScheduleState> picked;
    std::set<Key> taken;
    const auto take = [&](const ScheduleState& state, int most) {
      if (static_cast<int>(picked.size()) >= most) return;
      const Key key = StateKey(state);
      if (memory.seen.count(key) > 0 || taken.count(key) > 0) return;
      if (!context_.space.Admit(state)) return;
      taken.insert(key);
      picked.push_back(state);
    };
    const int local = std::min(count - random, static_cast<int>(options_.local * count));
    for (const ScoredState& one : best) take(one.state, count - random - local);
    for (const ScheduleState& state : neighbours) take(state, count - random);
    for (const ScheduleState& state : strays) take(state, count);
    for (const ScoredState& one : best) take(one.state, count);
    return picked;
  }

  Options options_;
  AgentContext context_;
  BoostedCostModel boosted_;
  AnalyticalCostModel analytical_;
  std::map<Key, TaskMemory> tasks_;
  int samples_ = 0;  // that the model has seen
};

void RequireRange(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return;
  throw InputError(std::string("agent ansor: ") + name + "=" + FormatDouble(value) + ", expected " +
                   FormatDouble(low) + " to " + FormatDouble(high));
}

}  // namespace

std::unique_ptr<Agent> MakeAnsorAgent(const Spec& spec, AgentContext context) {
  SpecReader reader(spec, "agent");
  Options options;
  options.fast = reader.Choice("mode", "fast", {"fast", "faithful"}) == "fast";
  const std::string model = reader.Choice("model", "boosted", {"boosted", "analytical", "random"});
  if (model == "analytical") options.model = ModelKind::kAnalytical;
  if (model == "random") options.model = ModelKind::kRandom;
  const int64_t population = reader.Integer("population", options.evolution.population);
  const int64_t generations = reader.Integer("generations", options.evolution.generations);
  options.evolution.mutation = reader.Number("mutation", options.evolution.mutation);
  options.epsilon = reader.Number("epsilon", options.epsilon);
  const std::string features =
      reader.Choice("features", options.fast ? "estimated" : "ansor", {"estimated", "ansor"});
  if (features == "ansor") options.features = ModelFeatures::kAnsor;
  options.local = reader.Number("local", options.fast ? options.local : 0);
  reader.Finish();
  RequireRange("population", static_cast<double>(population), 1, 1e6);
  RequireRange("generations", static_cast<double>(generations), 0, 1000);
  RequireRange("mutation", options.evolution.mutation, 0, 1);
  RequireRange("epsilon", options.epsilon, 0, 1);
  RequireRange("local", options.local, 0, 1);
  options.evolution.population = static_cast<int>(population);
  options.evolution.generations = static_cast<int>(generations);
  return std::make_unique<AnsorAgent>(options, context);
}

}  // namespace schedulegym
