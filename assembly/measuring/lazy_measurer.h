// LazyMeasurer: a measurer that is made when first asked, and again by a process that was forked.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "assembly/measuring/per_process.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Making one costs nothing: no worker is started. The parent's workers stay the parent's.
class LazyMeasurer : public Measurer {
 public:
  explicit LazyMeasurer(std::function<std::unique_ptr<Measurer>()> make)
      : measurer_(std::move(make)) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    return measurer_.With([&](auto& measurer) { return measurer->Measure(candidates); });
  }
  int Width() const override {
    return measurer_.With([](auto& measurer) { return measurer->Width(); });
  }
  void Expect(std::span<const Candidate> candidates) override {
    measurer_.With([&](auto& measurer) { measurer->Expect(candidates); });
  }
  Afterthoughts TakeAfterthoughts() override {
    return measurer_.With([](auto& measurer) { return measurer->TakeAfterthoughts(); });
  }
  void NoteVerified(const Key& task) override {
    measurer_.With([&](auto& measurer) { measurer->NoteVerified(task); });
  }
  bool Finish(double most_seconds) override {
    return measurer_.With([&](auto& measurer) { return measurer->Finish(most_seconds); });
  }

  // Ends its workers; to be asked again starts others.
  void Rest() { measurer_.Drop(); }

 private:
  mutable PerProcess<std::unique_ptr<Measurer>> measurer_;
};

}  // namespace schedulegym
