// The two exceptions that factories may throw at start-up; main turns them into exit codes.
#pragma once

#include <stdexcept>
#include <string>

namespace schedulegym {

// An exception whose text may quote bytes of users and of files: what() is what `Shown` of utf8.h
// makes of it, so that it is never cut at a NUL and always UTF-8.
class ShownError : public std::runtime_error {
 public:
  explicit ShownError(const std::string& message);
};

// The user asked for something that does not exist or cannot be read: exit code 2.
class InputError : public ShownError {
 public:
  using ShownError::ShownError;
};

// The machine lacks a package, a device or a right: exit code 3.
class MachineError : public ShownError {
 public:
  using ShownError::ShownError;
};

}  // namespace schedulegym
