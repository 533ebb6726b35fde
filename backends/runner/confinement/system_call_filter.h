// SystemCallFilter: the system calls that a process may still make.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace schedulegym {

// Effect of any other call on the process.
enum class Otherwise : uint8_t {
  kEnd,   // SIGSYS
  kFail,  // the call fails with EPERM
};

// Condition: the argument under `mask` equals `value`.
struct ArgumentRule {
  unsigned argument = 0;
  uint64_t mask = ~uint64_t{0};
  uint64_t value = 0;
};

// Its functions throw MachineError if the system refuses.
class SystemCallFilter {
 public:
  explicit SystemCallFilter(Otherwise otherwise);
  ~SystemCallFilter();
  SystemCallFilter(const SystemCallFilter&) = delete;
  SystemCallFilter& operator=(const SystemCallFilter&) = delete;

  void Allow(int call);
  // Allows the call where all rules hold. After several calls for one system call, any is enough.
  void AllowWhere(int call, std::span<const ArgumentRule> rules);
  void AllowWhere(int call, const ArgumentRule& rule) { AllowWhere(call, {&rule, 1}); }
  // The call fails as an unknown system call does.
  void Deny(int call);

  // The program for the kernel. Make it once: compiling takes longer than installing.
  std::string Export();

 private:
  void* context_;
};

// Installs a filter for this process and all its threads, permanently, with no new privileges.
// Returns false, with errno set, if the system refuses.
bool InstallSystemCallFilter(const std::string& program);

}  // namespace schedulegym
