// Interrupt: how SIGINT and SIGTERM reach a command, so that it may end in order.
#pragma once

#include <atomic>
#include <optional>

namespace schedulegym {

// From now on the two signals end the program with 130 or 143 at once, unless an InterruptScope
// listens. A write beyond the limit on the size of files fails and does not end it.
void InstallSignalHandlers();

// While one exists, the first signal only sets `flag()`; a second one ends the program at once.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  const std::atomic<bool>* flag() const;
  // 130 or 143 once a signal has come.
  std::optional<int> exit_code() const;
};

}  // namespace schedulegym
