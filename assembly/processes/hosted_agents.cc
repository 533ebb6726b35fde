#include "assembly/processes/hosted_agents.h"

#include <utility>

#include "agents/cost/network_model.h"
#include "agents/learned/harl/harl_options.h"
#include "agents/learned/tuners/tuner_options.h"
#include "agents/local/flextensor.h"
#include "agents/mcts/mcts.h"
#include "agents/mcts/mcts_options.h"
#include "assembly/messages/training_messages.h"
#include "assembly/processes/agent_process.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// With a random stream of its own for any maker, as the other side has the setup only.
AgentSetup SetupFor(const AgentContext& context) {
  AgentSetup setup = context.setup;
  setup.seed = Rng(context.rng).Next();
  return setup;
}

// Reports faults in the spec before a process starts.
template <auto check>
std::unique_ptr<Agent> MakeChecked(const AgentContext& context) {
  check(context.setup.agent);
  return MakeHostedAgent({"agent " + context.setup.agent.name, /*is_ours=*/true}, context);
}

class HostedTrainer : public Trainer {
 public:
  HostedTrainer(const TrainerContext& context, const Clock& clock)
      : link_(AgentProcess({"training of " + context.agent.name, /*is_ours=*/true},
                           StartAgentHost(kTrainingRole), clock, {})) {
    TrainingSetup setup = {.agent = context.agent.ToText(),
                           .space = context.space.Name(),
                           .kinds = {},
                           .seed = Rng(context.rng).Next()};
    for (const auto& kind : context.kinds) setup.kinds.push_back(TextOf(*kind));
    link_.Ask<TrainingReply>(TrainingMessage::kSetup, setup);
  }

  std::optional<TrainedRound> Train(const std::shared_ptr<const Task>& task) override {
    const auto reply =
        link_.Ask<TrainingReply>(TrainingMessage::kRound, TrainingRound{TextOf(*task)});
    if (!reply.is_taken) return std::nullopt;
    return TrainedRound{reply.visits, reply.step, reply.best, reply.entropy, reply.diverged};
  }

  void Save(const std::string& path) override {
    link_.Ask<TrainingReply>(TrainingMessage::kSave, TrainingFile{path});
  }

 private:
  AgentLink link_;
};

}  // namespace

std::vector<AgentEntry> HostedAgents() {
  return {
      {"harl", kHarlParameters, kHarlDescription, MakeChecked<ReadHarlOptions>},
      {"chameleon", kChameleonParameters, kChameleonDescription, MakeChecked<CheckChameleonSpec>},
      {"na2c", kNa2cParameters, kNa2cDescription, MakeChecked<CheckNa2cSpec>},
      {"value", kValueParameters, kValueDescription, MakeChecked<ReadValueOptions>}};
}

std::unique_ptr<Agent> MakeMctsWhereItsPolicyIs(const AgentContext& context) {
  const Spec& agent = context.setup.agent;
  if (!ReadMctsOptions(agent).policy && !AsksForNetwork(agent)) return MakeMctsAgent(context);
  return MakeHostedAgent({"agent mcts", /*is_ours=*/true}, context);
}

AgentFactory WhereItsModelIs(ModelAgentMaker make) {
  return [make](const AgentContext& context) {
    if (!AsksForNetwork(context.setup.agent)) return make(context, {});
    return MakeHostedAgent({"agent " + context.setup.agent.name, /*is_ours=*/true}, context);
  };
}

std::unique_ptr<Agent> MakeFlextensorWhereItsNetworkIs(const AgentContext& context) {
  if (!AsksForDirections(context)) return MakeFlextensorAgent(context);
  return MakeHostedAgent({"agent flextensor", /*is_ours=*/true}, context);
}

std::unique_ptr<WorkerProcess> StartAgentHost(const std::string& role) {
  return std::make_unique<WorkerProcess>(
      FindAgentProgram(), role,
      std::vector<std::string>{"OMP_NUM_THREADS=1", "OMP_WAIT_POLICY=passive"});
}

std::unique_ptr<Agent> MakeHostedAgent(AgentSide side, const AgentContext& context) {
  return MakeHostedAgent(std::move(side), StartAgentHost(), context);
}

std::unique_ptr<Agent> MakeHostedAgent(AgentSide side, std::unique_ptr<WorkerProcess> host,
                                       const AgentContext& context) {
  const AgentSetup setup = SetupFor(context);
  return MakeProcessAgent(std::move(side), std::move(host), WithSetup(context, setup));
}

std::string FindAgentProgram() {
  return FindProgramBeside("schedulegym-agent", "SCHEDULEGYM_AGENT");
}

std::unique_ptr<Trainer> MakeHostedTrainer(const TrainerContext& context, const Clock& clock) {
  if (context.agent.name != "harl") {
    throw InputError(UnknownName("agent that can be trained", context.agent.name, {"harl"}));
  }
  ReadHarlOptions(context.agent);
  return std::make_unique<HostedTrainer>(context, clock);
}

}  // namespace schedulegym
