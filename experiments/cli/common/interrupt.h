// Interrupt: passes SIGINT and SIGTERM to a command, so that it can end in order.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "env/measure/forwarding_measurer.h"

namespace schedulegym {

// Installs handlers: the two signals end the program with 130 or 143 at once, unless an
// InterruptScope exists. A write beyond the file size limit fails without ending the program.
void InstallSignalHandlers();

// The maximum seconds of work between two polls of `flag()`. An agent's step may train a model;
// measuring is cut off.
inline constexpr int kThinkingSeconds = 10;
inline constexpr int kSavingSeconds = 10;
inline constexpr int kMeasuringSeconds = 5;

// While one exists and Promise was called, the first signal only sets `flag()`. The program ends
// anyway if the promise is not kept. A second signal ends it at once.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  // Promises to poll `flag()`, or to promise again, within `seconds` from now, or from the signal
  // if that is later. Each call replaces the last promise.
  void Promise(int seconds) const;

  const std::atomic<bool>* flag() const;
  // 130 or 143 after a signal; nullopt before.
  std::optional<int> exit_code() const;
};

// Makes promises for its measurements, which are cut off (Candidate::end) after a signal, and then
// for the agent's work on the results until the next call.
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
