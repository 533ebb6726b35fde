// Networks in a process of their own, since LibTorch lives there alone. A trainer works in slices,
// each a question and its report, so that an interrupt finds it between two. A cost model sends the
// task and the traces of the schedules, and gets a score for each. Cost: of a prediction some 1 kB
// a schedule and its replay on the other side.
#include "assembly/processes/hosted_models.h"

#include <filesystem>
#include <utility>

#include "agents/cost/network_model.h"
#include "agents/cost/shipped_models.h"
#include "agents/learned/scorer/scorer_options.h"
#include "assembly/messages/model_messages.h"
#include "assembly/processes/agent_process.h"
#include "assembly/processes/hosted_agents.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

// Files of programs are large: reading them may take minutes.
constexpr double kSetupSeconds = 600;

// Absolute, as the other side may have another working folder. Shipped models have names.
std::string Absolute(const std::string& path) {
  if (ShippedModelCard(path)) return path;
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  return path.empty() || error ? path : absolute.string();
}

AgentLink LinkFor(const std::string& name, const Clock& clock, const StopToken& stop) {
  return AgentLink(AgentProcess({name, /*is_ours=*/true}, StartAgentHost(kModelRole), clock, stop));
}

class HostedModelTrainer : public ModelTrainer {
 public:
  HostedModelTrainer(const ModelTrainingRequest& request, const Clock& clock)
      : link_(LinkFor("training of " + request.model.name, clock, {})) {
    ModelTrainingSetup setup = {.model = request.model.ToText(),
                                .files = {},
                                .split = request.split,
                                .space = request.space,
                                .from = Absolute(request.from),
                                .seed = request.seed,
                                .threads = request.threads};
    for (const std::string& file : request.files) setup.files.push_back(Absolute(file));
    link_.Ask<ModelReply>(ModelMessage::kTraining, setup, {.seconds = kSetupSeconds});
  }

  ModelTrainingReport Train(double seconds) override {
    const auto reply = link_.Ask<ModelReply>(ModelMessage::kSlice, ModelTrainingSlice{seconds});
    ModelTrainingReport report = {.is_describing = reply.is_describing,
                                  .done = reply.done,
                                  .total = reply.total,
                                  .epochs = {},
                                  .is_over = reply.is_over,
                                  .diverged = reply.diverged};
    for (const ModelEpochText& one : reply.epochs) {
      report.epochs.push_back({one.epoch, one.loss, one.pairs});
    }
    return report;
  }

  void Save(const std::string& path) override {
    link_.Ask<ModelReply>(ModelMessage::kSave, ModelFile{Absolute(path)});
  }

 private:
  AgentLink link_;
};

class HostedCostModel : public CostModel, public TraceModel {
 public:
  HostedCostModel(const std::string& path, const StopToken& stop)
      : link_(LinkFor("model " + path, clock_, stop)) {
    link_.Ask<ModelReply>(ModelMessage::kOpen, ModelFile{Absolute(path)});
  }

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    if (states.empty()) return {};
    ModelQuestion question = {TextOf(states[0].task()), {}};
    for (const StateFeatures& one : states) question.traces.push_back(one.state().TraceText());
    return Ask(question);
  }

  std::vector<std::optional<Prediction>> PredictTraces(
      const std::string& target, std::span<const std::string> traces) override {
    return Ask({{.dag = "", .target = target, .name = ""}, {traces.begin(), traces.end()}});
  }

  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }
  TraceModel* traces() override { return this; }

 private:
  std::vector<std::optional<Prediction>> Ask(const ModelQuestion& question) {
    const auto reply = link_.Ask<ModelReply>(ModelMessage::kPredict, question);
    const size_t count = question.traces.size();
    if (reply.scores.size() != count) {
      link_.peer().Fail(": found " + std::to_string(reply.scores.size()) + " scores, expected " +
                        std::to_string(count));
    }
    std::vector<std::optional<Prediction>> predictions(count);
    for (size_t i = 0; i < count; ++i) {
      // A network's scores are speeds (scorer_cost_model.h).
      if (reply.scores[i])
        predictions[i] = Prediction{.score = *reply.scores[i], .speed = reply.scores[i]};
    }
    return predictions;
  }

  SteadyClock clock_;
  AgentLink link_;
};

}  // namespace

std::unique_ptr<ModelTrainer> MakeHostedModelTrainer(const ModelTrainingRequest& request,
                                                     const Clock& clock) {
  ReadScorerOptions(request.model);
  return std::make_unique<HostedModelTrainer>(request, clock);
}

std::unique_ptr<CostModel> MakeHostedCostModel(const std::string& path, const StopToken& stop) {
  return std::make_unique<HostedCostModel>(path, stop);
}

std::unique_ptr<CostModel> MakeAnyCostModel(const ModelContext& context) {
  const Spec& spec = context.spec;
  if (IsScorer(spec.name)) ReadScorerOptions(spec);
  const bool is_network = spec.options.empty() && HoldsNetwork(spec.name);
  return is_network ? MakeHostedCostModel(spec.name, context.stop) : MakeTrainedCostModel(context);
}

std::vector<RegistryEntry<ModelMaker>> NetworkEntries() {
  std::vector<RegistryEntry<ModelMaker>> entries;
  for (const ScorerText& one : ScorerTexts()) {
    entries.push_back({one.name, one.parameters, one.description, MakeAnyCostModel});
  }
  return entries;
}

std::vector<RegistryEntry<ModelMaker>> ShippedEntries() {
  std::vector<RegistryEntry<ModelMaker>> entries;
  for (const std::string& name : ShippedModelNames()) {
    if (BuiltinModels().Has(name)) continue;
    const std::string card = ShippedModelCard(name).value();
    entries.push_back(
        {name, "", "trained on programs-v1; " + card.substr(0, card.find('\n')), MakeAnyCostModel});
  }
  return entries;
}

}  // namespace schedulegym
