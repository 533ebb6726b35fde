// MeasurementRecorder: appends what environments measured to a record store, as searches do.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "env/base/clock.h"
#include "env/gym/evaluators/measured_judge.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

// What records say of where they come from.
struct RecordedAs {
  std::string agent = "gym";
  std::string space;  // spec
  uint64_t seed = 0;
  std::string host;
};

// A schedule that the measurer knew already makes no other record.
class MeasurementRecorder : public MeasuredObserver {
 public:
  // Seconds since 1970; the calendar outlives it.
  MeasurementRecorder(std::shared_ptr<RecordStore> store, RecordedAs as, const Clock& calendar)
      : store_(std::move(store)), as_(std::move(as)), calendar_(calendar) {}

  void OnTurn() override { started_ = calendar_.Now(); }
  // Returns once all are durable; throws as the store does.
  void OnMeasured(std::span<const Candidate> candidates,
                  std::span<const Measurement> measurements) override;
  void OnSentinels(std::span<const Sentinel> sentinels) override;

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
