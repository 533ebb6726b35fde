// Environment: episodes of an agent that acts on the schedule of a task and is paid for its speed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/rng.h"
#include "env/gym/actions/action_space.h"
#include "env/gym/evaluators/evaluation_result.h"
#include "env/gym/observations/observation.h"
#include "env/gym/reward.h"
#include "env/measure/measurer.h"

namespace schedulegym {

class EpisodeLines;

// What environments may share; all of it is safe for threads as their headers say.
struct EnvironmentParts {
  // Episodes draw one of these; at least one.
  std::vector<std::shared_ptr<const Task>> tasks;
  std::shared_ptr<const ActionSpace> actions;
  std::vector<std::shared_ptr<const Observation>> observations;
  std::shared_ptr<Measurer> measurer;  // null: nothing is evaluated, and every reward is 0
  // Seconds that measuring would have taken so far, forks included; empty but of tables.
  std::function<double()> clock;
  Reward reward;
  // Actions of an episode, at most: part of the task, as the schedule is paid for as it is then.
  int horizon = 64;

  // Whether one thread asks about the places of many environments at once (Measurer::is_shared).
  bool has_shared_measurer() const { return measurer && measurer->is_shared(); }
};

struct StepResult {
  double reward = 0;
  bool ended = false;  // by stopping, or since the horizon is reached
};

// A value: a copy is an episode of its own that stands where this one does. One thread at a time.
class Environment {
 public:
  // No episode has begun. `parts` are the same for all copies.
  explicit Environment(std::shared_ptr<const EnvironmentParts> parts, uint64_t seed = 0);
  Environment(const Environment& other);
  Environment& operator=(const Environment& other);
  Environment(Environment&&) = default;
  Environment& operator=(Environment&&) = default;

  // What follows depends on the seed alone.
  void Seed(uint64_t seed) { rng_ = Rng(seed); }

  // Begins an episode, of a task drawn or of the one given by position. What a shared measurer
  // throws leaves everything as it was, at a step, too.
  void Reset(std::optional<int> task = std::nullopt);
  // Takes an action. What is illegal costs an action and changes nothing else. A bug if no episode
  // runs.
  StepResult Step(int action);

  // The same in two halves, for those who judge the places of many environments at once: first
  // Begin or Take, then Settle, with an evaluation result exactly if needs_evaluation().
  void Begin(std::optional<int> task = std::nullopt);
  void Take(int action);
  bool needs_evaluation() const { return needs_evaluation_; }
  StepResult Settle(const EvaluationResult* evaluation);

  const EnvironmentParts& parts() const { return *parts_; }
  bool has_begun() const { return episode_ != nullptr; }
  bool has_ended() const { return ended_; }
  const EpisodeState& episode() const { return *episode_; }
  const Task& task() const { return *parts_->tasks[task_]; }
  int task_index() const { return task_; }
  // Of this episode, in order.
  const std::vector<int>& actions() const { return actions_; }
  int illegal_actions() const { return illegal_; }
  // Why the last action was illegal, "" if it was not.
  const std::string& reason() const { return reason_; }
  // Of this place, as far as the reward needed it, and of the episode's best.
  const std::optional<EvaluationResult>& evaluated() const { return evaluated_; }
  const std::optional<EvaluationResult>& best() const { return best_; }
  // Every evaluation result so far, in order.
  const std::vector<EvaluationResult>& evaluations() const { return evaluations_; }

  void WriteMask(std::span<int8_t> mask) const;
  // The observation of that position; as many numbers as it has.
  void WriteObservation(size_t which, std::span<float> numbers) const;

  // All of the episode; Resume of the same parts gives an equal environment.
  std::string ToText() const;
  // kParse or kIllegal with the reason, and nothing changes, where the text is another's.
  Result<void> Resume(std::string_view text);

 private:
  // With an evaluation result where one is due.
  StepResult Evaluate();
  std::optional<Environment> CopyIfShared() const;
  Result<void> ResumeEpisode(EpisodeLines& lines);
  bool IsStop(int action) const { return action == kStopAction; }

  std::shared_ptr<const EnvironmentParts> parts_;
  Rng rng_;
  int task_ = 0;
  std::unique_ptr<EpisodeState> episode_;
  std::vector<int> actions_;
  int illegal_ = 0;
  std::string reason_;
  bool ended_ = false;
  bool is_first_ = false;  // of what is to be settled: the beginning
  bool needs_evaluation_ = false;
  // Of this place; what was last paid for, which rewards may leave behind (HoldsBack); the best.
  std::optional<EvaluationResult> evaluated_, paid_, best_;
  std::vector<EvaluationResult> evaluations_;
};

}  // namespace schedulegym
