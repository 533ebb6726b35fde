// Conformance: checks whether an agent keeps the contract of agents.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assembly/catalog.h"
#include "env/base/clock.h"
#include "env/base/spec.h"
#include "env/measure/measurement.h"

namespace schedulegym {

struct RuleCheck {
  std::string rule;
  std::string fault;  // the fault and its place, one line; "" where the rule holds
};

// Of one answer: an agent that is silent for longer breaks the rule in whose midst it is.
inline constexpr double kLongestAnswerSeconds = 60;

// Makes the agent again for each rule, in searches of small tasks in space `ansor` whose times are
// the analytical estimate; nothing is compiled. An exception of the agent breaks the rule. Calls
// `on_rule` after each rule. Throws InputError for a name that the catalog does not have.
std::vector<RuleCheck> CheckConformance(
    const Spec& agent, const Catalog& catalog, double answer_seconds = kLongestAnswerSeconds,
    const std::function<void(const RuleCheck&)>& on_rule = [](const RuleCheck&) {});

// The outcome of a candidate, by its number in the search.
using Fate = std::function<Outcome(int64_t number)>;

Outcome Succeeds(int64_t number);

// The tasks, budget and seed of a search in space `ansor`.
struct ConformancePlan {
  std::vector<std::shared_ptr<const Task>> tasks;
  std::optional<Budget> budget = Budget{64, {}};
  double answer_seconds = 60;  // that the agent may be silent
};

// Two small tasks with more schedules than a check can try.
std::vector<std::shared_ptr<const Task>> OrdinaryTasks();
// A task with this many schedules in the space.
std::vector<std::shared_ptr<const Task>> TaskOfOneSchedule();
std::vector<std::shared_ptr<const Task>> TaskOfFourSchedules();

// Throws the exceptions of the agent, and InputError for a faulty or missing answer.
class ConformanceSearch {
 public:
  ConformanceSearch(const Spec& agent, const Catalog& catalog, ConformancePlan plan);
  ConformanceSearch(const ConformanceSearch&) = delete;
  ConformanceSearch& operator=(const ConformanceSearch&) = delete;

  // Calls Propose this many times, for each task in turn, and reports the fate of each candidate.
  // Returns the proposals' keys.
  std::vector<Key> Run(const Fate& fate, int turns = 8);

  std::vector<Proposal> Ask(int task, int count);
  void Tell(const std::vector<Trial>& trials);

  // With the seconds of the analytical estimate, where they succeed.
  std::vector<Trial> TrialsOf(const std::vector<Proposal>& proposals, int task, const Fate& fate);
  // All of one kind.
  std::vector<Trial> TrialsOf(const std::vector<Proposal>& proposals, int task, TrialStatus told);

  // Of a schedule that the space draws.
  Proposal Draw(int task);

  // Seconds between a stop in the middle of a call and the end of that call; 0 where all calls end
  // before. The agent must not be used afterwards.
  double SecondsToStop();

  Agent& agent() { return *agent_; }

 private:
  void CheckProposals(const std::vector<Proposal>& proposals, int task, int count) const;
  Trial TrialOf(const Proposal& proposal, int task, Outcome outcome) const;
  // With a watch on how long it takes.
  void Watched(const std::function<void()>& call);

  AgentSetup setup_;
  double answer_seconds_;
  std::unique_ptr<SearchSpace> space_;
  std::shared_ptr<const AgentMaker> maker_;
  SteadyClock clock_;
  std::atomic<bool> stop_ = false;
  int64_t asked_ = 0;   // questions
  int64_t number_ = 0;  // of the next candidate
  std::unique_ptr<Agent> agent_;
};

}  // namespace schedulegym
