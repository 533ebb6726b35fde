// Measures how long the defaults of every agent, and forms of one, continue after a stop.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <limits>
#include <thread>

#include "agents/agent_maker.h"
#include "agents/builtin_agents.h"
#include "agents/evolution/ansor.h"
#include "agents/local/flextensor.h"
#include "agents/mcts/mcts.h"
#include "env/gym/actions/modify_space.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/timed_record.h"
#include "tests/conformance/agent_cases.h"
#include "tests/conformance/searches.h"
#include "tests/support/busy_machine.h"

namespace schedulegym {
namespace {

// Gives all actions equal probability, for any file.
class EvenPolicy : public ActionPolicy {
 public:
  std::vector<double> SharesOf(const EpisodeState&, std::span<const int> actions) const override {
    return std::vector<double>(actions.size(), 1.0 / static_cast<double>(actions.size()));
  }
};

TrainedActions ReadEvenPolicy(const PolicyFile&, const SearchSpace& space,
                              const std::shared_ptr<const Task>& task) {
  return {MakeModifySpace("modify", space, {task}, {ModifyStart::kOrigin}),
          std::make_shared<EvenPolicy>()};
}

// Makes every agent, with an EvenPolicy for those that need a network.
AgentMaker MakerWithPolicies() {
  AgentRegistry agents = BuiltinAgents(
      {.mcts = [](const AgentContext& context) { return MakeMctsAgent(context, ReadEvenPolicy); },
       .flextensor = [](const AgentContext& context) { return MakeFlextensorAgent(context); },
       .by_model =
           [](ModelAgentMaker make) {
             return [make](const AgentContext& context) { return make(context, {}); };
           }});
  for (AgentEntry& other : OtherAgents()) agents.Add(std::move(other));
  return AgentMaker(std::move(agents), BuiltinRefiners());
}

// A search of one task, stopped by another thread.
class StoppedSearch {
 public:
  StoppedSearch(const std::string& agent, const SearchSpace& space)
      : space_(space), maker_(MakerWithPolicies()) {
    setup_.agent = ParseSpec(agent).value();
    setup_.tasks = {{SmallTask("matmul(m=256,n=256,k=256)")}};
    agent_ = maker_.Make({setup_, space_, Rng(1), maker_, clock_, StopToken(&stop_)});
  }

  void Turn(int count) {
    std::vector<Trial> trials;
    for (const Proposal& one : agent_->Propose(0, count)) {
      trials.push_back(TimedTrial(one, 1e-3 * (1 + static_cast<double>(one.key.low % 97))));
    }
    agent_->Learn(trials);
  }

  // Seconds from the stop, `after` seconds after the start of a turn, to the end of that turn.
  double SecondsToStop(double after) {
    std::atomic<double> stopped = 0;
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::duration<double>(after));
      stopped = clock_.Now();
      stop_ = true;
    });
    try {
      while (!stop_) Turn(256);
    } catch (const Interrupted&) {
    }
    return clock_.Now() - stopped;
  }

 private:
  const SearchSpace& space_;
  AgentSetup setup_;
  AgentMaker maker_;
  SteadyClock clock_;
  std::atomic<bool> stop_ = false;
  std::unique_ptr<Agent> agent_;
};

constexpr double kMostSeconds = 0.5;

// The least of some tries, because other processes may use the cores in one of them.
double LeastSecondsToStop(const std::string& agent, int turns_before, const SearchSpace& space) {
  constexpr int kTries = 3;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries && least > kMostSeconds; ++i) {
    StoppedSearch search(agent, space);
    for (int turn = 0; turn < turns_before; ++turn) search.Turn(26);
    least = std::min(least, search.SecondsToStop(0.1));
  }
  return least;
}

TEST(AgentStopTest, ThinkingEndsWithinHalfASecond) {
  const auto space = MakeSpace(Spec{"ansor", {}});
  std::vector<std::string> agents = AgentNames();
  // Other forms of an agent, with other computations.
  if (std::ranges::find(agents, "mcts") != agents.end()) {
    agents.insert(agents.end(), {"mcts(form=protuner)", "mcts(form=puct)", "beam(reward=measured)",
                                 "mcts(form=puct,actions=modify,prior=policy(file=any))"});
  }
  for (const std::string& name : agents) {
    // Before its first results, and during the computations after them.
    for (const int turns : {0, 1}) {
      const double seconds = LeastSecondsToStop(name, turns, *space);
      if (seconds > kMostSeconds && AreCoresBusy()) GTEST_SKIP() << "busy: others take the cores";
      EXPECT_LE(seconds, kMostSeconds) << name << " after " << turns << " turns";
    }
  }
}

}  // namespace
}  // namespace schedulegym
