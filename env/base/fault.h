// The two exceptions that factories may throw at start-up; main turns them into exit codes.
#pragma once

#include <stdexcept>
#include <string>

namespace schedulegym {

// An exception whose text may quote bytes of users and of files. what() returns the text after
// `Shown` (utf8.h): it is valid UTF-8 and contains no NUL that would truncate it.
class ShownError : public std::runtime_error {
 public:
  explicit ShownError(const std::string& message);
};

// The user's input names something that does not exist or cannot be read: exit code 2.
class InputError : public ShownError {
 public:
  using ShownError::ShownError;
};

// The machine lacks a package, a device or a permission: exit code 3.
class MachineError : public ShownError {
 public:
  using ShownError::ShownError;
};

}  // namespace schedulegym
