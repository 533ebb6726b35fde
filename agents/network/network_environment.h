// NetworkEnvironment: episodes of an agent that gives slots of trials to the tasks of a network.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/network/network_episode.h"
#include "env/base/result.h"
#include "env/gym/environment.h"

namespace schedulegym {

// Action 0 stops; action i gives a slot to task i - 1. It is paid for the network's latency, which
// is judged beside that with reference schedules. One thread at a time.
class NetworkEnvironment {
 public:
  // No episode has begun. Throws InputError as CheckNetwork does. The watch outlives it.
  NetworkEnvironment(std::shared_ptr<const NetworkParts> parts, const NetworkWatch& watch,
                     uint64_t seed = 0);

  // What follows depends on the seed alone, as far as the measurer repeats itself.
  void Seed(uint64_t seed) { rng_ = Rng(seed); }

  // Begins an episode, and warms it up. Before the first, the references are measured. Throws
  // MachineError where that fails. If the watch's stop is set meanwhile, or anything is thrown, no
  // episode has begun; so with Step.
  void Reset();
  // Takes an action. What is illegal costs an action and changes nothing else. A bug if no episode
  // runs.
  StepResult Step(int action);

  const NetworkParts& parts() const { return *parts_; }
  int action_count() const { return 1 + parts_->rows; }
  bool has_begun() const { return episode_ != nullptr; }
  bool has_ended() const { return ended_; }
  const NetworkEpisode& episode() const { return *episode_; }
  // Of this episode, in order.
  const std::vector<int>& actions() const { return actions_; }
  int illegal_actions() const { return illegal_; }
  // Why the last action was illegal, "" if it was not.
  const std::string& reason() const { return reason_; }

  // One byte for each action, 1 where it is legal.
  void WriteMask(std::span<int8_t> mask) const;
  // NetworkObservationSize(rows) numbers.
  void WriteObservation(std::span<float> numbers) const;
  // What a legal action does; kIllegal with the reason for others.
  Result<std::string> Describe(int action) const;

  // The seed and the actions of the episode. kIllegal for one that has begun and does not repeat.
  Result<std::string> ToText() const;
  // Plays the actions again. kParse or kIllegal with the reason, and nothing changes, where the
  // text is another's.
  Result<void> Resume(std::string_view text);

 private:
  void MeasureReferences();
  double MeasureReference(const NetworkTask& task);
  bool IsInterrupted() const { return watch_.stop != nullptr && *watch_.stop; }
  bool Spend(std::unique_ptr<NetworkEpisode>& episode, int task);
  std::optional<std::string> WhyIllegal(int action) const;
  EvaluationResult Evaluate() const;
  std::string Options() const;

  std::shared_ptr<const NetworkParts> parts_;
  NetworkWatch watch_;
  Rng rng_;
  Rng begin_;  // as rng_ was when the episode began
  std::vector<double> references_;
  std::unique_ptr<NetworkEpisode> episode_;
  std::vector<int> actions_;
  int illegal_ = 0;
  std::string reason_;
  bool ended_ = false;
  EvaluationResult evaluated_, best_;
};

}  // namespace schedulegym
