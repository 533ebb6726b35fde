// CandidateProcess: the life of a process that runs one candidate and nothing else.
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
  // Linked before the fork, so that no child need do it; null where that failed.
  std::shared_ptr<const Kernel> reference;
};

// A candidate, once it is known, with the sockets of its line and of its stamps in place; nothing
// when none will come.
using CandidateSource = std::function<std::optional<ObjectCode>()>;

// Touches its memory and starts threads; then asks for its candidate, links it, gives up its rights
// and does what the line says until it is told to quit. To be called in a process just forked.
[[noreturn]] void RunCandidateProcess(const CandidateContext& surroundings,
                                      const CandidateSource& next);

}  // namespace schedulegym
