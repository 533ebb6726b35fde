// Measurer: a batch of candidates in, as many measurements out, in order. Searches, environments
// and environments over networks ask how fast schedules are through this interface alone.
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

// A schedule that is to be measured.
struct Candidate {
  // None where `row` stands for it: no trace makes the kernels of another tuner's table.
  std::optional<ScheduleState> state;
  // Measured to the end even if it is clearly slower than the best so far.
  bool finalist = false;
  // Measured even if the measurer knows what its state gave before.
  bool anew = false;
  // Asked again and again meanwhile, ten times a second or oftener: whether to give it up where it
  // stands, as kCutOff; once it says so it does for ever. Null: never.
  std::function<bool()> end = {};
  // The row of the one table that the measurer answers from; none of other measurers.
  std::optional<int64_t> row = {};
};

// What a user should know of a task's measurements, such as that their inputs say little.
struct TaskWarning {
  Key task;
  std::string text;
};

// Hears a line that a user should know at once, such as why nothing is measured now. May be empty.
using WarningFunction = std::function<void(const std::string& line)>;

// Seconds of the clock in which measuring a task stood still.
struct MeasuringWait {
  Key task;
  double lock = 0;  // another process of the machine held the measuring lock
  double calm = 0;  // the machine was too busy: all that was left was postponed
};

// Second thoughts about measurements that were handed out already.
struct DeferredResults {
  std::vector<ControlMeasurement> controls;
  // Each once: the machine was disturbed while they were timed. Measuring them again gives results
  // that replace those.
  std::vector<Candidate> suspects;
  std::vector<TaskWarning> warnings;
  // References that were found right in every cell. Their `when` is left to who stores them.
  std::vector<VerifiedReference> verified;
  std::vector<MeasuringWait> waits = {};
};

class Measurer {
 public:
  virtual ~Measurer() = default;

  // Whether one thread asks at a time, best about many candidates at once; else threads may ask at
  // once, each about its own, and an answer takes no longer than handing the question over.
  bool is_shared() const { return is_shared_; }

  // A candidate's fault is an answer. Throws MachineError when nothing can be measured at all.
  virtual std::vector<Measurement> Measure(std::span<const Candidate> candidates) = 0;

  // How many candidates it works on at once: a larger batch gains nothing.
  virtual int Width() const { return 1; }

  // What Measure will be asked next, in this order: compiling may begin. Asking for something else
  // then is legal and wastes that work.
  virtual void Expect(std::span<const Candidate> candidates) { (void)candidates; }

  // What it has found out about earlier measurements since the last call.
  virtual DeferredResults TakeDeferredResults() { return {}; }

  // That a task's reference was found right in every cell before, by the code that is made now: it
  // need not be checked again.
  virtual void NoteVerified(const Key& task) { (void)task; }

  // Lets what goes on in the background, such as checking references, come to its end; waits so
  // long at most. False if it has not.
  virtual bool Finish(double most_seconds) { return most_seconds >= 0; }

 protected:
  explicit Measurer(bool is_shared = true) : is_shared_(is_shared) {}

 private:
  bool is_shared_;
};

}  // namespace schedulegym
