// ForwardingMeasurer: hands every question on to another measurer.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "env/measure/measurer.h"

namespace schedulegym {

// What derives from it overrides the questions that it answers in another way.
class ForwardingMeasurer : public Measurer {
 public:
  explicit ForwardingMeasurer(std::unique_ptr<Measurer> measurer)
      : Measurer(measurer->is_shared()), measurer_(std::move(measurer)) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    return measurer_->Measure(candidates);
  }
  int Width() const override { return measurer_->Width(); }
  void Expect(std::span<const Candidate> candidates) override { measurer_->Expect(candidates); }
  DeferredResults TakeDeferredResults() override { return measurer_->TakeDeferredResults(); }
  void NoteVerified(const Key& task) override { measurer_->NoteVerified(task); }
  bool Finish(double most_seconds) override { return measurer_->Finish(most_seconds); }

 protected:
  Measurer& measurer() { return *measurer_; }

 private:
  std::unique_ptr<Measurer> measurer_;
};

}  // namespace schedulegym
