// Measurer: returns a measurement for each candidate of a batch, in order. Searches, environments
// and environments over networks evaluate schedules through this interface alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/measure/control_measurement.h"
#include "env/measure/measurement.h"
#include "env/measure/record.h"
#include "env/schedule/state.h"

namespace schedulegym {

// A schedule to be measured.
struct Candidate {
  // nullopt if `row` is set instead: no trace makes the kernels of another tuner's table.
  std::optional<ScheduleState> state;
  // Never stopped early, even if it is clearly slower than the best so far.
  bool finalist = false;
  // Measured even if the measurer has an earlier result of the same state.
  bool anew = false;
  // Polled at 10 Hz or more. Once it returns true the measurement is cancelled (kCutOff); it must
  // stay true. Null: never cancelled.
  std::function<bool()> end = {};
  // Row of the measurer's table; nullopt for other measurers.
  std::optional<int64_t> row = {};
};

// A warning to the user about a task's measurements, such as that their inputs verify little.
struct TaskWarning {
  Key task;
  std::string text;
};

// Receives warnings for the user, such as why measuring has stopped. May be empty.
using WarningFunction = std::function<void(const std::string& line)>;

// Wall seconds in which measuring a task was paused.
struct MeasuringWait {
  Key task;
  double lock = 0;  // another process of the machine held the measuring lock
  double calm = 0;  // the machine was too busy: the remaining measurements were postponed
};

// Corrections to measurements that were already returned.
struct DeferredResults {
  std::vector<ControlMeasurement> controls;
  // Candidates that were timed while the machine was disturbed, each once. Results of measuring
  // them again replace the earlier ones.
  std::vector<Candidate> suspects;
  std::vector<TaskWarning> warnings;
  // References that are right in every cell. The caller that stores them sets their `when`.
  std::vector<VerifiedReference> verified;
  std::vector<MeasuringWait> waits = {};
};

class Measurer {
 public:
  virtual ~Measurer() = default;

  // True if calls must come from one thread at a time, best with large batches. Otherwise threads
  // may call it concurrently, each for its own candidates; a call takes no longer than a hand-over.
  bool is_shared() const { return is_shared_; }

  // Returns failures of candidates as outcomes. Throws MachineError if nothing can be measured.
  virtual std::vector<Measurement> Measure(std::span<const Candidate> candidates) = 0;

  // Number of candidates measured concurrently; larger batches are not faster.
  virtual int Width() const { return 1; }

  // Announces the next calls of Measure, in their order, so that compilation can start early.
  // Measuring other candidates instead is legal; the work is then wasted.
  virtual void Expect(std::span<const Candidate> candidates) { (void)candidates; }

  // Returns corrections and findings about earlier measurements since the last call.
  virtual DeferredResults TakeDeferredResults() { return {}; }

  // Skips the check of a task's reference: an earlier check with the current code found it right
  // in every cell.
  virtual void NoteVerified(const Key& task) { (void)task; }

  // Waits until background work (such as checking references) has finished, at most `most_seconds`.
  // Returns whether it has.
  virtual bool Finish(double most_seconds) { return most_seconds >= 0; }

 protected:
  explicit Measurer(bool is_shared = true) : is_shared_(is_shared) {}

 private:
  bool is_shared_;
};

}  // namespace schedulegym
