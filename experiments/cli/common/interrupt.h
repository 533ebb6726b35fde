// Interrupt: how SIGINT and SIGTERM reach a command, so that it may end in order.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "env/measure/forwarding_measurer.h"

namespace schedulegym {

// From now on the two signals end the program with 130 or 143 at once, unless an InterruptScope
// listens. A write beyond the limit on the size of files fails and does not end it.
void InstallSignalHandlers();

// How long work may take between two looks at `flag()`. What an agent thinks may train a model;
// what is measured is cut off.
inline constexpr int kThinkingSeconds = 10;
inline constexpr int kSavingSeconds = 10;
inline constexpr int kMeasuringSeconds = 5;

// While one exists, and somebody has promised to look at `flag()`, the first signal only sets it.
// Where the promise is not kept the program ends all the same; a second signal ends it at once.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  // From now on, or from the signal on if that comes later, `flag()` is looked at, or promised to
  // be looked at anew, within so many seconds. Each promise takes the place of the last one.
  void Promise(int seconds) const;

  const std::atomic<bool>* flag() const;
  // 130 or 143 once a signal has come.
  std::optional<int> exit_code() const;
};

// Promises for what it measures, which is cut off (Candidate::end) once a signal has come, and then
// for what is thought about the result until the next one.
class InterruptibleMeasurer : public ForwardingMeasurer {
 public:
  InterruptibleMeasurer(std::unique_ptr<Measurer> measurer, const InterruptScope& interrupt)
      : ForwardingMeasurer(std::move(measurer)), interrupt_(interrupt) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;
  DeferredResults TakeDeferredResults() override;
  bool Finish(double most_seconds) override;

 private:
  const InterruptScope& interrupt_;
};

}  // namespace schedulegym
