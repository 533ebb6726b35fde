#include "agents/baselines/random.h"

#include <utility>

#include "agents/agent_maker.h"
#include "agents/common/fresh_agent.h"
#include "agents/common/fresh_schedules.h"

namespace schedulegym {
namespace {

class RandomAgent : public Agent {
 public:
  RandomAgent(int64_t retries, const AgentContext& context) : streams_(TaskStreams(context)) {
    for (const SearchTask& task : context.setup.tasks) {
      fresh_.emplace_back(context, task.task, retries);
    }
  }

  std::vector<Proposal> Propose(int task, int count) override {
    std::vector<Proposal> proposals;
    while (static_cast<int>(proposals.size()) < count) {
      std::optional<Proposal> proposal = fresh_[task].Draw(streams_[task]);
      if (!proposal) break;
      proposals.push_back(*std::move(proposal));
    }
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) fresh_[trial.task].Learn(trial);
  }

 private:
  std::vector<Rng> streams_;           // by task
  std::vector<FreshSchedules> fresh_;  // by task
};

}  // namespace

std::unique_ptr<Agent> MakeRandomAgent(const AgentContext& context) {
  SpecReader reader(context.setup.agent, "agent");
  const int64_t retries = ReadRetries(reader, "agent random");
  reader.Finish();
  return std::make_unique<RandomAgent>(retries, context);
}

}  // namespace schedulegym
