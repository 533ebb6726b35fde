// The agent around searches over decisions. Each task has one search, made at its first proposal;
// all share a staged cost model, which gets trial results before the searches. With `tree=FILE` the
// trees are written after every batch, whole or not at all. A task gets its share of the trials,
// budget / tasks. Options are read and checked here for all such agents. InputErrors name the
// expected values.
#include "agents/decisions/decision_options.h"

#include <iterator>
#include <utility>

#include "agents/agent_maker.h"
#include "agents/common/proposal_round.h"
#include "agents/common/sketch_place.h"
#include "agents/cost/model_registry.h"
#include "env/base/option_range.h"
#include "env/base/output_file.h"
#include "env/features/estimated_seconds.h"

namespace schedulegym {
namespace {

// Throws at once for a network that lacks a head for one of the tasks.
NetworkReader ForTasks(NetworkReader reader, std::span<const SearchTask> tasks) {
  std::vector<std::shared_ptr<const Task>> known;
  for (const SearchTask& task : tasks) known.push_back(task.task);
  return [reader = std::move(reader), known = std::move(known)](const std::string& path, auto,
                                                                const StopToken& stop) {
    return reader(path, known, stop);
  };
}

// Adapts the options to the tasks' targets. Throws InputError for a model that fits none.
StagedModelOptions ForTasks(StagedModelOptions options, std::span<const SearchTask> tasks) {
  using Kind = StagedModelOptions::Kind;
  if (options.network) options.network = ForTasks(std::move(options.network), tasks);
  for (const SearchTask& task : tasks) {
    const Target& target = task.task->target;
    if (options.kind == Kind::kAnalytical) CheckModelFits({"analytical", {}}, target);
    if (options.kind == Kind::kNamed) CheckModelFits(options.spec.value(), target);
    options.estimates = options.estimates && CanEstimate(target);
  }
  return options;
}

class DecisionAgent : public Agent {
 public:
  DecisionAgent(DecisionAgentOptions options, DecisionSearchMaker maker,
                const AgentContext& context)
      : options_(std::move(options)),
        maker_(std::move(maker)),
        context_(context),
        streams_(TaskStreams(context)),
        tasks_(context.setup.tasks.size()) {
    if (options_.model) {
      model_.emplace(ForTasks(*options_.model, context.setup.tasks), context_.rng.Split(),
                     context.stop);
    }
    for (const SearchTask& task : context.setup.tasks) {
      RequiredSketches(context.space, task.task, options_.who);
    }
    // Throws before the search if the file cannot be written.
    if (!options_.tree_file.empty()) OutputFile writable(options_.tree_file);
  }

  std::vector<Proposal> Propose(int task, int count) override {
    OwnTask& own = tasks_[task];
    if (!own.search) own.search = maker_(GroundOf(task));
    std::vector<Proposal> proposals = own.search->Propose(count);
    if (!model_) return proposals;
    NotePredictions([&](const auto& states) { return model_->Predict(states); }, proposals);
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      const std::optional<MeasuredState> lesson = tasks_[trial.task].memory.Take(trial);
      if (model_ && lesson) model_->Learn({&*lesson, 1});
    }
    for (const Trial& trial : trials) {
      const OwnTask& own = tasks_[trial.task];
      if (own.search) own.search->Learn(trial);
    }
    if (!options_.tree_file.empty()) WriteTrees();
  }

  ModelState* memory() override { return model_ ? model_->memory() : nullptr; }

 private:
  struct OwnTask {
    SearchModelState memory;
    std::unique_ptr<DecisionSearch> search;  // null before its first proposal
  };

  DecisionSearchContext GroundOf(int task) {
    const AgentSetup& setup = context_.setup;
    std::optional<int64_t> trials;
    if (setup.budget) trials = setup.budget->trials / std::ssize(setup.tasks);
    return {
        context_.space, setup.tasks[task].task, tasks_[task].memory, model_ ? &*model_ : nullptr,
        trials,         streams_[task].Split(), context_.stop,       &context_.clock};
  }

  // Writes the current trees of all tasks.
  void WriteTrees() const {
    std::vector<TreeView> views;
    for (const OwnTask& own : tasks_) {
      if (!own.search) continue;
      std::ranges::move(own.search->Views(), std::back_inserter(views));
    }
    OutputFile file(options_.tree_file);
    file.Write(ToText(views));
    file.Commit();
  }

  DecisionAgentOptions options_;
  DecisionSearchMaker maker_;
  AgentContext context_;
  std::vector<Rng> streams_;  // by task
  std::optional<StagedCostModel> model_;
  std::vector<OwnTask> tasks_;
};

}  // namespace

StagedModelOptions ReadStagedModel(SpecReader& reader, const Spec& spec) {
  using Kind = StagedModelOptions::Kind;
  StagedModelOptions options;
  const Spec model = ReadModelSpec(reader, spec, "boosted");
  switch (WordOf(model)) {
    case ModelWord::kOwnTrees: break;
    case ModelWord::kEstimate: options.kind = Kind::kAnalytical; break;
    case ModelWord::kChance: options.kind = Kind::kRandom; break;
    case ModelWord::kFile: options.file = model.name; break;
    case ModelWord::kNamed:
      options.kind = Kind::kNamed;
      options.spec = model;
      break;
  }
  if (options.kind == Kind::kBoosted &&
      reader.Choice("features", "estimated", {"estimated", "ansor"}) == "ansor") {
    options.features = ModelFeatures::kAnsor;
  }
  return options;
}

DecisionOrder ReadDecisionOrder(SpecReader& reader) {
  const std::string order = reader.Choice("order", "outputs", {"outputs", "structure"});
  return order == "outputs" ? DecisionOrder::kOutputsFirst : DecisionOrder::kStructureFirst;
}

DecisionOptions ReadDecisionOptions(SpecReader& reader, const Spec& spec, const std::string& who) {
  DecisionOptions options;
  options.who = who;
  options.model = ReadStagedModel(reader, spec);
  options.order = ReadDecisionOrder(reader);
  options.round.round = RangedReader(reader, who).Integer("round", options.round.round, 1, 100'000);
  return options;
}

std::unique_ptr<Agent> MakeVisitingAgent(const DecisionOptions& options, PlaceVisitorMaker maker,
                                         const AgentContext& context) {
  return MakeDecisionAgent(
      {.who = options.who, .model = options.model},
      [options, maker = std::move(maker)](const DecisionSearchContext& ground) {
        DecisionSearchContext own = ground;
        auto root = FirstDecision(own.space.Sketches(own.task), options.order);
        auto visitor = maker(Forked(own), std::move(root));
        return std::make_unique<RoundSearch>(own, options.round, std::move(visitor));
      },
      context);
}

std::unique_ptr<Agent> MakeDecisionAgent(const DecisionAgentOptions& options,
                                         DecisionSearchMaker maker, const AgentContext& context) {
  return std::make_unique<DecisionAgent>(options, std::move(maker), context);
}

}  // namespace schedulegym
