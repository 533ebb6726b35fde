// VectorEnvironment: many environments that step at once, on several threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "env/gym/environment.h"
#include "env/gym/worker_threads.h"

namespace schedulegym {

// What becomes of an environment whose episode has ended. kNextStep: the next step takes no action
// and begins an episode, reward 0. kSameStep: the same step begins it. kDisabled: whoever steps it
// has to reset it before.
enum class Autoreset : uint8_t { kNextStep, kSameStep, kDisabled };

struct VectorOptions {
  int count = 1;
  Autoreset autoreset = Autoreset::kNextStep;
  int threads = 1;
  // Ends an episode after so many actions without paying for it: truncation.
  std::optional<int> most_actions;
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

  int size() const { return static_cast<int>(environments_.size()); }
  const VectorOptions& options() const { return options_; }
  const EnvironmentParts& parts() const { return *parts_; }

  // A seed for each; as single environments with these seeds.
  void Seed(std::span<const uint64_t> seeds);
  // Those whose byte is not 0; all without. Rows of others are left as they are.
  void Reset(const VectorBuffers& buffers, std::span<const uint8_t> which = {});
  // An action for each. A judge that is_shared is asked once about all.
  void Step(std::span<const int> actions, const VectorBuffers& buffers);

  const Environment& environment(int index) const { return environments_[index]; }
  // Puts another episode in an environment's place.
  void Set(int index, const Environment& environment);
  // The episode that an environment of kSameStep has just ended; what it was judged and did.
  const Environment& ended(int index) const { return ended_[index]; }
  // Whether an environment's episode ended at the last step; whether its place was judged then.
  bool is_over(int index) const { return over_[index] != 0; }
  bool was_judged(int index) const { return judged_[index] != 0; }

 private:
  // What to do with an environment in a round.
  enum class Turn : uint8_t { kRest, kBegin, kTake };

  void RunRound(std::span<const int> actions, const VectorBuffers& buffers);
  void Move(int index, std::span<const int> actions);
  void Settle(int index, const Judgement* judgement, const VectorBuffers& buffers);
  void JudgeTogether(const VectorBuffers& buffers);
  void BeginEnded(const VectorBuffers& buffers);
  void WriteRow(int index, const VectorBuffers& buffers) const;

  std::shared_ptr<const EnvironmentParts> parts_;
  VectorOptions options_;
  std::vector<Environment> environments_, ended_;
  std::vector<Turn> turns_;
  std::vector<uint8_t> over_, judged_;  // by environment, of the last step
  WorkerThreads threads_;
};

}  // namespace schedulegym
