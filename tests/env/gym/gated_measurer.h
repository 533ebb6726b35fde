// GatedMeasurer: returns StepsMeasurer's results after the test has opened its gate.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include "tests/env/gym/small_parts.h"

namespace schedulegym {

class GatedMeasurer : public Measurer {
 public:
  explicit GatedMeasurer(int width) : width_(width) {}

  int Width() const override { return width_; }
  void Expect(std::span<const Candidate> candidates) override {
    const std::lock_guard lock(mutex_);
    expected_.push_back(static_cast<int>(candidates.size()));
  }
  // Throws if the gate is broken.
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    std::unique_lock lock(mutex_);
    asked_.push_back(static_cast<int>(candidates.size()));
    changed_.notify_all();
    changed_.wait(lock, [&] { return passes_ > 0 || breaks_; });
    if (passes_ == 0) {
      breaks_ = false;
      throw std::runtime_error("the gate is broken");
    }
    --passes_;
    return steps_.Measure(candidates);
  }

  // Lets `passes` calls of Measure pass.
  void Open(int passes) {
    {
      const std::lock_guard lock(mutex_);
      passes_ += passes;
    }
    changed_.notify_all();
  }
  // The next call of Measure that may not pass throws instead of waiting.
  void Break() {
    {
      const std::lock_guard lock(mutex_);
      breaks_ = true;
    }
    changed_.notify_all();
  }
  // Returns once Measure was called `count` times.
  void AwaitQuestions(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return asked_.size() >= count; });
  }
  // Number of candidates in each call of Measure and of Expect.
  std::vector<int> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  std::vector<int> expected() const {
    const std::lock_guard lock(mutex_);
    return expected_;
  }

 private:
  int width_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int passes_ = 0;
  bool breaks_ = false;
  std::vector<int> asked_, expected_;
  StepsMeasurer steps_;
};

}  // namespace schedulegym
