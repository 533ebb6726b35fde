// Sandbox: what a candidate's process may still do once its code runs: compute, and nothing else.
#pragma once

#include <cstdint>
#include <string>

#include "backends/runner/sandbox/result_page.h"

namespace schedulegym {

struct SandboxLimits {
  int64_t address_bytes = 0;  // beyond what is mapped when they begin
  int64_t cpu_seconds = 0;    // of all threads
};

// The descriptors under which a candidate's process finds its two sockets; it has stderr and no
// others.
constexpr int kLineDescriptor = 3;
constexpr int kStampDescriptor = 4;

// System calls that remain: memory without execution, waiting for one's own threads, the time,
// reading orders, answering, what is written to stderr, the end. Anything else ends the process
// with SIGSYS. Made once, for compiling the filter takes longer than installing it. Throws
// MachineError.
std::string MakeSystemCallFilter();

// "socket", or "system call 1234".
std::string SystemCallName(int number);

// Notes faults in the page before the process dies of them.
void InstallFaultHandlers(ResultPage* page);

// Limits that hold from now on, for good; to be called before anything of the candidate is looked
// at. False, with errno set, where the system refuses.
bool LimitProcess(const SandboxLimits& limits);

// For this process and all its threads, for good: limits, no new privileges, the filter.
// False, with errno set, where the system refuses.
bool EnterSandbox(const SandboxLimits& limits, const std::string& filter);

}  // namespace schedulegym
