// CandidateProcess: runs one candidate, and nothing else, in a process.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backends/backend.h"
#include "backends/object_code.h"
#include "backends/runner/sandbox/sandbox.h"
#include "backends/runner/sandbox/task_memory.h"

namespace schedulegym {

struct CandidateContext {
  const Backend& backend;
  const TaskSetup& setup;
  const TaskMemory& memory;
  const std::string& filter;  // of system calls
  // Linked before the fork to spare each child the work; null if linking failed.
  std::shared_ptr<const Kernel> reference;
};

// Returns a candidate once it is known, with the sockets of its line and of its stamps in place;
// nullopt if none will come.
using CandidateSource = std::function<std::optional<ObjectCode>()>;

// Touches its memory and starts threads; then gets its candidate, links it, drops its rights and
// executes the line's orders until kQuit. Call it in a process just forked.
[[noreturn]] void RunCandidateProcess(const CandidateContext& surroundings,
                                      const CandidateSource& next);

}  // namespace schedulegym
