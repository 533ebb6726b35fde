// GatedMeasurer: answers as StepsMeasurer does, after the test has opened its gate.
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
  // Throws where the gate was broken.
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

  // So many questions may pass.
  void Open(int passes) {
    {
      const std::lock_guard lock(mutex_);
      passes_ += passes;
    }
    changed_.notify_all();
  }
  // The next question that may not pass fails, instead of waiting.
  void Break() {
    {
      const std::lock_guard lock(mutex_);
      breaks_ = true;
    }
    changed_.notify_all();
  }
  // Returns once so many questions were asked.
  void AwaitQuestions(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return asked_.size() >= count; });
  }
  // How many places each question and each expectation was about.
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
