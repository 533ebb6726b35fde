// Search: a tuner run with its parts made from the command line's options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agents/tuner.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/session.h"
#include "experiments/cli/tasks.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace schedulegym {

// As typed.
struct SearchOptions {
  std::string agent = "random";
  std::string space = "tiles";
  std::string scheduler = "round_robin";
  std::optional<std::string> refine;
  std::string protocol = "cpu1";
  std::optional<std::string> trials;  // none: 1000, or what the command says
  std::optional<std::string> seconds;

  void Declare(CLI::App& app);
  int64_t Trials(int64_t default_value, int64_t low) const;
};

// Reports `start`, `trial` and `done`, with progress on stderr. All options are read, and throw
// InputError, before the store is made.
std::vector<DoneEvent> Search(Session& session, const SearchOptions& options, const TaskList& list,
                              const InterruptScope& interrupt);

}  // namespace schedulegym
