// Reference messages: a task's reference is checked whole, apart from its candidates. Asked by a
// PrepareRequest, whose protocol, limits and probe do not matter.
#pragma once

#include <string>
#include <tuple>

namespace schedulegym {

struct ReferenceReply {
  static constexpr const char* kName = "reference reply";
  std::string fault;      // "": right in every cell
  std::string toolchain;  // that made the code
  double seconds = 0;     // of this process's processor

  static constexpr auto Fields() {
    using T = ReferenceReply;
    return std::tuple(&T::fault, &T::toolchain, &T::seconds);
  }
};

}  // namespace schedulegym
