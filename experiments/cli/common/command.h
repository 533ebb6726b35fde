// Command: one word of the command line: its options, and what it does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/cli/common/session.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace schedulegym {

class Command {
 public:
  virtual ~Command() = default;

  virtual std::string name() const = 0;
  virtual std::string help() const = 0;
  // Its own options; the common ones are there already. Called once, before Run.
  virtual void Declare(CLI::App& app) = 0;
  // The exit code: 0, 1 for a failed check, or an interrupt's. Faults are thrown.
  virtual int Run(Session& session) = 0;
};

}  // namespace schedulegym
