// GatedEvaluator: answers as StepsEvaluator does, after the test has opened its gate.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include "tests/env/gym/small_parts.h"

namespace schedulegym {

class GatedEvaluator : public Evaluator {
 public:
  explicit GatedEvaluator(int width) : width_(width) {}

  std::string Name() const override { return "gated"; }
  bool is_shared() const override { return true; }
  int Width() override { return width_; }
  void Expect(std::span<const EpisodeState* const> places) override {
    const std::lock_guard lock(mutex_);
    expected_.push_back(static_cast<int>(places.size()));
  }
  // Throws where the gate was broken.
  std::vector<EvaluationResult> Ask(std::span<const EpisodeState* const> places) override {
    std::unique_lock lock(mutex_);
    asked_.push_back(static_cast<int>(places.size()));
    changed_.notify_all();
    changed_.wait(lock, [&] { return passes_ > 0 || breaks_; });
    if (passes_ == 0) {
      breaks_ = false;
      throw std::runtime_error("the gate is broken");
    }
    --passes_;
    return steps_.Ask(places);
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
  StepsEvaluator steps_;
};

}  // namespace schedulegym
