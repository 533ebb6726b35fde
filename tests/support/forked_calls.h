// ForkedCalls: numbered calls in a child process that may hang or die.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "env/ipc/descriptor.h"

namespace schedulegym {

class ForkedCalls {
 public:
  using Work = std::function<std::string(int number)>;

  // Each call may take `seconds`. The child starts with the first call, as a copy of this process
  // at that time.
  ForkedCalls(Work work, int seconds) : work_(std::move(work)), seconds_(seconds) {}
  ~ForkedCalls() { End(); }
  ForkedCalls(const ForkedCalls&) = delete;
  ForkedCalls& operator=(const ForkedCalls&) = delete;

  // Returns the work's result, at most 8000 bytes of it; nullopt if the child died, or was killed
  // at the time limit. The next call then starts a new child.
  std::optional<std::string> Call(int number);

 private:
  void Start();
  void End();

  Work work_;
  int seconds_;
  pid_t child_ = -1;
  Descriptor line_;
};

}  // namespace schedulegym
