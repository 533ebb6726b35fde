// ForkedCalls: numbered pieces of work in a child process, which may hang or die of one.
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

  // Each call may take so many seconds. The child starts with the first one, as a copy of this
  // process at that time.
  ForkedCalls(Work work, int seconds) : work_(std::move(work)), seconds_(seconds) {}
  ~ForkedCalls() { End(); }
  ForkedCalls(const ForkedCalls&) = delete;
  ForkedCalls& operator=(const ForkedCalls&) = delete;

  // What the work returned, at most 8000 bytes of it; none where the child died or was killed
  // because it took too long. The next call then has a new child.
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
