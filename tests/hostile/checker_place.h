// CheckerPlace: a checker with one prepared task; candidates are sent to it as ready objects, like
// compiled ones.
#pragma once

#include <cstdint>
#include <string>

#include "backends/runner/checker_connection.h"
#include "backends/runner/wire/messages.h"
#include "env/ipc/event_loop.h"
#include "env/measure/measurement.h"

namespace schedulegym {

// The worker program of this build.
std::string WorkerProgram();

// The computation of all candidates under candidates/.
constexpr const char* kHostileDag = "input A[61]\ninput B[61]\nC[i:61] = A[i] + B[i] * 2.0\n";

// Seed of the inputs.
constexpr uint64_t kWorkerPoolSeed = 7;
// No candidate is the best: a few rounds are enough, for any noise.
constexpr double kUnreachedRatio = 1e6;

// Short limits, so that hanging candidates end soon.
CandidateLimits ShortLimits();
// The same, but long enough on any machine for candidates that end by themselves.
CandidateLimits PatientLimits();

// The object of tests/hostile/candidates/NAME.c.
std::string CandidateObject(const std::string& name);
// Names of all candidates, sorted.
std::vector<std::string> CandidateNames();

class CheckerPlace {
 public:
  // `reference`: an object to time candidates beside, "" for the naive program.
  explicit CheckerPlace(int threads, const CandidateLimits& limits = ShortLimits(),
                        const std::string& reference = "");

  // Makes one attempt. Returns kInfra, and counts it, if the checker ends instead of answering.
  Measurement Measure(const std::string& object, bool is_packed = false,
                      double best_ratio = kUnreachedRatio);
  // Repeats a few times until the measurement is not disturbed.
  Measurement MeasureCalmly(const std::string& object, bool is_packed = false,
                            double best_ratio = kUnreachedRatio);
  // Makes one attempt, with a kernel on all cores; calls `timing` before it answers each notice.
  Measurement MeasureParallel(const std::string& object, const TimingFunction& timing);

  // The error for a reference that the checker prepares beside its own; "" if it accepts it.
  std::string RefusalOf(const std::string& reference);

  int deaths() const { return deaths_; }

 private:
  // Repeats until the reference passes: on a busy machine it may be late, or look noisy.
  void Prepare();
  Measurement Measure(const MeasureRequest& request, const TimingFunction& timing);
  CheckerAnswer Ask(
      MessageType type, const std::string& payload,
      const TimingFunction& timing = [](const TimingNotice&) {});

  EventLoop loop_;
  CheckerConnection checker_;
  PrepareRequest prepare_;
  int deaths_ = 0;
};

}  // namespace schedulegym
