// SG_CHECK: a broken invariant is a bug in this project and throws.
#pragma once

#include <stdexcept>
#include <string>

namespace schedulegym {

// Throws std::logic_error naming the condition, its place and `message`.
[[noreturn]] void FailCheck(const char* condition, const char* file, int line,
                            const std::string& message);

}  // namespace schedulegym

// Enabled in every build. The message is evaluated only on failure.
#define SG_CHECK(condition, message)                                       \
  do {                                                                     \
    if (!(condition)) [[unlikely]]                                         \
      ::schedulegym::FailCheck(#condition, __FILE__, __LINE__, (message)); \
  } while (false)
