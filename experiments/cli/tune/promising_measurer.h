// PromisingMeasurer: a measurer whose work a signal cuts off, in order.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "env/measure/measurer.h"
#include "experiments/cli/common/interrupt.h"

namespace schedulegym {

// Promises for what it measures, which is cut off (Candidate::end) once a signal has come, and then
// for what is thought about the result until the next one.
class PromisingMeasurer : public Measurer {
 public:
  PromisingMeasurer(std::unique_ptr<Measurer> measurer, const InterruptScope& interrupt)
      : measurer_(std::move(measurer)), interrupt_(interrupt) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;
  int Width() const override { return measurer_->Width(); }
  void Expect(std::span<const Candidate> candidates) override { measurer_->Expect(candidates); }
  Afterthoughts TakeAfterthoughts() override;
  void NoteVerified(const Key& task) override { measurer_->NoteVerified(task); }
  bool Finish(double most_seconds) override;

 private:
  std::unique_ptr<Measurer> measurer_;
  const InterruptScope& interrupt_;
};

}  // namespace schedulegym
