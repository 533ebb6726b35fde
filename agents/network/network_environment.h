// NetworkEnvironment: episodes in which an agent gives slots of trials to a network's tasks.
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

// Action 0 stops; action i gives a slot to task i - 1. The reward is computed from the network's
// latency relative to that of the reference schedules. One thread at a time.
class NetworkEnvironment {
 public:
  // Starts without an episode. Throws InputError as CheckNetwork does. The watch outlives it.
  NetworkEnvironment(std::shared_ptr<const NetworkParts> parts, const NetworkWatch& watch,
                     uint64_t seed = 0);

  // Later draws depend on the seed alone, if the measurer is repeatable.
  void Seed(uint64_t seed) { rng_ = Rng(seed); }

  // Begins an episode. Warms up if NetworkParts::warm_up is set. The first call measures the
  // references and throws MachineError if that fails. If the watch's stop is set meanwhile, or an
  // exception is thrown, there is no episode. The same holds for Step.
  void Reset();
  // Takes an action. An illegal action costs an action and changes nothing else. It is a bug to
  // call it without a running episode.
  StepResult Step(int action);

  const NetworkParts& parts() const { return *parts_; }
  int action_count() const { return 1 + parts_->rows; }
  bool has_begun() const { return episode_ != nullptr; }
  bool has_ended() const { return ended_; }
  const NetworkEpisode& episode() const { return *episode_; }
  // The actions of this episode, in order.
  const std::vector<int>& actions() const { return actions_; }
  int illegal_actions() const { return illegal_; }
  // The reason why the last action was illegal, "" if it was legal.
  const std::string& reason() const { return reason_; }

  // Writes one byte for each action, 1 if it is legal.
  void WriteMask(std::span<int8_t> mask) const;
  // Writes NetworkObservationSize(rows) numbers.
  void WriteObservation(std::span<float> numbers) const;
  // Describes a legal action; kIllegal with the reason for others.
  Result<std::string> Describe(int action) const;

  // The seed and the actions of the episode. kIllegal for a begun episode that is not repeatable.
  Result<std::string> ToText() const;
  // Replays the actions of a text. Returns kParse or kIllegal with the reason, and changes nothing,
  // if the text does not belong to this environment.
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
  Rng begin_;  // rng_ at the beginning of the episode
  std::vector<double> references_;
  std::unique_ptr<NetworkEpisode> episode_;
  std::vector<int> actions_;
  int illegal_ = 0;
  std::string reason_;
  bool ended_ = false;
  EvaluationResult evaluated_, best_;
};

}  // namespace schedulegym
