// SystemCallFilter: the system calls that a process may still make.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace schedulegym {

// What becomes of a process that makes another call.
enum class Otherwise : uint8_t {
  kEnd,   // SIGSYS
  kFail,  // the call fails with EPERM
};

// Of an argument under the mask.
struct ArgumentRule {
  unsigned argument = 0;
  uint64_t mask = ~uint64_t{0};
  uint64_t value = 0;
};

// Throws MachineError where the system refuses.
class SystemCallFilter {
 public:
  explicit SystemCallFilter(Otherwise otherwise);
  ~SystemCallFilter();
  SystemCallFilter(const SystemCallFilter&) = delete;
  SystemCallFilter& operator=(const SystemCallFilter&) = delete;

  void Allow(int call);
  // Where all rules hold; of several for one call any is enough.
  void AllowWhere(int call, std::span<const ArgumentRule> rules);
  void AllowWhere(int call, const ArgumentRule& rule) { AllowWhere(call, {&rule, 1}); }
  // As one does that the system does not know.
  void Deny(int call);

  // The program for the kernel. Made once, for compiling it takes longer than installing it.
  std::string Export();

 private:
  void* context_;
};

// For this process and all its threads, for good, with no new privileges. False, with errno set,
// where the system refuses.
bool InstallSystemCallFilter(const std::string& program);

}  // namespace schedulegym
