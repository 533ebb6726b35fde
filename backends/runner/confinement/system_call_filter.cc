#include "backends/runner/confinement/system_call_filter.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

void Check(int failed) {
  if (failed == 0) return;
  throw MachineError(std::string("cannot make a filter of system calls: ") +
                     std::strerror(-failed));
}

}  // namespace

// Calls by the numbers of another architecture end the process, not one thread of it.
SystemCallFilter::SystemCallFilter(Otherwise otherwise)
    : context_(seccomp_init(otherwise == Otherwise::kEnd ? SCMP_ACT_TRAP : SCMP_ACT_ERRNO(EPERM))) {
  if (context_ == nullptr) throw MachineError("cannot make a filter of system calls");
  Check(seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
}

SystemCallFilter::~SystemCallFilter() { seccomp_release(context_); }

void SystemCallFilter::Allow(int call) {
  Check(seccomp_rule_add(context_, SCMP_ACT_ALLOW, call, 0));
}

void SystemCallFilter::AllowWhere(int call, std::span<const ArgumentRule> rules) {
  std::vector<scmp_arg_cmp> all;
  for (const ArgumentRule& rule : rules) {
    all.push_back({rule.argument, SCMP_CMP_MASKED_EQ, rule.mask, rule.value});
  }
  Check(seccomp_rule_add_array(context_, SCMP_ACT_ALLOW, call, static_cast<unsigned>(all.size()),
                               all.data()));
}

void SystemCallFilter::Deny(int call) {
  Check(seccomp_rule_add(context_, SCMP_ACT_ERRNO(ENOSYS), call, 0));
}

std::string SystemCallFilter::Export() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  if (!file) throw MachineError("no temporary file for a filter of system calls");
  Check(seccomp_export_bpf(context_, fileno(file.get())));
  std::string program(static_cast<size_t>(lseek(fileno(file.get()), 0, SEEK_END)), '\0');
  if (pread(fileno(file.get()), program.data(), program.size(), 0) !=
      static_cast<ssize_t>(program.size())) {
    throw MachineError("cannot read a filter of system calls");
  }
  return program;
}

bool InstallSystemCallFilter(const std::string& program) {
  std::vector<sock_filter> rules(program.size() / sizeof(sock_filter));
  std::memcpy(rules.data(), program.data(), rules.size() * sizeof(sock_filter));
  const sock_fprog whole = {static_cast<unsigned short>(rules.size()), rules.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &whole) == 0;
}

}  // namespace schedulegym
