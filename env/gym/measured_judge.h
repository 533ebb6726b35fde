// MeasuredJudge: judges schedules by measuring them beside their task's reference.
#pragma once

#include <functional>

#include "env/gym/judge.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Is told of every measurement that was made, in order.
using MeasuredObserver = std::function<void(const ScheduleState& state, const Measurement& result)>;

class MeasuredJudge : public Judge {
 public:
  // The measurer outlives the judge.
  MeasuredJudge(Measurer& measurer, MeasuredObserver observer)
      : measurer_(measurer), observer_(std::move(observer)) {}

  std::string Name() const override { return "measured"; }
  // A candidate that crashes, hangs or miscomputes is a failed judgement.
  std::vector<Judgement> Ask(std::span<const Walk* const> places) override;
  bool is_shared() const override { return true; }

 private:
  Measurer& measurer_;
  MeasuredObserver observer_;
};

}  // namespace schedulegym
