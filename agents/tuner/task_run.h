// TaskRun: the state of one task in a search.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/tuner/search_time.h"
#include "agents/tuner/tuner.h"

namespace schedulegym {

class TaskRun {
 public:
  explicit TaskRun(TunerTask asked_for);

  // Counts a measured trial.
  void Count(const std::shared_ptr<const Record>& record);
  // Adds the phases of a measurement, trial or not, and the reference's time if it contains one.
  void NoteTimes(const Measurement& measurement);
  // Adds the waiting time: `seconds` by the clock minus the phases of these measurements.
  void NoteWait(std::span<const Measurement> measurements, double seconds);
  // Adds known causes of waiting, which NoteWait above does not distinguish.
  void NoteWait(const MeasuringWait& wait);
  // Call it at the end: attributes the remaining waiting time to workers.
  void DivideWait();
  // The better of this search's best and the best of earlier searches.
  std::optional<Record> BestSoFar() const;
  // Replaces the results of a schedule by a repeated measurement, which is not a trial.
  void Replace(const Record& record);
  // Drops the doubtful result of a schedule that will not be measured again.
  void Forget(const Key& state);

  std::optional<double> GflopsOf(const Measurement& measurement) const;
  // Those of this search, one for each schedule.
  std::vector<Record> Successes() const;
  bool HasSuccess(const Key& state) const { return FindSuccess(state) != nullptr; }
  // Valid until the next record; nullptr without a success.
  const Record* FindSuccess(const Key& state) const;
  // The task's part of the whole latency, up to a factor; 0 if there is nothing to refine.
  double RefinablePart() const;

  TunerTask task;
  double flops;
  DoneEvent done;
  bool refining = false;  // uses its refiner, no longer its agent
  bool refined = false;   // its refiner has nothing left
  GainReader gain;        // receives the same trials
  RecentSeconds trial_seconds, finalist_seconds;
  std::optional<double> reference_seconds;  // of one call, in the last measurement

 private:
  void KeepIfBetter(const Record& record);

  std::map<Key, std::shared_ptr<const Record>> successes_;  // by state
};

// Makes the reference schedule the run's best if the best is slower, or if no trustworthy
// measurement succeeded. Its time is the session's, its ratio 1. If no success contains that time,
// it is measured now, outside of the trials; it is unknown if no time is left. The store gets no
// record of this; it has one only if the reference was a candidate of this search. Changes nothing
// if the options have no reference. Without a success now, it changes nothing if an earlier search
// found a faster schedule, or found any and the reference's time is unknown.
void PreferReference(const TunerOptions& options, const TunerParts& parts, const SearchTime& time,
                     TaskRun& run);

}  // namespace schedulegym
