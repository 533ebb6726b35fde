// VectorEnvironment: many environments that step at once, on several threads.
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

// What becomes of an environment whose episode has ended. kNextStep: the next step takes no action
// and begins an episode, reward 0. kSameStep: the same step begins it. kDisabled: whoever steps it
// has to reset it before.
enum class Autoreset : uint8_t { kNextStep, kSameStep, kDisabled };

// What a step came to; of a reset nothing.
struct SlotStep {
  double reward = 0;
  bool terminated = false, truncated = false, illegal = false;
  bool evaluated = false;  // the place that the step led to

  bool is_over() const { return terminated || truncated; }
};

// A value, as environments are.
class EnvironmentSlot {
 public:
  // After `most_actions` an episode ends without being paid for: truncation. All episodes are of
  // the parts' task at position `task`; without, each draws one.
  EnvironmentSlot(std::shared_ptr<const EnvironmentParts> parts, Autoreset autoreset,
                  std::optional<int> most_actions, std::optional<int> task = std::nullopt);

  // First Begin or Take, then Settle as long as it is pending, with an evaluation result exactly if
  // needs_evaluation(): in kSameStep a step may need one of its end and one of the next beginning.
  void Begin();
  void Take(int action);  // or begins, in kNextStep where an episode is over
  bool is_pending() const { return stage_ != Stage::kDone; }
  bool needs_evaluation() const { return environment_.needs_evaluation(); }
  void Settle(const EvaluationResult* evaluation);
  // Nothing is done in a round of the others.
  void Rest() { last_ = SlotStep(); }

  void Seed(uint64_t seed) { environment_.Seed(seed); }
  // Puts another episode in this one's place.
  void Set(const Environment& environment);

  const Environment& environment() const { return environment_; }
  // The episode that kSameStep has just ended.
  const Environment& ended() const { return *ended_; }
  const SlotStep& last() const { return last_; }
  // Whether the episode is over, and no other has begun.
  bool is_over() const { return is_over_; }

 private:
  // What Settle is about.
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
  // Ends an episode after so many actions without paying for it: truncation.
  std::optional<int> most_actions;
  // By environment, the position of the task that its episodes are of; empty: each draws one.
  std::vector<int> tasks;
};

// Where a step writes, row after row; all of the environments' sizes. Spans of size 0 are not
// written.
struct VectorBuffers {
  std::vector<std::span<float>> observations;  // by observation
  std::span<int8_t> masks;
  std::span<double> rewards;
  std::span<uint8_t> terminated, truncated, illegal;
  // kSameStep only, rows of environments that ended: what was seen last.
  std::vector<std::span<float>> final_observations;
};

class VectorEnvironment {
 public:
  VectorEnvironment(std::shared_ptr<const EnvironmentParts> parts, const VectorOptions& options);

  int size() const { return static_cast<int>(slots_.size()); }
  const VectorOptions& options() const { return options_; }
  const EnvironmentParts& parts() const { return *parts_; }

  // A seed for each; as single environments with these seeds.
  void Seed(std::span<const uint64_t> seeds);
  // Those whose byte is not 0; all without. Rows of others are left as they are.
  void Reset(const VectorBuffers& buffers, std::span<const uint8_t> which = {});
  // An action for each. A measurer that is_shared is asked once about all; what it throws leaves
  // the environments as they were, here and in Reset.
  void Step(std::span<const int> actions, const VectorBuffers& buffers);

  const Environment& environment(int index) const { return slots_[index].environment(); }
  const EnvironmentSlot& slot(int index) const { return slots_[index]; }
  // Puts another episode in an environment's place.
  void Set(int index, const Environment& environment) { slots_.at(index).Set(environment); }

  // For those who step some of them alone. Numbers of buffers' rows are theirs to choose.
  EnvironmentSlot& slot(int index) { return slots_[index]; }
  // Begins or acts, and finishes; several threads may, each with slots of its own.
  void Move(EnvironmentSlot& slot, std::optional<int> action) const;
  // Goes on with what is pending as far as no shared measurer is needed.
  void Finish(EnvironmentSlot& slot) const;
  // The last step's row, or what is seen now alone.
  void WriteStep(int index, int row, const VectorBuffers& buffers) const;
  void WriteView(int index, int row, const VectorBuffers& buffers) const;
  WorkerThreads& threads() { return threads_; }

 private:
  // Whether a measurer is asked about all at once, by one thread.
  bool EvaluatesTogether() const { return parts_->has_shared_measurer(); }
  void RunRound(const std::function<void(int index)>& move);
  void EvaluateTogether();

  std::shared_ptr<const EnvironmentParts> parts_;
  VectorOptions options_;
  std::vector<EnvironmentSlot> slots_;
  WorkerThreads threads_;
};

}  // namespace schedulegym
