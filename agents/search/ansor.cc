#include "agents/search/ansor.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "agents/cost/analytical_cost_model.h"
#include "agents/cost/boosted_cost_model.h"
#include "agents/parallel.h"
#include "agents/search/ansor_options.h"
#include "agents/search/beam_search.h"
#include "agents/search/draw_states.h"
#include "agents/search/evolution.h"
#include "agents/search/niche.h"
#include "agents/search/proposal_round.h"
#include "agents/search/required_sketches.h"
#include "env/base/fault.h"
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
constexpr int kAttempts = 2;            // rounds looked at for one answer
// Of boosting in the fast mode: what told best of later schedules after 64 and 128 of the same
// search (model_benchmark).
constexpr int kFastRounds = 80;
constexpr int kFastDepth = 3;
constexpr double kFastChildWeight = 2;
constexpr int kGuessFactor = 4;       // draws for each that is asked for, before that
constexpr int kElite = 8;             // parents of what is bred without the model
constexpr int kLocalDraws = 20;       // children of theirs, at most, for each that is asked for
constexpr int kFastTrustedFrom = 48;  // a model of so few is better than chance already

// What is known of one task's schedules.
struct TaskMemory {
  std::vector<Record> told;  // before the task itself was seen
  std::set<Key> seen;        // proposed or told of
  std::map<Key, ScheduleState> pending;
  std::map<Key, MeasuredState> measured;  // successes; a record may replace an earlier one
  std::optional<ProposalRound> round;     // under way
};

class AnsorAgent : public Agent {
 public:
  AnsorAgent(const AnsorOptions& options, AgentContext context)
      : options_(options),
        context_(context),
        boosted_(options.fast ? TrainingCadence::kAdaptive : TrainingCadence::kAlways,
                 Boosting(options.fast), options.features) {
    if (options.model_file.empty()) return;
    boosted_.Load(options.model_file, options.fast ? kTrustedFrom + 1 : 1);
  }

  void CheckTask(const std::shared_ptr<const Task>& task) const override {
    if (options_.beam_width) Sketches(task);
  }

  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override {
    TaskMemory& memory = tasks_[TaskKey(*task)];
    Recall(task, memory);
    std::vector<ScheduleState> proposals;
    for (int attempt = 0; attempt < kAttempts && std::ssize(proposals) < count; ++attempt) {
      const int lacking = count - static_cast<int>(proposals.size());
      if (memory.round && options_.fast && !ScoresByChance()) memory.round->RankAnew(JudgeOf());
      if (!memory.round) memory.round = Breed(task, memory, std::max(options_.round, lacking));
      std::vector<ScheduleState> dealt = Deal(memory, lacking);
      const bool is_over = std::ssize(dealt) < lacking || memory.round->dealt() >= options_.round;
      if (is_over) memory.round.reset();
      std::ranges::move(dealt, std::back_inserter(proposals));
    }
    return proposals;
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

  const BoostedCostModel* model() const override {
    return options_.model == AnsorModel::kBoosted ? &boosted_ : nullptr;
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
    if (options_.model == AnsorModel::kBoosted && !lessons.empty()) boosted_.Learn(lessons);
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

  // For `count` proposals.
  ProposalRound Breed(const std::shared_ptr<const Task>& task, const TaskMemory& memory,
                      int count) {
    // Breeding by chance only leads away from what the space draws.
    const bool learns = options_.model == AnsorModel::kBoosted;
    const bool guesses = options_.fast && learns && !IsTrusted();
    const int draws = guesses ? kGuessFactor * count : options_.evolution.population;
    std::vector<ScheduleState> population = options_.beam_width ? Build(task) : Sample(task, draws);
    if (!options_.beam_width) AddMeasured(memory, population);
    if (population.empty()) return {{}, {}, context_.space, 1};
    const int random = static_cast<int>(options_.epsilon * count);
    std::vector<ScheduleState> strays;
    for (int i = 0; i < kRandomFactor * random; ++i) {
      const auto size = static_cast<int64_t>(population.size());
      strays.push_back(population[context_.rng.Below(size)]);
    }
    EvolutionOptions evolution = options_.evolution;
    if (options_.model == AnsorModel::kRandom) {
      evolution.generations = std::min(evolution.generations, kRandomGenerations);
    }
    if (options_.beam_width || guesses) evolution.generations = 0;
    evolution.threads = SearchThreads(*task);
    evolution.judges_copies = ScoresByChance();
    std::vector<ScoredState> best =
        Evolve(std::move(population), context_.space, JudgeOf(), evolution, kHeapFactor * count,
               memory.seen, context_.rng);
    return {std::move(best), std::move(strays), context_.space, evolution.threads};
  }

  Judge JudgeOf() {
    return [this](const std::vector<ScheduleState>& states) { return Score(states); };
  }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const {
    return RequiredSketches(context_.space, task, "agent ansor, beam=true");
  }

  // Completions of what a beam search leaves.
  std::vector<ScheduleState> Build(const std::shared_ptr<const Task>& task) {
    return BeamSearch(Sketches(task), JudgeOf(),
                      {.width = *options_.beam_width, .population = options_.evolution.population},
                      context_.rng);
  }

  // Distinct traces; fewer than asked for only where the space has hardly more.
  std::vector<ScheduleState> Sample(const std::shared_ptr<const Task>& task, int draws) {
    std::vector<ScheduleState> population;
    std::set<Key> known;
    int least = kLeastSamples;
    int idle = 0;
    while (static_cast<int>(population.size()) < least) {
      const size_t before = population.size();
      for (DrawnState& drawn :
           DrawStates(context_.space, task, draws, SearchThreads(*task), context_.rng)) {
        if (known.insert(drawn.trace).second) population.push_back(std::move(drawn.state));
      }
      idle = population.size() == before ? idle + 1 : 0;
      if (idle == 0 || idle % kPatience != 0) continue;
      if (least == 1) break;
      least /= 2;
    }
    return population;
  }

  // Children of the best, one decision apart, for when the model is blind to what matters; with
  // niches every other one is of the best of a niche.
  std::vector<ScheduleState> Neighbours(const TaskMemory& memory, int wanted) {
    const std::vector<const MeasuredState*> order = Ranked(memory);
    const std::vector<const MeasuredState*> leaders =
        options_.niches ? FirstOfNiches(order, kElite) : order;
    std::vector<ScheduleState> children;
    for (int draw = 0; draw < kLocalDraws * wanted && !order.empty(); ++draw) {
      if (static_cast<int>(children.size()) == 2 * wanted) break;
      const auto& parents = draw % 2 == 0 ? order : leaders;
      const auto most = std::min<int64_t>(kElite, std::ssize(parents));
      // The better, the more children.
      const auto parent = std::min(context_.rng.Below(most), context_.rng.Below(most));
      Result<ScheduleState> child = context_.space.Mutate(parents[parent]->state, context_.rng);
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

  bool IsTrusted() const {
    if (!options_.model_file.empty()) return true;
    return samples_ > (options_.fast ? kFastTrustedFrom : kTrustedFrom);
  }

  bool ScoresByChance() const {
    return options_.model == AnsorModel::kRandom ||
           (options_.model == AnsorModel::kBoosted && !IsTrusted());
  }

  std::vector<std::optional<double>> Score(const std::vector<ScheduleState>& states) {
    if (options_.model == AnsorModel::kAnalytical) return analytical_.Predict(states);
    if (!ScoresByChance()) return boosted_.Predict(states);
    std::vector<std::optional<double>> scores;
    for (size_t i = 0; i < states.size(); ++i) scores.emplace_back(context_.rng.Uniform());
    return scores;
  }

  // The next of the round, noted as proposed.
  std::vector<ScheduleState> Deal(TaskMemory& memory, int count) {
    ProposalRound& round = *memory.round;
    ProposalRound::Mixture mixture;
    mixture.random = round.PartOf(options_.epsilon, count);
    // Before the model is trusted its word is chance, and the best are no better than any.
    const double local = IsTrusted() ? options_.local : 0;
    mixture.local = std::min(count - mixture.random, round.PartOf(local, count));
    std::vector<ScheduleState> dealt =
        round.Deal(count, mixture, Neighbours(memory, mixture.local), memory.seen);
    for (const ScheduleState& state : dealt) {
      const Key key = StateKey(state);
      memory.seen.insert(key);
      memory.pending.emplace(key, state);
    }
    return dealt;
  }

  AnsorOptions options_;
  AgentContext context_;
  BoostedCostModel boosted_;
  AnalyticalCostModel analytical_;
  std::map<Key, TaskMemory> tasks_;
  int samples_ = 0;  // that the model has seen
};

}  // namespace

std::unique_ptr<Agent> MakeAnsorAgent(const Spec& spec, AgentContext context) {
  const AnsorOptions options = ReadAnsorOptions(spec);
  try {
    return std::make_unique<AnsorAgent>(options, context);
  } catch (const InputError& error) {
    throw InputError(std::string("agent ansor: ") + error.what() +
                     "; model is boosted, analytical, random or a file of tune --save-model");
  }
}

}  // namespace schedulegym
