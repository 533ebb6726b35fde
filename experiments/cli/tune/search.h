// Search: a tuner run with its parts made from the command line's options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agents/tuner/tuner.h"
#include "env/program/workloads/task_list.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/session.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace schedulegym {

// What the options of a search stand for.
enum class SearchScope : uint8_t {
  kAllTasks,  // trials and seconds are of all tasks, which a scheduler shares them out among
  kEachTask,  // they are of each task; there is nothing to schedule
};

// As typed.
struct SearchOptions {
  std::string agent = "ansor";
  std::optional<std::string> space;  // none: schedulegym, or what the measurer records
  std::string scheduler = "round_robin";
  std::optional<std::string> refine;
  std::string protocol = "cpu1";
  std::string measure = "host";
  std::string
      save_model;  // where the agents' cost model is left, "" for nowhere; `tune` declares it
  std::string curves_out;             // where curves are left, "" for nowhere; `tune` declares it
  std::string picture;                // the same of a picture of the search
  std::optional<std::string> trials;  // none: 1000, or what the command says
  std::optional<std::string> seconds;
  std::optional<std::string> finalists;  // none: 5 of a search that has trials enough
  std::vector<std::string> plugins;      // shared libraries whose agents may be named
  bool is_verbose = false;               // shows all traces; `tune` declares it
  std::string preface;  // a line that is noted once nothing is refused, "" for none

  void Declare(CLI::App& app, SearchScope scope = SearchScope::kAllTasks);
  int64_t Trials(int64_t default_value, int64_t low) const;
  int Finalists(int64_t trials) const;  // of a search of so many trials
};

// The tasks of these words; without any, the one that the measurer knows. Throws InputError.
TaskList TasksOf(const Session& session, const SearchOptions& options,
                 const std::vector<std::string>& words);

// Throws InputError where Search would, before anything is made or measured.
void CheckSearch(const Session& session, const SearchOptions& options, const TaskList& list);

// Reports `start`, `trial` and `done`, with progress on stderr, and what ReportEnd does. All
// options are read, and throw InputError, before the store is made.
std::vector<DoneEvent> Search(Session& session, const SearchOptions& options, const TaskList& list,
                              const InterruptScope& interrupt);

}  // namespace schedulegym
