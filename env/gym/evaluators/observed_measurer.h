// ObservedMeasurer: another measurer, called in turns, with an observer of its results.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "env/base/clock.h"
#include "env/measure/forwarding_measurer.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

// Stands beside a measurer.
class MeasuredObserver {
 public:
  virtual ~MeasuredObserver() = default;
  // Called before each turn, and after the last one; an exception ends the measurement.
  virtual void OnTurn() {}
  // Called with the results of a turn, in order.
  virtual void OnMeasured(std::span<const Candidate> candidates,
                          std::span<const Measurement> measurements) {
    (void)candidates, (void)measurements;
  }
  // Called with new control measurements, at least one.
  virtual void OnControls(std::span<const ControlMeasurement> controls) { (void)controls; }
};

// Asks another measurer, which is shared, in turns: all candidates are announced at once, and each
// turn measures as many as it works on. Its late results go to the observer. For environments: a
// search takes turns, and late results, by itself.
class ObservedMeasurer : public ForwardingMeasurer {
 public:
  ObservedMeasurer(std::unique_ptr<Measurer> measurer, std::shared_ptr<MeasuredObserver> observer)
      : ForwardingMeasurer(std::move(measurer)), observer_(std::move(observer)) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;

 private:
  std::vector<Measurement> MeasureTurn(std::span<const Candidate> candidates);

  std::shared_ptr<MeasuredObserver> observer_;
};

// The source of records.
struct RecordedAs {
  std::string agent = "gym";
  std::string space;  // spec
  uint64_t seed = 0;
  std::string host;
};

// A schedule that the measurer knew already makes no other record.
class MeasurementRecorder : public MeasuredObserver {
 public:
  // Times are seconds since 1970; the calendar outlives it.
  MeasurementRecorder(std::shared_ptr<RecordStore> store, RecordedAs as, const Clock& calendar)
      : store_(std::move(store)), as_(std::move(as)), calendar_(calendar) {}

  void OnTurn() override { started_ = calendar_.Now(); }
  // Returns once all are durable; throws as the store does.
  void OnMeasured(std::span<const Candidate> candidates,
                  std::span<const Measurement> measurements) override;
  void OnControls(std::span<const ControlMeasurement> controls) override;

 private:
  bool IsNew(const Measurement& measurement);
  Record RecordOf(const ScheduleState& state, const Measurement& measurement);

  // What is told of one task.
  struct TaskCount {
    std::shared_ptr<const TaskInfo> info;
    int64_t records = 0;
  };

  std::shared_ptr<RecordStore> store_;
  RecordedAs as_;
  const Clock& calendar_;
  double started_ = 0;
  std::map<Key, TaskCount> tasks_;
  std::set<int64_t> seen_;  // by sequence, of the measurer's session
};

}  // namespace schedulegym
