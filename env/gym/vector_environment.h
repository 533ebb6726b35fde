// VectorEnvironment: many environments that step together, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "env/base/worker_threads.h"
#include "env/gym/environment.h"

namespace schedulegym {

// The reset of an environment whose episode has ended. kNextStep: the next step takes no action and
// begins an episode, reward 0. kSameStep: the same step begins it. kDisabled: the caller must reset
// it before the next step.
enum class Autoreset : uint8_t { kNextStep, kSameStep, kDisabled };

// The result of a step. After a reset only `evaluated` may be set.
struct SlotStep {
  double reward = 0;
  bool terminated = false, truncated = false, illegal = false;
  bool evaluated = false;  // the state after the step

  bool is_over() const { return terminated || truncated; }
};

// A value, as Environment is.
class EnvironmentSlot {
 public:
  // After `most_actions` an episode is truncated: it ends without a final reward. All episodes are
  // of the parts' task at position `task`; nullopt: each draws one.
  EnvironmentSlot(std::shared_ptr<const EnvironmentParts> parts, Autoreset autoreset,
                  std::optional<int> most_actions, std::optional<int> task = std::nullopt);

  // First Begin or Take, then Settle while is_pending(), with an evaluation result exactly if
  // needs_evaluation(). In kSameStep a step may need two: for its end and the next beginning.
  void Begin();
  void Take(int action);  // begins an episode instead if one is over in kNextStep
  bool is_pending() const { return stage_ != Stage::kDone; }
  bool needs_evaluation() const { return environment_.needs_evaluation(); }
  void Settle(const EvaluationResult* evaluation);
  // Clears last(), for rounds that step other environments only.
  void Rest() { last_ = SlotStep(); }

  void Seed(uint64_t seed) { environment_.Seed(seed); }
  // Replaces the episode.
  void Set(const Environment& environment);

  const Environment& environment() const { return environment_; }
  // The episode that kSameStep has just ended.
  const Environment& ended() const { return *ended_; }
  const SlotStep& last() const { return last_; }
  // True if the episode is over and no other has begun.
  bool is_over() const { return is_over_; }

 private:
  // The step that Settle completes.
  enum class Stage : uint8_t { kDone, kBegun, kTaken, kBegunAgain };

  Environment environment_;
  std::optional<Environment> ended_;
  SlotStep last_;
  std::optional<int> most_actions_, task_;
  Autoreset autoreset_;
  Stage stage_ = Stage::kDone;
  bool is_over_ = false;
};

struct VectorOptions {
  int count = 1;
  Autoreset autoreset = Autoreset::kNextStep;
  int threads = 1;
  // Truncates an episode after this many actions: it ends without a final reward.
  std::optional<int> most_actions;
  // By environment, the position of the task of its episodes; empty: each episode draws one.
  std::vector<int> tasks;
};

// Output arrays of a step, one row for each environment, of the environments' sizes. Spans of size
// 0 are not written.
struct VectorBuffers {
  std::vector<std::span<float>> observations;  // by observation
  std::span<int8_t> masks;
  std::span<double> rewards;
  std::span<uint8_t> terminated, truncated, illegal;
  // kSameStep only, rows of environments that ended: the last observations.
  std::vector<std::span<float>> final_observations;
};

class VectorEnvironment {
 public:
  VectorEnvironment(std::shared_ptr<const EnvironmentParts> parts, const VectorOptions& options);

  int size() const { return static_cast<int>(slots_.size()); }
  const VectorOptions& options() const { return options_; }
  const EnvironmentParts& parts() const { return *parts_; }

  // One seed for each environment; equals single environments with these seeds.
  void Seed(std::span<const uint64_t> seeds);
  // Resets environments whose byte is not 0, or all if `which` is empty. Keeps rows of others.
  void Reset(const VectorBuffers& buffers, std::span<const uint8_t> which = {});
  // Takes an action for each. A measurer that is_shared evaluates all in one call. If it throws,
  // here or in Reset, the environments stay unchanged.
  void Step(std::span<const int> actions, const VectorBuffers& buffers);

  const Environment& environment(int index) const { return slots_[index].environment(); }
  const EnvironmentSlot& slot(int index) const { return slots_[index]; }
  // Replaces the episode of an environment.
  void Set(int index, const Environment& environment) { slots_.at(index).Set(environment); }

  // For callers that step some environments alone. They choose the rows of the buffers.
  EnvironmentSlot& slot(int index) { return slots_[index]; }
  // Begins or acts, and finishes. Threads may call it concurrently, each with slots of its own.
  void Move(EnvironmentSlot& slot, std::optional<int> action) const;
  // Settles pending steps as far as no shared measurer is needed.
  void Finish(EnvironmentSlot& slot) const;
  // WriteStep writes the last step's row; WriteView only the current observations and mask.
  void WriteStep(int index, int row, const VectorBuffers& buffers) const;
  void WriteView(int index, int row, const VectorBuffers& buffers) const;
  WorkerThreads& threads() { return threads_; }

 private:
  // True if one thread evaluates all environments in one call.
  bool EvaluatesTogether() const { return parts_->has_shared_measurer(); }
  void RunRound(const std::function<void(int index)>& move);
  void EvaluateTogether();

  std::shared_ptr<const EnvironmentParts> parts_;
  VectorOptions options_;
  std::vector<EnvironmentSlot> slots_;
  WorkerThreads threads_;
};

}  // namespace schedulegym
