// Ansor's search (Zheng et al., OSDI 2020, section 5; TVM 0.16 SketchPolicy), in rounds of 64
// trials:
// 1. sample a population; up to a fifth of it are the best measured. At least 50 valid samples,
//    halved after 5 draws without a new one;
// 2. evolve 4 generations of 2048, mutation 0.85, parents in proportion to the score (evolution.h);
// 3. measure the best by the model and a share epsilon = 0.05 at random; the model learns.
// draft=MODEL: that model scores steps 2 and 3; the search's own model ranks the best of these and
// one generation more.
// mode=fast: the analytical estimate scores up to `trusted` = 48 measurements (published: random
// scores up to 100). The rest of a round is ranked again. A share of 0.2 are neighbours of the
// best.
// Cost: population * (generations + 1) predictions a round.
#include "agents/evolution/ansor.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "agents/agent_maker.h"
#include "agents/common/best_states.h"
#include "agents/common/proposal_round.h"
#include "agents/common/search_model_state.h"
#include "agents/common/sketch_place.h"
#include "agents/cost/analytical_cost_model.h"
#include "agents/cost/model_registry.h"
#include "agents/cost/network_model.h"
#include "agents/evolution/beam_search.h"
#include "agents/evolution/learned_models.h"
#include "agents/parallel.h"
#include "env/base/fault.h"
#include "env/features/estimated_seconds.h"

namespace schedulegym {
namespace {

// Published constants (TVM 0.16, SketchPolicy's defaults).
constexpr double kMeasuredShare = 0.2;  // largest share of measured states in the population
constexpr int kHeapFactor = 2;          // states kept for each proposal
constexpr int kRandomFactor = 3;        // random states drawn for each random proposal
constexpr int kLeastSamples = 50;       // of a fresh population
constexpr int kPatience = 5;            // batches without a new sample halve that
constexpr int kRandomGenerations = 2;   // without a model
constexpr int kAttempts = 2;            // rounds tried for one answer
constexpr int kGuessFactor = 4;         // draws for each proposal, before that

// A task's search.
struct AnsorTask {
  SearchModelState memory;
  std::optional<Preselection> draft;   // with draft=MODEL
  std::optional<ProposalRound> round;  // under way
};

// The option of the spec.
std::string DrafterText(const Spec& model) {
  return model == Spec{"analytical", {}} ? "draft=estimate" : "draft=" + model.ToText();
}

void CheckDrafterFits(const Spec& model, const Target& target) {
  if (model.name == "analytical") CheckCanEstimate(target, "agent ansor: " + DrafterText(model));
  CheckModelFits(model, target);
}

class AnsorAgent : public Agent {
 public:
  AnsorAgent(const AnsorOptions& options, const AgentContext& context, const NetworkReader& reader)
      : options_(options),
        context_(context),
        streams_(TaskStreams(context)),
        tasks_(context.setup.tasks.size()),
        fixed_(std::make_unique<AnalyticalCostModel>()) {
    options_.evolution.stop = context.stop;
    for (AnsorTask& task : tasks_) {
      if (options.draft) task.draft.emplace(*options.draft);
    }
    MakeModels(reader);
  }

  // Throws InputError if there is no such model.
  void MakeDrafter() {
    if (!options_.draft) return;
    const Spec& model = options_.draft->model;
    try {
      drafter_ = MakeTrainedCostModel({model, Rng(context_.rng).Split(), context_.stop});
    } catch (const InputError& error) {
      throw InputError("agent ansor: " + DrafterText(model) + ": " + error.what() +
                       "; draft is none, estimate, or a trained model");
    }
  }

  // Throws InputError if the space or the model does not fit a task.
  void CheckTasks() const {
    for (const SearchTask& task : context_.setup.tasks) {
      if (options_.beam_width) Sketches(task.task);
      const Target& target = task.task->target;
      if (options_.draft) CheckDrafterFits(options_.draft->model, target);
      if (options_.model == AnsorModel::kAnalytical) CheckModelFits({"analytical", {}}, target);
      if (options_.model == AnsorModel::kNamed) CheckModelFits(*options_.model_spec, target);
    }
  }

  std::vector<Proposal> Propose(int task, int count) override {
    std::optional<ProposalRound>& round = tasks_[task].round;
    std::vector<Proposal> proposals;
    bool has_evaluated = options_.fast;  // with all results so far
    for (int attempt = 0; attempt < kAttempts && std::ssize(proposals) < count; ++attempt) {
      const int lacking = count - static_cast<int>(proposals.size());
      has_evaluated |= !round;
      if (round && options_.fast && !ScoresByChance(task)) {
        round->RankAnew([&](const auto& states) { return Score(task, states); });
      }
      if (!round) round = Breed(task, std::max(options_.round, lacking));
      std::vector<Proposal> dealt = Deal(task, lacking);
      const bool is_over = std::ssize(dealt) < lacking || round->dealt() >= options_.round;
      if (is_over) round.reset();
      std::ranges::move(dealt, std::back_inserter(proposals));
    }
    // Does not train trees only to note predictions.
    if (!has_evaluated || ScoresByChance(task)) return proposals;
    NotePredictions([&](const auto& states) { return Predict(task, states); }, proposals);
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      const std::optional<MeasuredState> measured = tasks_[trial.task].memory.Take(trial);
      if (measured && learned_) learned_->Learn(trial.task, *measured);
    }
  }

  ModelState* memory() override { return learned_ ? &*learned_ : nullptr; }

 private:
  void MakeModels(const NetworkReader& reader) {
    if (options_.model == AnsorModel::kAnalytical || options_.model == AnsorModel::kRandom) return;
    Rng rng = context_.rng;
    std::vector<int> model_of_task = ModelOfEachTask(options_.models, context_.setup.tasks);
    std::shared_ptr<CostModel> network;
    if (reader && HoldsNetwork(options_.model_file)) {
      std::vector<std::shared_ptr<const Task>> known;
      for (const SearchTask& task : context_.setup.tasks) known.push_back(task.task);
      network = reader(options_.model_file, known, context_.stop);
    }
    learned_ = MakeLearnedModels(options_, std::move(model_of_task), rng.Split(), context_.stop,
                                 std::move(network));
    if (!learned_) fixed_ = MakeCostModel({*options_.model_spec, rng.Split(), context_.stop});
  }

  // Returns a round for `count` proposals.
  ProposalRound Breed(int index, int count) {
    const std::shared_ptr<const Task>& task = context_.setup.tasks[index].task;
    const SearchModelState& memory = tasks_[index].memory;
    // Evolution under random scores only moves away from the space's own distribution.
    const bool guesses = options_.fast && ScoresByChance(index) && Waits(index);
    const bool drafts = Preselects(index);
    const int draws = guesses  ? kGuessFactor * count
                      : drafts ? tasks_[index].draft->Draws(options_.evolution.population)
                               : options_.evolution.population;
    std::vector<ScheduleState> population =
        options_.beam_width ? Build(index) : Sample(index, draws);
    if (!options_.beam_width) AddMeasured(memory, population);
    if (population.empty()) return {{}, {}, context_.space, 1, context_.stop};
    const int random = static_cast<int>(options_.epsilon * count);
    std::vector<ScheduleState> strays;
    for (int i = 0; i < kRandomFactor * random; ++i) {
      const auto size = static_cast<int64_t>(population.size());
      strays.push_back(population[streams_[index].Below(size)]);
    }
    EvolutionOptions evolution = options_.evolution;
    if (options_.model == AnsorModel::kRandom) {
      evolution.generations = std::min(evolution.generations, kRandomGenerations);
    }
    if (options_.beam_width || guesses) evolution.generations = 0;
    evolution.threads = SearchThreads(*task);
    evolution.evaluates_copies = ScoresByChance(index);
    if (drafts) {
      population = tasks_[index].draft->Next(std::move(population), *drafter_, context_.space,
                                             evolution, memory, streams_[index]);
      evolution.population = options_.draft->drafted;
      evolution.generations = std::min(evolution.generations, 1);
    }
    std::vector<ScoredState> best =
        Evolve(std::move(population), MutationOf(context_.space), EvaluatorOf(index), evolution,
               kHeapFactor * count, memory.seen, streams_[index]);
    return {std::move(best), strays, context_.space, evolution.threads, context_.stop};
  }

  bool Preselects(int index) const {
    return tasks_[index].draft && !ScoresByChance(index) && !Waits(index);
  }

  StateEvaluator EvaluatorOf(int task) {
    return [this, task](const std::vector<ScheduleState>& states) {
      return Score(task, WithFeatures(states));
    };
  }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const {
    return RequiredSketches(context_.space, task, "agent ansor, beam=true");
  }

  // Returns completions of the beam search's tiles.
  std::vector<ScheduleState> Build(int task) {
    return BeamSearch(Sketches(context_.setup.tasks[task].task), EvaluatorOf(task),
                      {.width = *options_.beam_width,
                       .population = options_.evolution.population,
                       .stop = context_.stop},
                      streams_[task]);
  }

  // Returns distinct traces; fewer than `draws` only where the space has hardly more.
  std::vector<ScheduleState> Sample(int index, int draws) {
    const std::shared_ptr<const Task>& task = context_.setup.tasks[index].task;
    std::vector<ScheduleState> population;
    std::set<Key> known;
    int least = kLeastSamples;
    int idle = 0;
    while (static_cast<int>(population.size()) < least) {
      const size_t before = population.size();
      for (DrawnState& drawn : DrawStates(context_.space, task, draws, SearchThreads(*task),
                                          streams_[index], context_.stop)) {
        if (known.insert(drawn.trace).second) population.push_back(std::move(drawn.state));
      }
      idle = population.size() == before ? idle + 1 : 0;
      if (idle == 0 || idle % kPatience != 0) continue;
      if (least == 1) break;
      least /= 2;
    }
    return population;
  }

  void AddMeasured(const SearchModelState& memory, std::vector<ScheduleState>& population) const {
    const std::vector<const MeasuredState*> order = memory.Ranked();
    const auto most = static_cast<size_t>(kMeasuredShare * options_.evolution.population);
    for (size_t i = 0; i < std::min(most, order.size()); ++i) population.push_back(order[i]->state);
  }

  // True if the learned model is not trusted yet.
  bool Waits(int task) const { return learned_ && !learned_->IsTrusted(task); }

  bool EstimatesFirst(int task) const {
    return options_.estimate_first && CanEstimate(context_.setup.tasks[task].task->target);
  }

  bool ScoresByChance(int task) const {
    return options_.model == AnsorModel::kRandom || (!EstimatesFirst(task) && Waits(task));
  }

  // Requires scores that are not random.
  std::vector<std::optional<Prediction>> Predict(int task,
                                                 const std::vector<StateFeatures>& states) {
    if (!learned_ || Waits(task)) return fixed_->Predict(states);
    return learned_->Predict(task, states);
  }

  std::vector<std::optional<double>> Score(int task, const std::vector<StateFeatures>& states) {
    if (!ScoresByChance(task)) return ScoresOf(Predict(task, states));
    std::vector<std::optional<double>> scores;
    for (size_t i = 0; i < states.size(); ++i) scores.emplace_back(streams_[task].Uniform());
    return scores;
  }

  // Returns the round's next proposals and marks them as proposed.
  std::vector<Proposal> Deal(int task, int count) {
    SearchModelState& memory = tasks_[task].memory;
    ProposalRound& round = *tasks_[task].round;
    ProposalRound::Mixture mixture;
    mixture.random = round.PartOf(options_.epsilon, count);
    // Under random scores the best of a few draws are hardly better than any others.
    const double local = ScoresByChance(task) ? 0 : options_.local;
    mixture.local = std::min(count - mixture.random, round.PartOf(local, count));
    const std::vector<Proposal> neighbours = memory.Neighbours(
        context_.space, mixture.local, options_.niches, streams_[task], context_.stop);
    std::vector<Proposal> dealt = round.Deal(count, mixture, neighbours, memory.seen);
    for (const Proposal& proposal : dealt) memory.seen.insert(proposal.key);
    return dealt;
  }

  AnsorOptions options_;
  AgentContext context_;
  std::vector<Rng> streams_;              // by task
  std::vector<AnsorTask> tasks_;          // by task
  std::optional<LearnedModels> learned_;  // nullopt if the model does not learn
  // The model if it does not learn; otherwise the estimate, until the learned model is used.
  std::unique_ptr<CostModel> fixed_;
  std::unique_ptr<CostModel> drafter_;  // null without draft=MODEL
};

}  // namespace

std::unique_ptr<Agent> MakeAnsorAgent(const AgentContext& context, const NetworkReader& networks) {
  const AnsorOptions options = ReadAnsorOptions(context.setup.agent);
  std::unique_ptr<AnsorAgent> agent;
  try {
    agent = std::make_unique<AnsorAgent>(options, context, networks);
  } catch (const InputError& error) {
    throw InputError(std::string("agent ansor: ") + error.what() +
                     "; model is boosted, pretrained, analytical, random, another pretrained_NAME "
                     "of list models, "
                     "or a file of tune --save-model or train");
  }
  agent->MakeDrafter();
  agent->CheckTasks();
  return agent;
}

}  // namespace schedulegym
