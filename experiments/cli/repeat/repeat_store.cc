#include "experiments/cli/repeat/repeat_store.h"

#include <utility>

#include "agents/baselines/collect.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

constexpr const char* kAgent = "repeat";

}  // namespace

RepeatStore::RepeatStore(std::unique_ptr<RecordStore> store, std::string toolchain, uint64_t seed,
                         const Clock& calendar)
    : store_(std::move(store)),
      toolchain_(std::move(toolchain)),
      seed_(seed),
      calendar_(calendar),
      host_(HostName()) {}

std::optional<Measurement> RepeatStore::Find(const ScheduleState& state) {
  Know(state.task());
  const auto found = known_.find(StateKey(state));
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void RepeatStore::Keep(const ScheduleState& state, const MeasuredProgram& program, int64_t index,
                       const Measurement& measurement) {
  Know(state.task());
  const RecordOrigin origin = {.task = info_,
                               .agent = kAgent,
                               .space = program.space,
                               .seed = seed_,
                               .index = index,
                               .host = host_,
                               .started = calendar_.Now(),
                               .note = CollectedNote(program.part)};
  const Record record = MakeRecord(origin, state, StateKey(state), measurement);
  store_->Append({&record, 1});
}

void RepeatStore::KeepControls(const std::vector<ControlMeasurement>& controls) {
  if (!controls.empty()) store_->Write({.controls = controls});
}

// Programs are ordered by task, so one task is cached.
void RepeatStore::Know(const Task& task) {
  const Key key = TaskKey(task);
  if (info_ && task_ == key) return;
  task_ = key;
  info_ = DescribeTask(task);
  known_.clear();
  for (const Record& record : store_->ForTask(key)) {
    const bool is_told = MayLearnFrom(record.measurement.outcome) && !record.suspect;
    if (is_told && ToolchainOf(record) == toolchain_) {
      known_.insert_or_assign(record.state_key, record.measurement);
    }
  }
}

}  // namespace schedulegym
