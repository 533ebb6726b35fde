// EnvironmentSlot: a place of a vector, in which one episode follows another by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

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
  bool judged = false;  // the place that the step led to

  bool is_over() const { return terminated || truncated; }
};

// A value, as environments are.
class EnvironmentSlot {
 public:
  // After `most_actions` an episode ends without being paid for: truncation. All episodes are of
  // the parts' task at position `task`; without, each draws one.
  EnvironmentSlot(std::shared_ptr<const EnvironmentParts> parts, Autoreset autoreset,
                  std::optional<int> most_actions, std::optional<int> task = std::nullopt);

  // First Begin or Take, then Settle as long as it is pending, with a judgement exactly if
  // needs_judgement(): in kSameStep a step may need one of its end and one of the next beginning.
  void Begin();
  void Take(int action);  // or begins, in kNextStep where an episode is over
  bool is_pending() const { return stage_ != Stage::kDone; }
  bool needs_judgement() const { return environment_.needs_judgement(); }
  void Settle(const Judgement* judgement);
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

}  // namespace schedulegym
