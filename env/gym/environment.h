// Environment: episodes of an agent that acts on a task's schedule and is rewarded for its speed.
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

// Parts that environments may share. All are safe for threads as their headers state.
struct EnvironmentParts {
  // Each episode draws one of these; at least one.
  std::vector<std::shared_ptr<const Task>> tasks;
  std::shared_ptr<const ActionSpace> actions;
  std::vector<std::shared_ptr<const Observation>> observations;
  std::shared_ptr<Measurer> measurer;  // null: nothing is evaluated, and every reward is 0
  // Seconds that measuring would have taken so far, forks included; empty except for tables.
  std::function<double()> clock;
  Reward reward;
  // Most actions of an episode. Part of the task, since the schedule reached then is rewarded.
  int horizon = 64;

  // True if one thread evaluates states of many environments at once (Measurer::is_shared).
  bool has_shared_measurer() const { return measurer && measurer->is_shared(); }
};

struct StepResult {
  double reward = 0;
  bool ended = false;  // by stopping, or because the horizon is reached
};

// A value: a copy is an independent episode in the same state. Not thread-safe.
class Environment {
 public:
  // No episode has begun. All copies share `parts`.
  explicit Environment(std::shared_ptr<const EnvironmentParts> parts, uint64_t seed = 0);
  Environment(const Environment& other);
  Environment& operator=(const Environment& other);
  Environment(Environment&&) = default;
  Environment& operator=(Environment&&) = default;

  // Later results depend on the seed alone.
  void Seed(uint64_t seed) { rng_ = Rng(seed); }

  // Begins an episode of a drawn task, or of the task at position `task`. If a shared measurer
  // throws, here or in Step, the environment stays unchanged.
  void Reset(std::optional<int> task = std::nullopt);
  // Takes an action. An illegal action counts as an action and changes nothing else. An episode
  // must be running.
  StepResult Step(int action);

  // The two halves of Reset and Step, to evaluate many environments at once: first Begin or Take,
  // then Settle, with an evaluation result exactly if needs_evaluation().
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
  // The actions of this episode, in order.
  const std::vector<int>& actions() const { return actions_; }
  int illegal_actions() const { return illegal_; }
  // The reason why the last action was illegal; "" if it was legal.
  const std::string& reason() const { return reason_; }
  // The results of this state, if the reward needed it, and of the episode's best.
  const std::optional<EvaluationResult>& evaluated() const { return evaluated_; }
  const std::optional<EvaluationResult>& best() const { return best_; }
  // Every evaluation result of this episode, in order.
  const std::vector<EvaluationResult>& evaluations() const { return evaluations_; }

  void WriteMask(std::span<int8_t> mask) const;
  // Writes the observation at position `which`; `numbers` has its size.
  void WriteObservation(size_t which, std::span<float> numbers) const;

  // Text of the whole episode; Resume with the same parts gives an equal environment.
  std::string ToText() const;
  // Returns kParse or kIllegal with the reason, and changes nothing, if the text does not fit.
  Result<void> Resume(std::string_view text);

 private:
  // Settles, with an evaluation result if one is due.
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
  bool is_first_ = false;  // Settle follows Begin, not Take
  bool needs_evaluation_ = false;
  // Of this state; the last rewarded one, which may be of an earlier state (HoldsBack); the best.
  std::optional<EvaluationResult> evaluated_, paid_, best_;
  std::vector<EvaluationResult> evaluations_;
};

}  // namespace schedulegym
