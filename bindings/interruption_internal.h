// Interruption: what Python raised while a search ran, which ends it in order.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <optional>

namespace schedulegym {

// All of it with the interpreter's lock held, but for `flag`.
class Interruption {
 public:
  // What a tuner looks at between candidates.
  const std::atomic<bool>* flag() const { return &raised_; }

  // Lets Python's signal handlers run; what they raise is kept, and the search stops.
  void CheckSignals();

  // Keeps Ctrl-C that came while Python's code ran, and says so; other exceptions are the caller's.
  bool Keep(pybind11::error_already_set& exception);

  // Whether the search was stopped by Ctrl-C. Throws what else a signal handler raised.
  bool WasKeyboard() const;

  // Throws what a signal handler raised, if one did, and forgets it.
  void Raise();

 private:
  std::atomic<bool> raised_{false};
  std::optional<pybind11::error_already_set> exception_;
};

}  // namespace schedulegym
