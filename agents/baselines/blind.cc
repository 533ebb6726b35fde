#include "agents/baselines/blind.h"

#include <utility>

#include "agents/agent_maker.h"
#include "agents/baselines/swapped_measurements.h"

namespace schedulegym {
namespace {

class BlindAgent : public Agent {
 public:
  // The setup is the other agent's.
  BlindAgent(AgentSetup setup, const AgentContext& context)
      : setup_(std::move(setup)),
        agent_(context.maker.Make(WithSetup(context, setup_))),
        // The other agent's chance is as without this one, so that the two begin alike.
        rng_(Rng(context.rng).Split()),
        swapped_(setup_.tasks.size()) {}

  std::vector<Proposal> Propose(int task, int count) override {
    return agent_->Propose(task, count);
  }

  void Learn(std::span<const Trial> trials) override {
    if (trials.empty()) return agent_->Learn(trials);
    SwappedMeasurements::Heard heard = swapped_[trials.front().task].Swap(trials, rng_);
    agent_->Learn(heard.trials);
    if (!heard.revised.empty()) agent_->Learn(heard.revised);
  }

  // It has learned what is not so.
  Memory* memory() override { return nullptr; }

 private:
  AgentSetup setup_;
  std::unique_ptr<Agent> agent_;
  Rng rng_;
  std::vector<SwappedMeasurements> swapped_;  // by task
};

}  // namespace

std::unique_ptr<Agent> MakeBlindAgent(const AgentContext& context) {
  SpecReader reader(context.setup.agent, "agent");
  AgentSetup setup = context.setup;
  setup.agent = reader.OptionalSpec("agent").value_or(Spec{"ansor", {}});
  reader.Finish();
  return std::make_unique<BlindAgent>(std::move(setup), context);
}

}  // namespace schedulegym
