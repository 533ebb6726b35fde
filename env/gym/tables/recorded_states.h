// RecordedStates: the schedules of a table of ours, and the row of each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "env/base/key_hash.h"
#include "env/gym/tables/table.h"
#include "env/schedule/state.h"

namespace schedulegym {

class RecordedStates {
 public:
  // Replays every trace. Throws InputError for another tuner's kernels, which are no schedules, and
  // naming the row for a trace that does not replay.
  explicit RecordedStates(std::shared_ptr<const Table> table);

  const Table& table() const { return *table_; }
  const std::shared_ptr<const Table>& shared_table() const { return table_; }
  // Of distinct schedules: of rows that hold the same one, the first.
  const std::vector<int64_t>& rows() const { return rows_; }
  const ScheduleState& state(int64_t row) const { return states_.at(row); }
  // The row of an equal schedule, whatever its trace; none if it is not recorded.
  std::optional<int64_t> Find(const ScheduleState& state) const;

 private:
  std::shared_ptr<const Table> table_;
  std::vector<ScheduleState> states_;                 // by row
  std::unordered_map<Key, int64_t, KeyHash> row_of_;  // by the key of the schedule
  std::vector<int64_t> rows_;
};

}  // namespace schedulegym
