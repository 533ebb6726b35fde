// Agent: proposes schedules and learns from their results (ask and tell).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/trial.h"
#include "env/base/clock.h"
#include "env/base/model_state_file.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/base/stop_token.h"
#include "env/program/task.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct SearchTask {
  std::shared_ptr<const Task> task;
  double weight = 1;  // how often the network runs it
};

// Limits of a search over all tasks.
struct Budget {
  int64_t trials = 0;                  // candidates that are measured
  std::optional<double> seconds = {};  // wall time; nullopt: no limit
};

// A run as plain data; an agent in another process gets the same.
struct AgentSetup {
  Spec agent;
  Spec space;
  std::vector<SearchTask> tasks;      // empty where only the specs are checked
  std::optional<Budget> budget = {};  // where it is known
  uint64_t seed = 0;                  // of the run
};

// A search algorithm. One agent serves all tasks of a run; a task is its position in the setup.
// Long computations check the context's stop token, and may throw Interrupted. Any exception ends
// the run. A constructor throws InputError for options and tasks that it does not support.
//
// Example: an agent that proposes random schedules.
// @code
// class Sampler : public Agent {
//  public:
//   explicit Sampler(const AgentContext& context)
//       : setup_(context.setup), space_(context.space), rng_(context.rng) {}
//
//   std::vector<Proposal> Propose(int task, int count) override {
//     std::vector<Proposal> proposals;
//     for (int draw = 0; draw < 100 * count && std::ssize(proposals) < count; ++draw) {
//       Result<ScheduleState> state = space_.Sample(setup_.tasks[task].task, rng_);
//       if (state) proposals.push_back(ProposalOf(*std::move(state)));
//     }
//     return proposals;
//   }
//
//  private:
//   const AgentSetup& setup_;
//   const SearchSpace& space_;
//   Rng rng_;
// };
// @endcode
class Agent {
 public:
  virtual ~Agent() = default;

  // Returns at most `count` schedules worth measuring: fewer where the next ones depend on the
  // results of these, none only where there are no more.
  virtual std::vector<Proposal> Propose(int task, int count) = 0;

  // Receives results. After each call of Propose: a trial for each proposal, in order. Once, before
  // the first proposal of a task: results of earlier searches, oldest first, each candidate once.
  // At any time: a record that replaces a doubtful one.
  virtual void Learn(std::span<const Trial> trials) { (void)trials; }

  // The learned state, from which another search may start; null where the agent does not learn.
  virtual ModelState* memory() { return nullptr; }
};

class AgentMaker;

// The arguments of an agent's constructor. All references outlive the agent.
struct AgentContext {
  const AgentSetup& setup;
  const SearchSpace& space;
  Rng rng;                  // the only source of randomness; see TaskStreams
  const AgentMaker& maker;  // makes inner agents
  const Clock& clock;
  StopToken stop = {};
  // Prints a line to the user, in the constructor or in Propose. May be null.
  std::function<void(const std::string&)> say = {};
};

}  // namespace schedulegym
