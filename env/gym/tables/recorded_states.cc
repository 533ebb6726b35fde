#include "env/gym/tables/recorded_states.h"

#include "env/base/fault.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

RecordedStates::RecordedStates(std::shared_ptr<const Table> table) : table_(std::move(table)) {
  if (table_->is_foreign()) {
    throw InputError("found a table of another tuner's kernels, expected one of our own schedules");
  }
  for (int64_t row = 0; row < table_->size(); ++row) {
    Result<ScheduleState> state = ReplayText(table_->task(), table_->TraceText(row).value());
    if (!state) {
      throw InputError("row " + std::to_string(row) + " of the table: " + state.error().message);
    }
    if (row_of_.emplace(StateKey(*state), row).second) rows_.push_back(row);
    states_.push_back(std::move(*state));
  }
}

std::optional<int64_t> RecordedStates::Find(const ScheduleState& state) const {
  const auto found = row_of_.find(StateKey(state));
  return found == row_of_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace schedulegym
