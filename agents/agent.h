// Agent: proposes schedules and learns from what became of them; ask and tell, nothing else.
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

// What a search may spend over all tasks.
struct Budget {
  int64_t trials = 0;                  // candidates that are measured
  std::optional<double> seconds = {};  // of the clock; none: no limit
};

// What a run is, as plain data; an agent in another process gets the same.
struct AgentSetup {
  Spec agent;
  Spec space;
  std::vector<SearchTask> tasks;      // none where only the specs are to be checked
  std::optional<Budget> budget = {};  // where it is known
  uint64_t seed = 0;                  // of the run
};

// One serves all tasks of a run, each of which it knows by its position in the setup. Long work
// looks at the context's stop token, and may end with Interrupted, which ends the run; so does what
// else an agent throws. What it was made with and does not fit it refuses as InputError when made.
class Agent {
 public:
  virtual ~Agent() = default;

  // At most `count` schedules worth measuring; fewer where the next depend on what becomes of
  // these, and none only when there are no more.
  virtual std::vector<Proposal> Propose(int task, int count) = 0;

  // What became of the last proposal: a trial for each, in its order. Before the first proposal of
  // a task, once: what earlier searches found out about it, oldest first, each candidate once. At
  // any time: a record that replaces one which turned out doubtful.
  virtual void Learn(std::span<const Trial> trials) { (void)trials; }

  // What it has learned, from which another search may start; null where it learns nothing.
  virtual ModelState* memory() { return nullptr; }
};

class AgentMaker;

// What an agent is made from. What is referred to outlives the agent.
struct AgentContext {
  const AgentSetup& setup;
  const SearchSpace& space;
  Rng rng;                  // see TaskStreams
  const AgentMaker& maker;  // of agents within agents
  const Clock& clock;
  StopToken stop = {};
  // Takes what a user should know, a line, before the search begins or while it asks. May be
  // null.
  std::function<void(const std::string&)> say = {};
};

}  // namespace schedulegym
