// CheckerPlace: a checker that has prepared one task, and candidates sent to it as ready objects,
// the way that compiled ones go.
#pragma once

#include <cstdint>
#include <string>

#include "backends/runner/checker_connection.h"
#include "backends/runner/wire/messages.h"
#include "env/ipc/event_loop.h"
#include "env/measure/measurement.h"

namespace schedulegym {

// The build's own.
std::string WorkerProgram();

// The computation of all candidates under candidates/.
constexpr const char* kHostileDag = "input A[61]\ninput B[61]\nC[i:61] = A[i] + B[i] * 2.0\n";

// Of the inputs.
constexpr uint64_t kWorkerPoolSeed = 7;
// Nothing here is the best: a few rounds are enough, however noisy.
constexpr double kUnreachedRatio = 1e6;

// Short ones, so that what hangs does not hang for long.
CandidateLimits ShortLimits();
// The same, but with time enough on any machine for what ends by itself.
CandidateLimits PatientLimits();

// The object of tests/hostile/candidates/NAME.c.
std::string CandidateObject(const std::string& name);
// Its names, sorted.
std::vector<std::string> CandidateNames();

class CheckerPlace {
 public:
  // `reference`: an object to time candidates beside, "" for the naive program.
  explicit CheckerPlace(int threads, const CandidateLimits& limits = ShortLimits(),
                        const std::string& reference = "");

  // One attempt. kInfra when the checker ends instead of answering, which is counted.
  Measurement Measure(const std::string& object, bool is_packed = false,
                      double best_ratio = kUnreachedRatio);
  // Until it is not disturbed, a few times at most.
  Measurement MeasureCalmly(const std::string& object, bool is_packed = false,
                            double best_ratio = kUnreachedRatio);
  // One attempt, as a kernel that uses all cores; `timing` hears each notice before it is answered.
  Measurement MeasureParallel(const std::string& object, const TimingFunction& timing);

  // Of a reference that the checker is asked to prepare beside its own; "" if it takes it.
  std::string RefusalOf(const std::string& reference);

  int deaths() const { return deaths_; }

 private:
  // Until the reference passes: on a busy machine it may be late, or look noisy.
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
