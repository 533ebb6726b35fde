// RepeatStore: the measurements of `repeat` in a record store, so that the same command resumes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/base/clock.h"
#include "env/measure/measurement.h"
#include "env/measure/store/program_set.h"
#include "env/measure/store/record_store.h"
#include "env/schedule/state.h"

namespace schedulegym {

class RepeatStore {
 public:
  // `toolchain` makes the code that is measured; records of another are not taken.
  RepeatStore(std::unique_ptr<RecordStore> store, std::string toolchain, uint64_t seed,
              const Clock& calendar);

  // The stored measurement of this schedule on its target: the latest with a result, which no
  // control measurement doubts.
  std::optional<Measurement> Find(const ScheduleState& state);

  // Stores the program's space, and its part as the note that `collect` writes. `index` is its
  // position among the drawn programs.
  void Keep(const ScheduleState& state, const MeasuredProgram& program, int64_t index,
            const Measurement& measurement);
  void KeepControls(const std::vector<ControlMeasurement>& controls);

 private:
  void Know(const Task& task);

  std::unique_ptr<RecordStore> store_;
  std::string toolchain_;
  uint64_t seed_;
  const Clock& calendar_;
  std::string host_;
  Key task_;  // of which `known_` is
  std::shared_ptr<const TaskInfo> info_;
  std::map<Key, Measurement> known_;
};

}  // namespace schedulegym
