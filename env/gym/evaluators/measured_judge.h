// MeasuredJudge: judges schedules by measuring them beside their task's reference.
#pragma once

#include "env/gym/evaluators/judge.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Stands beside the measurer of a judge.
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
  virtual void OnSentinels(std::span<const Sentinel> sentinels) { (void)sentinels; }
};

class MeasuredJudge : public Judge {
 public:
  // Both outlive the judge.
  MeasuredJudge(Measurer& measurer, MeasuredObserver& observer)
      : measurer_(measurer), observer_(observer) {}

  std::string Name() const override { return "measured"; }
  // All are expected at once and measured as many at a time as the measurer works on. A candidate
  // that crashes, hangs or miscomputes is a failed judgement.
  std::vector<Judgement> Ask(std::span<const Walk* const> places) override;
  bool is_shared() const override { return true; }
  int Width() override;
  void Expect(std::span<const Walk* const> places) override;

 private:
  std::vector<Measurement> MeasureAll(const std::vector<Candidate>& candidates);

  Measurer& measurer_;
  MeasuredObserver& observer_;
};

}  // namespace schedulegym
