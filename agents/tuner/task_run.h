// TaskRun: one task of a search and how it stands.
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

  // A trial was measured.
  void Count(const std::shared_ptr<const Record>& record);
  // The phases of a measurement, trial or not, and the reference's time if it tells that.
  void NoteTimes(const Measurement& measurement);
  // Measuring these took so many seconds by the clock: what no phase has was waited.
  void NoteWait(std::span<const Measurement> measurements, double seconds);
  // What is known of waits, which NoteWait does not tell apart.
  void NoteWait(const MeasuringWait& wait);
  // Once all is noted: what was waited for nothing else was waited for workers.
  void DivideWait();
  // The better of what this search found and what earlier ones knew.
  std::optional<Record> BestSoFar() const;
  // Measured again, outside of the trials; takes the place of what was known of its schedule.
  void Replace(const Record& record);
  // What was measured of this schedule is in doubt, and will not be measured again.
  void Forget(const Key& state);

  std::optional<double> GflopsOf(const Measurement& measurement) const;
  // Of this search, one for each schedule.
  std::vector<Record> Successes() const;
  bool HasSuccess(const Key& state) const { return FindSuccess(state) != nullptr; }
  // Valid until the next record; null for what was no success.
  const Record* FindSuccess(const Key& state) const;
  // What the task takes of the whole latency, up to a factor; 0 where there is nothing to refine.
  double RefinablePart() const;

  TunerTask task;
  double flops;
  DoneEvent done;
  bool refining = false;  // its refiner is asked, no longer its agent
  bool refined = false;   // and has nothing left
  GainReader gain;        // hears what they hear
  RecentSeconds trial_seconds, finalist_seconds;
  std::optional<double> reference_seconds;  // of one call, as the measurer last had it

 private:
  void KeepIfBetter(const Record& record);

  std::map<Key, std::shared_ptr<const Record>> successes_;  // by state
};

// Puts the reference schedule in the place of the run's best where that is slower, or where nothing
// that was measured succeeded and may be believed: its time is the session's, its ratio 1. Where no
// success told that time, it is measured now, outside of the trials; where there is no time left
// for that, it is unknown. The store has nothing of that but a record of this search where the
// reference was a candidate. Nothing changes where the options know no reference, where nothing
// succeeded now but an earlier search knew better, or knew something and the reference's time is
// unknown.
void PreferReference(const TunerOptions& options, const TunerParts& parts, const SearchTime& time,
                     TaskRun& run);

}  // namespace schedulegym
