#include "experiments/cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

namespace schedulegym {
namespace {

// A handler has no argument to carry these: the one state of the program that is global.
std::atomic<bool> listening{false};
std::atomic<bool> interrupted{false};
std::atomic<int> last_signal{0};

void Handle(int signal) {
  if (!listening || interrupted) _exit(128 + signal);
  last_signal = signal;
  interrupted = true;
}

}  // namespace

void InstallSignalHandlers() {
  struct sigaction action = {};
  action.sa_handler = Handle;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A file that may not grow is a fault of the store's place, reported as one.
  signal(SIGXFSZ, SIG_IGN);
}

InterruptScope::InterruptScope() {
  interrupted = false;
  last_signal = 0;
  listening = true;
}

InterruptScope::~InterruptScope() { listening = false; }

const std::atomic<bool>* InterruptScope::flag() const { return &interrupted; }

std::optional<int> InterruptScope::exit_code() const {
  if (!interrupted) return std::nullopt;
  return 128 + last_signal;
}

}  // namespace schedulegym
