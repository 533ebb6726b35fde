// Verify messages: a candidate is taken through the gates that come before timing, and no further.
#pragma once

#include <string>
#include <tuple>

#include "backends/object_code.h"

namespace schedulegym {

struct VerifyRequest {
  static constexpr const char* kName = "verify request";
  std::string task;  // key
  ObjectCode code;

  static constexpr auto Fields() { return std::tuple(&VerifyRequest::task, &VerifyRequest::code); }
};

struct VerifyReply {
  static constexpr const char* kName = "verify reply";
  std::string outcome;  // ok: all gates passed
  std::string message;
  std::string stderr_tail;
  double seconds = 0;

  static constexpr auto Fields() {
    using T = VerifyReply;
    return std::tuple(&T::outcome, &T::message, &T::stderr_tail, &T::seconds);
  }
};

}  // namespace schedulegym
