#include "experiments/cli/common/interrupt.h"

#include <signal.h>
#include <unistd.h>

namespace schedulegym {
namespace {

// Global state, as a signal handler has no argument.
std::atomic<bool> listening{false};
std::atomic<bool> interrupted{false};
std::atomic<int> last_signal{0};
std::atomic<int> promised_seconds{0};  // none promised

void Handle(int signal) {
  if (!listening || interrupted || promised_seconds == 0) _exit(128 + signal);
  last_signal = signal;
  interrupted = true;
  alarm(promised_seconds);
}

// The signal was not polled in time.
void HandleAlarm(int) { _exit(128 + last_signal); }

void Install(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void InstallSignalHandlers() {
  Install(SIGINT, Handle);
  Install(SIGTERM, Handle);
  Install(SIGALRM, HandleAlarm);
  // A write beyond the file size limit is an error of the store, reported as one.
  signal(SIGXFSZ, SIG_IGN);
}

InterruptScope::InterruptScope() {
  interrupted = false;
  last_signal = 0;
  promised_seconds = 0;
  listening = true;
}

InterruptScope::~InterruptScope() {
  listening = false;
  alarm(0);
}

// A signal in between finds the new promise, or is found here: it counts from one of the two.
void InterruptScope::Promise(int seconds) const {
  promised_seconds = seconds;
  if (interrupted) alarm(seconds);
}

const std::atomic<bool>* InterruptScope::flag() const { return &interrupted; }

std::optional<int> InterruptScope::exit_code() const {
  if (!interrupted) return std::nullopt;
  return 128 + last_signal;
}

std::vector<Measurement> InterruptibleMeasurer::Measure(std::span<const Candidate> candidates) {
  std::vector<Candidate> ending(candidates.begin(), candidates.end());
  for (Candidate& candidate : ending) {
    candidate.end = [flag = interrupt_.flag(), end = std::move(candidate.end)] {
      return *flag || (end && end());
    };
  }
  interrupt_.Promise(kMeasuringSeconds);
  std::vector<Measurement> measurements = measurer().Measure(ending);
  interrupt_.Promise(kThinkingSeconds);
  return measurements;
}

DeferredResults InterruptibleMeasurer::TakeDeferredResults() {
  interrupt_.Promise(kMeasuringSeconds);
  DeferredResults deferred_results = measurer().TakeDeferredResults();
  interrupt_.Promise(kThinkingSeconds);
  return deferred_results;
}

bool InterruptibleMeasurer::Finish(double most_seconds) {
  interrupt_.Promise(kMeasuringSeconds);
  const bool finished = measurer().Finish(most_seconds);
  interrupt_.Promise(kThinkingSeconds);
  return finished;
}

}  // namespace schedulegym
