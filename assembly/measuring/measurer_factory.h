// MeasurerFactory: makes the measurer of a search's trials or an environment's steps: this host, a
// table, the analytical model or a saved one.
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

// Arguments of a measurer. All tasks have the same target.
struct MeasurerSetup {
  std::vector<std::shared_ptr<const Task>> tasks;
  Protocol protocol;
  uint64_t seed = 0;  // of inputs and interleaving
  WarningFunction warn = {};
};

// A kind of measurer, as the user chose it.
class MeasurerFactory {
 public:
  virtual ~MeasurerFactory() = default;

  // Whether candidates run. Results of a model or an estimate never count as measured.
  virtual bool IsMeasured() const = 0;
  // The only task whose schedules it has; null if it takes any task.
  virtual std::shared_ptr<const Task> OnlyTask() const = 0;
  // The space of the schedules that it has; null if any space will do.
  virtual std::unique_ptr<SearchSpace> OwnSpace() const = 0;
  // The compiler that records name for machine code of this target.
  virtual std::string Toolchain(const Target& target) const = 0;
  // Throws MachineError if the target cannot be measured here. Makes nothing.
  virtual void Check(const Target& target) const = 0;
  // Throws as Check does.
  virtual std::unique_ptr<Measurer> Make(const MeasurerSetup& setup) const = 0;
};

// `analytical`. Throws InputError for an option.
std::shared_ptr<const MeasurerFactory> MakeAnalyticalPlan(const Spec& spec);

// `model(model=MODEL)`: a cost model in place of the machine, a saved one or one by its spec. Make
// throws InputError for a file that is none, or a model that cannot score a reference.
std::shared_ptr<const MeasurerFactory> MakeModelPlan(const Spec& spec);
// The same for the model itself; a name that no model has is a file.
std::shared_ptr<const MeasurerFactory> MakePlanOfModel(const Spec& model);

// Parses an option that names a measurer; `model(MODEL)` stands for `model(model=MODEL)`. Throws
// InputError as RequireSpec does.
Spec RequireMeasurer(const std::string& option, std::string_view text);

// Tables that were read already. Threads may call it concurrently; calls wait for one another.
class TableCache {
 public:
  // Reads a file again if it has changed. Throws InputError, naming the file, if it is not a table
  // of this project or lacks the time of its reference schedule.
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

// Parses `table(file=FILE)`. Throws InputError for a bad option; does not read the file.
struct TableChoice {
  std::string file;
  TableMeasurerOptions options;
};
TableChoice ReadTableChoice(const Spec& spec);

// `table(file=FILE)`. With noise=true measurements are drawn anew from raw samples; with settle=cv
// from the rounds that this rule would have taken. Throws InputError for a bad option or file.
std::shared_ptr<const MeasurerFactory> MakeTablePlan(const Spec& spec, TableCache& tables);

// `host`. Throws InputError for an option.
std::shared_ptr<const MeasurerFactory> MakeHostPlan(const Spec& spec);

// The measurer of all searches, replays and environments here: against each task's reference
// schedule. Throws what host_measurer.h throws if candidates of the target cannot run.
std::unique_ptr<Measurer> MeasurerOfHost(const Target& target, const Protocol& protocol,
                                         uint64_t seed, WarningFunction warn = {});

// Missing parts of this build or machine to measure the target, one line; nullopt if none.
std::optional<std::string> MissingForTarget(const Spec& target);

}  // namespace schedulegym
