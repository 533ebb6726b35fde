// VectorEnvironment: many environments that step at once, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "env/base/worker_threads.h"
#include "env/gym/environment_slot.h"

namespace schedulegym {

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
  // An action for each. A judge that is_shared is asked once about all; what it throws leaves the
  // environments as they were, here and in Reset.
  void Step(std::span<const int> actions, const VectorBuffers& buffers);

  const Environment& environment(int index) const { return slots_[index].environment(); }
  const EnvironmentSlot& slot(int index) const { return slots_[index]; }
  // Puts another episode in an environment's place.
  void Set(int index, const Environment& environment) { slots_.at(index).Set(environment); }

  // For those who step some of them alone. Numbers of buffers' rows are theirs to choose.
  EnvironmentSlot& slot(int index) { return slots_[index]; }
  // Begins or acts, and finishes; several threads may, each with slots of its own.
  void Move(EnvironmentSlot& slot, std::optional<int> action) const;
  // Goes on with what is pending as far as no shared judge is needed.
  void Finish(EnvironmentSlot& slot) const;
  // The last step's row, or what is seen now alone.
  void WriteStep(int index, int row, const VectorBuffers& buffers) const;
  void WriteView(int index, int row, const VectorBuffers& buffers) const;
  WorkerThreads& threads() { return threads_; }

 private:
  // Whether a judge is asked about all at once, by one thread.
  bool JudgesTogether() const { return parts_->judge && parts_->judge->is_shared(); }
  void RunRound(const std::function<void(int index)>& move);
  void JudgeTogether();

  std::shared_ptr<const EnvironmentParts> parts_;
  VectorOptions options_;
  std::vector<EnvironmentSlot> slots_;
  WorkerThreads threads_;
};

}  // namespace schedulegym
