// An environment whose actions are tasks of a network: each gives one task a slot of trials, from
// measurements or from recorded curves. The latency is the weighted sum of the tasks' best times,
// the speed the reference's latency over it. References are measured at the first reset, up to 3
// tries each; MachineError if one cannot be measured. An episode ends after `slots` actions or by
// stop; an interruption drops it. Finished tasks are masked. Cost: one slot of trials a step.
#include "agents/network/network_environment.h"

#include <algorithm>
#include <utility>

#include "agents/network/network_observation.h"
#include "env/base/check.h"
#include "env/base/fault.h"

namespace schedulegym {

NetworkEnvironment::NetworkEnvironment(std::shared_ptr<const NetworkParts> parts,
                                       const NetworkWatch& watch, uint64_t seed)
    : parts_(std::move(parts)), watch_(watch), rng_(seed), begin_(rng_) {
  CheckNetwork(*parts_);
}

// Returns seconds of one call. Retries outcomes that do not depend on the schedule.
double NetworkEnvironment::MeasureReference(const NetworkTask& task) {
  constexpr int kTries = 3;
  const Candidate candidate = {.state = *task.reference, .finalist = true, .anew = true};
  Measurement measurement;
  for (int i = 0; i < kTries && !measurement.ok(); ++i) {
    measurement = parts_->measurer->Measure({&candidate, 1}).at(0);
    if (!measurement.ok() && MayLearnFrom(measurement.outcome)) break;
  }
  if (measurement.ok()) return measurement.timing->seconds * measurement.timing->ratio.median;
  throw MachineError("the reference schedule of " + task.name + ": found " +
                     OutcomeName(measurement.outcome) + ", expected a time");
}

void NetworkEnvironment::MeasureReferences() {
  if (!references_.empty() || !parts_->curves.empty()) return;
  std::vector<double> references;
  for (const NetworkTask& task : parts_->tasks) references.push_back(MeasureReference(task));
  references_ = std::move(references);
}

// Returns whether the slot was spent completely; otherwise drops the episode.
bool NetworkEnvironment::Spend(std::unique_ptr<NetworkEpisode>& episode, int task) {
  episode->Spend(task);
  if (IsInterrupted()) episode.reset();
  return episode != nullptr;
}

void NetworkEnvironment::Reset() {
  episode_.reset();
  begin_ = rng_;
  MeasureReferences();
  Rng draws = rng_.Split();
  auto episode = parts_->curves.empty()
                     ? std::make_unique<NetworkEpisode>(*parts_, references_, draws, watch_)
                     : std::make_unique<NetworkEpisode>(*parts_, draws);
  const auto count = static_cast<int>(parts_->tasks.size());
  for (int i = 0; parts_->warm_up && i < count; ++i) {
    if (!Spend(episode, i)) return;
  }
  episode_ = std::move(episode);
  actions_.clear();
  illegal_ = 0;
  reason_.clear();
  ended_ = false;
  evaluated_ = best_ = Evaluate();
}

StepResult NetworkEnvironment::Step(int action) {
  SG_CHECK(episode_ && !ended_, "an episode that runs");
  SG_CHECK(action >= 0 && action < action_count(), "an action of the space");
  const std::optional<std::string> reason = WhyIllegal(action);
  illegal_ += reason ? 1 : 0;
  reason_ = reason.value_or("");
  if (action != kStopAction && !reason) {
    auto episode = std::move(episode_);
    if (!Spend(episode, action - 1)) return {0, true};
    episode_ = std::move(episode);
  }
  actions_.push_back(action);
  ended_ = action == kStopAction || static_cast<int>(actions_.size()) >= parts_->slots;
  const EvaluationResult before = std::exchange(evaluated_, Evaluate());
  const double reward = Pay(parts_->reward, {&before, &evaluated_, &best_, ended_});
  best_ = Better(best_, evaluated_);
  return {reward, ended_};
}

EvaluationResult NetworkEnvironment::Evaluate() const {
  const double latency = episode_->Latency();
  return ExactEvaluationResult(episode_->ReferenceLatency() / latency, latency);
}

std::optional<std::string> NetworkEnvironment::WhyIllegal(int action) const {
  if (action == kStopAction) return std::nullopt;
  const int task = action - 1;
  const auto count = static_cast<int>(parts_->tasks.size());
  if (task >= count) {
    return "found task " + std::to_string(task) + ", expected one of the network's " +
           std::to_string(count);
  }
  if (!episode_->curve(task).finished) return std::nullopt;
  return parts_->tasks[task].name + ": found nothing left to try, expected a schedule";
}

void NetworkEnvironment::WriteMask(std::span<int8_t> mask) const {
  SG_CHECK(episode_, "an episode that has begun");
  for (int i = 0; i < action_count(); ++i) mask[i] = WhyIllegal(i) ? 0 : 1;
}

void NetworkEnvironment::WriteObservation(std::span<float> numbers) const {
  SG_CHECK(episode_, "an episode that has begun");
  WriteNetworkObservation(*episode_, static_cast<int>(actions_.size()), numbers);
}

Result<std::string> NetworkEnvironment::Describe(int action) const {
  SG_CHECK(episode_, "an episode that has begun");
  if (action == kStopAction) return std::string("stop");
  if (const std::optional<std::string> reason = WhyIllegal(action)) {
    return Error{ErrorKind::kIllegal, *reason};
  }
  return parts_->tasks[action - 1].name;
}

}  // namespace schedulegym
