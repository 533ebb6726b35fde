#include "assembly/processes/hosted_trainer.h"

#include <utility>

#include "agents/learned/harl/harl_options.h"
#include "assembly/messages/training_messages.h"
#include "assembly/processes/agent_link.h"
#include "assembly/processes/hosted_agents.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

class HostedTrainer : public Trainer {
 public:
  HostedTrainer(const TrainerContext& context, const Clock& clock)
      : link_(AgentPeer({"training of " + context.agent.name, /*is_ours=*/true},
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

std::unique_ptr<Trainer> MakeHostedTrainer(const TrainerContext& context, const Clock& clock) {
  if (context.agent.name != "harl") {
    throw InputError(UnknownName("agent that can be trained", context.agent.name, {"harl"}));
  }
  ReadHarlOptions(context.agent);
  return std::make_unique<HostedTrainer>(context, clock);
}

}  // namespace schedulegym
