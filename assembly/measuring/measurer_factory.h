// MeasurerFactory: what measures the trials of a search and the steps of an environment: this host,
// a table, the analytical model or a saved one.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/base/spec.h"
#include "env/gym/tables/table.h"
#include "env/gym/tables/table_measurer.h"
#include "env/measure/measurer.h"
#include "env/measure/protocol.h"
#include "env/program/targets/target.h"
#include "env/program/task.h"
#include "env/search/search_space.h"

namespace schedulegym {

// What a measurer is made from. The tasks are of one target.
struct MeasurerSetup {
  std::vector<std::shared_ptr<const Task>> tasks;
  Protocol protocol;
  uint64_t seed = 0;  // of inputs and interleaving
  WarningFunction warn = {};
};

// What trials and steps are measured by, as it was asked for.
class MeasurerFactory {
 public:
  virtual ~MeasurerFactory() = default;

  // Whether candidates run; what was not measured never serves as measured.
  virtual bool IsMeasured() const = 0;
  // The one task of which it knows schedules; null where it takes any.
  virtual std::shared_ptr<const Task> OnlyTask() const = 0;
  // Of the schedules that it knows; null where any space will do.
  virtual std::unique_ptr<SearchSpace> OwnSpace() const = 0;
  // What records name as the maker of their machine code, of this target.
  virtual std::string Toolchain(const Target& target) const = 0;
  // Throws MachineError where the target cannot be measured here: before anything is made.
  virtual void Check(const Target& target) const = 0;
  // Throws as Check does.
  virtual std::unique_ptr<Measurer> Make(const MeasurerSetup& setup) const = 0;
};

// `analytical`. Throws InputError for an option.
std::shared_ptr<const MeasurerFactory> MakeAnalyticalPlan(const Spec& spec);

// `model(model=MODEL)`: a cost model in place of the machine, a saved one or one by its spec. Make
// throws InputError for a file that is none, or a model that cannot score a reference.
std::shared_ptr<const MeasurerFactory> MakeModelPlan(const Spec& spec);
// Of the model itself; a name that none has is a file.
std::shared_ptr<const MeasurerFactory> MakePlanOfModel(const Spec& model);

// What an option that names a measurer says; `model(MODEL)` stands for `model(model=MODEL)`. Throws
// InputError as RequireSpec does.
Spec RequireMeasurer(const std::string& option, std::string_view text);

// Threads may ask at once, and wait for one another.
class TableCache {
 public:
  // A file that has changed since is read again. Throws InputError, naming it, for what is no table
  // of ours, or one that does not tell the time of its reference schedule.
  std::shared_ptr<const RecordedStates> Read(const std::string& path);

 private:
  using Version = std::pair<std::time_t, long>;  // when it was last written, to the nanosecond
  struct Known {
    Version version;
    std::shared_ptr<const RecordedStates> states;
  };

  std::mutex mutex_;
  std::map<std::string, Known> known_;
};

// What `table(file=FILE)` says. Throws InputError for a bad option; the file is not read.
struct TableChoice {
  std::string file;
  TableMeasurerOptions options;
};
TableChoice ReadTableChoice(const Spec& spec);

// `table(file=FILE)`, with noise=true measurements drawn anew from raw samples, with settle=cv of
// the rounds that this rule would have taken. Throws InputError for a bad option or file.
std::shared_ptr<const MeasurerFactory> MakeTablePlan(const Spec& spec, TableCache& tables);

// `host`. Throws InputError for an option.
std::shared_ptr<const MeasurerFactory> MakeHostPlan(const Spec& spec);

// The measurer of all searches, replays and environments here: against the reference schedule of
// each task. Throws what host_measurer.h throws where candidates of the target cannot run.
std::unique_ptr<Measurer> MeasurerOfHost(const Target& target, const Protocol& protocol,
                                         uint64_t seed, WarningFunction warn = {});

// One line; none where this build and this machine have what it takes.
std::optional<std::string> MissingForTarget(const Spec& target);

}  // namespace schedulegym
