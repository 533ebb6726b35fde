#include "agents/tuner/refinement_gain.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {
namespace {

// A choice.
constexpr int64_t kLeastShare = 8;

}  // namespace

void GainReader::Hear(std::span<const Trial> trials) {
  for (const Trial& trial : trials) {
    if (!trial.record) continue;
    const bool is_own =
        trial.told == TrialStatus::kMeasured || trial.told == TrialStatus::kSaysNothing;
    if (is_own) Note(trial);
    if (RecordToLearnFrom(trial)) known_[trial.key] = trial.record;
  }
}

void GainReader::Note(const Trial& trial) {
  const std::optional<RefineNote> note = ParseRefineNote(trial.record->note);
  if (note && (!note_ || note_->of != note->of)) {
    before_ = Find(note->of);
    after_ = measured_;
    trials_ = 0;
    states_.clear();
    note_ = note;
  }
  ++measured_;
  if (!note) return;
  ++trials_;
  if (RecordToLearnFrom(trial)) states_.push_back(trial.key);
}

GainReader::RecordPointer GainReader::Find(const Key& state) const {
  const auto found = known_.find(state);
  return found == known_.end() ? nullptr : found->second;
}

// Replays the steps in order with the current records, so that corrected results do not count.
std::optional<RefinementGain> GainReader::Gain(const std::string& agent) const {
  if (!note_) return std::nullopt;
  RefinementGain gain;
  gain.trials = trials_;
  gain.agent = note_->agent ? note_->agent->ToText() : agent;
  gain.after = note_->after.value_or(after_);
  const bool is_anew = std::find(states_.begin(), states_.end(), note_->of) != states_.end();
  const RecordPointer before = note_->published ? before_ : is_anew ? Find(note_->of) : nullptr;
  if (!before || !before->measurement.timing) return gain;
  Timing best = *before->measurement.timing;
  for (const Key& state : states_) {
    const std::optional<Timing>& timing = Find(state)->measurement.timing;
    if (timing && IsBetter(note_->better, *timing, best)) best = *timing;
  }
  gain.speed = best.ratio.median / before->measurement.timing->ratio.median;
  return gain;
}

std::vector<RefineShare> DealTrials(std::span<const double> parts, int64_t trials) {
  std::vector<int> order;
  double rest = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] > 0) order.push_back(static_cast<int>(i));
    rest += parts[i];
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return parts[a] > parts[b]; });
  std::vector<RefineShare> shares;
  for (int task : order) {
    const double part = std::min(parts[task] / rest, 1.0);
    const auto due = static_cast<int64_t>(std::ceil(part * static_cast<double>(trials)));
    const int64_t share = std::min(std::max(due, kLeastShare), trials);
    if (share == 0) break;
    shares.push_back({task, share});
    trials -= share;
    rest -= parts[task];
  }
  return shares;
}

}  // namespace schedulegym
