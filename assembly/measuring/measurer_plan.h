// MeasurerPlan: what the trials of a search are measured by, as it was asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

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
};

class MeasurerPlan {
 public:
  virtual ~MeasurerPlan() = default;

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

}  // namespace schedulegym
