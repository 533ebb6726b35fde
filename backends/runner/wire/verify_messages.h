// Messages beside measuring: verification of one candidate, checks of references, notices of
// timing.
#pragma once

#include <string>
#include <tuple>

#include "backends/object_code.h"

namespace schedulegym {

// Verify messages: run a candidate through the checks that come before timing, and no further.
struct VerifyRequest {
  static constexpr const char* kName = "verify request";
  std::string task;  // key
  ObjectCode code;

  static constexpr auto Fields() { return std::tuple(&VerifyRequest::task, &VerifyRequest::code); }
};

struct VerifyReply {
  static constexpr const char* kName = "verify reply";
  std::string outcome;  // ok: all checks passed
  std::string message;
  std::string stderr_tail;
  double seconds = 0;

  static constexpr auto Fields() {
    using T = VerifyReply;
    return std::tuple(&T::outcome, &T::message, &T::stderr_tail, &T::seconds);
  }
};

// Reference messages: check all of a task's reference, apart from its candidates. The request is a
// PrepareRequest, whose protocol, limits and probe do not matter.
struct ReferenceReply {
  static constexpr const char* kName = "reference reply";
  std::string fault;      // "" if all cells are right
  std::string toolchain;  // that made the code
  double seconds = 0;     // of this process's processor

  static constexpr auto Fields() {
    using T = ReferenceReply;
    return std::tuple(&T::fault, &T::toolchain, &T::seconds);
  }
};

// Processes to suspend from now on; the checker waits for the reply.
struct TimingNotice {
  static constexpr const char* kName = "timing notice";
  bool compilers = false;  // while a kernel has all cores
  // While the kernel is timed. Only the holder of the measuring lock requests it. The checker of
  // references tests the lock by taking it: suspended at that moment it would keep the lock.
  bool references = false;
  double lock_seconds = 0;  // wait for the measuring lock since the last notice
  bool waits = false;       // for the lock, from now on; all else is unchanged
  static constexpr auto Fields() {
    using T = TimingNotice;
    return std::tuple(&T::compilers, &T::references, &T::lock_seconds, &T::waits);
  }
};

}  // namespace schedulegym
