#include "agents/baselines/swapped_measurements.h"

#include <memory>
#include <set>
#include <utility>

namespace schedulegym {

SwappedMeasurements::Heard SwappedMeasurements::Swap(std::span<const Trial> trials, Rng& rng) {
  const size_t first_new = slots_.size();
  std::vector<size_t> changed;
  for (const Trial& trial : trials) {
    if (LessonOf(trial) == nullptr) continue;
    const auto [known, is_new] = slot_of_.emplace(trial.key, slots_.size());
    if (is_new) {
      slots_.push_back({trial, slots_.size(), slots_.size()});
    } else {
      slots_[known->second].trial = trial;
      changed.push_back(slots_[known->second].holder);
    }
  }
  Shuffle(first_new, changed, rng);
  Heard heard;
  std::set<size_t> told;
  for (const Trial& trial : trials) {
    if (LessonOf(trial) == nullptr) {
      heard.trials.push_back(trial);
      continue;
    }
    const size_t slot = slot_of_.at(trial.key);
    told.insert(slot);
    heard.trials.push_back(HeardOf(slot, trial.told));
  }
  for (size_t slot : changed) {
    if (told.insert(slot).second) heard.revised.push_back(HeardOf(slot, Told::kRevised));
  }
  return heard;
}

void SwappedMeasurements::Shuffle(size_t first_new, std::vector<size_t>& changed, Rng& rng) {
  const size_t count = slots_.size() - first_new;
  if (count == 1) {
    const auto other = static_cast<size_t>(rng.Below(std::ssize(slots_)));
    if (other == first_new) return;
    Trade(first_new, other);
    changed.push_back(other);
    return;
  }
  for (size_t left = count; left > 1; --left) {
    const auto other = static_cast<size_t>(rng.Below(static_cast<int64_t>(left)));
    Trade(first_new + left - 1, first_new + other);
  }
}

void SwappedMeasurements::Trade(size_t a, size_t b) {
  std::swap(slots_[a].holds, slots_[b].holds);
  slots_[slots_[a].holds].holder = a;
  slots_[slots_[b].holds].holder = b;
}

Trial SwappedMeasurements::HeardOf(size_t slot, Told told) const {
  Trial trial = slots_[slot].trial;
  auto record = std::make_shared<Record>(*trial.record);
  record->measurement = slots_[slots_[slot].holds].trial.record->measurement;
  record->measurement.attempt = trial.record->measurement.attempt;
  trial.record = std::move(record);
  trial.told = told;
  return trial;
}

}  // namespace schedulegym
