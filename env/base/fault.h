// The two exceptions that factories may throw at start-up; main turns them into exit codes.
#pragma once

#include <stdexcept>
#include <string>

namespace schedulegym {

// The user asked for something that does not exist or cannot be read: exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The machine lacks a package, a device or a right: exit code 3.
class MachineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace schedulegym
