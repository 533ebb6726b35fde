// HarlRun: a search by `harl` in the space `ansor` on a modified analytical model.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "agents/agent_maker.h"
#include "agents/learned/harl/harl.h"
#include "env/features/analytical_cost.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/agents/timed_record.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {

// Small rounds, so that tests are fast.
inline constexpr const char* kSmall = "visits=480,stop_every=4,stop_least=10,round=32,hidden=16";

// One agent in a run of its own.
class HarlRun {
 public:
  explicit HarlRun(const std::string& options,
                   const std::vector<std::string>& workloads = {"matmul(m=64,n=64,k=64)"},
                   uint64_t seed = 1)
      : space_(MakeAnsorSpace(ParseSpec("ansor").value())),
        maker_({HarlEntry()}, {}),
        setup_({.agent = ParseSpec("harl(" + options + ")").value()}) {
    for (const std::string& workload : workloads) {
      setup_.tasks.push_back({WorkloadTask(workload, Avx2Target(2))});
    }
    agent_ = maker_.Make({.setup = setup_,
                          .space = *space_,
                          .rng = Rng(seed),
                          .maker = maker_,
                          .clock = clock_,
                          .stop = StopToken(&stop_),
                          .say = [this](const std::string& line) { said_.push_back(line); }});
  }

  Agent& agent() { return *agent_; }
  const std::shared_ptr<const Task>& task(int index) const { return setup_.tasks[index].task; }
  // As if its process had ended.
  void End() { agent_.reset(); }
  std::atomic<bool>& stop() { return stop_; }
  const std::vector<std::string>& said() const { return said_; }

  // The analytical model, slower for sums that are not kept in registers.
  static double SecondsOf(const ScheduleState& state) {
    const double estimate = EstimateCost(state).Seconds();
    return state.Find("C.local") >= 0 ? estimate : 3 * estimate;
  }

  // Returns the proposals, `batch` at once, after reporting each as measured.
  std::vector<Proposal> Search(int turns, int batch = 16, int task = 0) {
    std::vector<Proposal> all;
    for (int turn = 0; turn < turns; ++turn) {
      std::vector<Trial> trials;
      for (Proposal& proposal : agent_->Propose(task, batch)) {
        trials.push_back(TimedTrial(proposal, SecondsOf(proposal.state), task));
        all.push_back(std::move(proposal));
      }
      agent_->Learn(trials);
    }
    return all;
  }

 private:
  std::unique_ptr<SearchSpace> space_;
  AgentMaker maker_;
  AgentSetup setup_;
  SteadyClock clock_;
  std::atomic<bool> stop_ = false;
  std::vector<std::string> said_;
  std::unique_ptr<Agent> agent_;
};

inline std::string FileIn(const std::string& name) {
  const std::string path = testing::TempDir() + "harl_test_" + name;
  std::filesystem::remove(path);
  return path;
}
inline std::string With(const std::string& key, const std::string& path) {
  return std::string(kSmall) + "," + key + "=\"" + path + "\"";
}

}  // namespace schedulegym
