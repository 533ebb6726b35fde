// ChosenState: the schedule that replay, show and export work on.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "env/measure/record.h"
#include "env/schedule/state.h"
#include "experiments/cli/common/json.h"
#include "experiments/cli/common/session.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace schedulegym {

// The options --trace and --record.
struct StateChoice {
  std::optional<std::string> trace;   // a file, "-" for stdin
  std::optional<std::string> record;  // an id

  void Declare(CLI::App& app);
};

struct ChosenState {
  ScheduleState state;
  std::optional<Record> record;  // where it came from, if from the store
  // "trace", "record", "search": the store's best, "estimate": its best by a formula, "reference".
  std::string source;
  // Why the latest search ended whose best it was, where one was and it is from the store.
  std::optional<std::string> stopped = {};
};

// For items that are reported: where the schedule came from, and of which search.
JsonObject SourceFields(const ChosenState& chosen);
// A note for the user, or "": the search was not finished, nothing was measured, or a trace for
// processors makes a kernel of one thread.
std::string ChoiceNote(const ChosenState& chosen);

// The given trace or record, else the store's best; nullopt when nothing is given and the store has
// none. Throws InputError for a trace or record that cannot be read or applied.
std::optional<ChosenState> ChooseState(const std::shared_ptr<const Task>& task,
                                       const StateChoice& choice, const Session& session);
// The same, but of a GPU without a measured schedule the store's best by a formula, and the
// reference schedule where the store's best is slower.
std::optional<ChosenState> ChooseFastest(const std::shared_ptr<const Task>& task,
                                         const StateChoice& choice, const Session& session);
ChosenState ChooseReference(const std::shared_ptr<const Task>& task);

// The error where that is nullopt; `others`: further options of the command, such as ",
// --reference".
std::string NothingChosen(const Task& task, const Session& session, const std::string& others = "");

}  // namespace schedulegym
