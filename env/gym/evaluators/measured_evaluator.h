// MeasuredEvaluator: judges schedules by measuring them beside their task's reference.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "env/base/clock.h"
#include "env/gym/evaluators/evaluator.h"
#include "env/measure/measurer.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

// Stands beside the measurer of an evaluator.
class MeasuredObserver {
 public:
  virtual ~MeasuredObserver() = default;
  // Before the measurer works on some candidates, and after the last of all; what it throws ends
  // the asking in order.
  virtual void OnTurn() {}
  // What was measured together, in order.
  virtual void OnMeasured(std::span<const Candidate> candidates,
                          std::span<const Measurement> measurements) {
    (void)candidates, (void)measurements;
  }
  // What the measurer has found out about earlier measurements; never of nothing.
  virtual void OnControls(std::span<const ControlMeasurement> controls) { (void)controls; }
};

class MeasuredEvaluator : public Evaluator {
 public:
  // Both outlive the evaluator.
  MeasuredEvaluator(Measurer& measurer, MeasuredObserver& observer)
      : measurer_(measurer), observer_(observer) {}

  std::string Name() const override { return "measured"; }
  // All are expected at once and measured as many at a time as the measurer works on. A candidate
  // that crashes, hangs or miscomputes is a failed evaluation result.
  std::vector<EvaluationResult> Ask(std::span<const EpisodeState* const> places) override;
  bool is_shared() const override { return true; }
  int Width() override;
  void Expect(std::span<const EpisodeState* const> places) override;

 private:
  std::vector<Measurement> MeasureAll(const std::vector<Candidate>& candidates);

  Measurer& measurer_;
  MeasuredObserver& observer_;
};

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
