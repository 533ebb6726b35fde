// Conformance: whether an agent keeps what every agent owes to the run that asks it.
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
  std::string fault;  // what broke it and where, one line; "" where it held
};

// Of one answer: an agent that is silent for longer breaks the rule in whose midst it is.
inline constexpr double kLongestAnswerSeconds = 60;

// Makes the agent anew for each rule, in searches of small tasks in space `ansor` whose times are
// the analytical estimate; nothing is compiled. Whatever it throws breaks the rule. `on_rule` is
// called with each rule as soon as it is checked. Throws InputError for a name that the catalog
// does not have.
std::vector<RuleCheck> CheckConformance(
    const Spec& agent, const Catalog& catalog, double answer_seconds = kLongestAnswerSeconds,
    const std::function<void(const RuleCheck&)>& on_rule = [](const RuleCheck&) {});

// What became of a candidate, by its number in the search.
using Fate = std::function<Outcome(int64_t number)>;

Outcome Succeeds(int64_t number);

// What is searched, in space `ansor`.
struct ConformancePlan {
  std::vector<std::shared_ptr<const Task>> tasks;
  std::optional<Budget> budget = Budget{64, {}};
  double answer_seconds = 60;  // that the agent may be silent
};

// Two small tasks, whose schedules nobody comes to the end of.
std::vector<std::shared_ptr<const Task>> OrdinaryTasks();
// Of which the space has so many schedules.
std::vector<std::shared_ptr<const Task>> TaskOfOneSchedule();
std::vector<std::shared_ptr<const Task>> TaskOfFourSchedules();

// Whatever the agent throws it throws, too; InputError of what is wrong with an answer, which
// silence is.
class ConformanceSearch {
 public:
  ConformanceSearch(const Spec& agent, const Catalog& catalog, ConformancePlan plan);
  ConformanceSearch(const ConformanceSearch&) = delete;
  ConformanceSearch& operator=(const ConformanceSearch&) = delete;

  // So many questions, each task's by turns; tells of each candidate what its fate is. Gives the
  // proposals' keys.
  std::vector<Key> Run(const Fate& fate, int turns = 8);

  std::vector<Proposal> Ask(int task, int count);
  void Tell(const std::vector<Trial>& trials);

  // As fast as the analytical estimate says, where they succeed.
  std::vector<Trial> TrialsOf(const std::vector<Proposal>& proposals, int task, const Fate& fate);
  // All of one kind.
  std::vector<Trial> TrialsOf(const std::vector<Proposal>& proposals, int task, TrialStatus told);

  // Of a schedule that the space draws.
  Proposal Draw(int task);

  // Seconds between the moment in which the search is stopped, in the midst of a question, and the
  // end of that question; 0 where all its answers come before. Nothing may be asked afterwards.
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
