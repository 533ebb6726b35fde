#include "env/gym/table_measurer.h"

#include <cmath>

#include "env/base/check.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

std::shared_ptr<const MeasuringSession> SessionOf(const TableFacts& facts) {
  MeasuringSession session;
  session.protocol = facts.protocol;
  session.probe = facts.host;
  session.toolchain = facts.toolchain;
  return std::make_shared<const MeasuringSession>(std::move(session));
}

Timing TimingOf(double seconds, const RatioInterval& ratio) {
  return {.seconds = seconds, .ratio = ratio, .first_call_seconds = seconds};
}

Measurement MeasurementOf(const TableRow& row) {
  Measurement measurement;
  measurement.outcome = row.judgement.outcome;
  measurement.phases.measure = row.cost_seconds;
  if (row.judgement.ok()) {
    measurement.timing = TimingOf(row.judgement.seconds.value(), row.judgement.speed);
  } else {
    measurement.message = std::string("recorded as ") + OutcomeName(row.judgement.outcome);
  }
  return measurement;
}

}  // namespace

TableMeasurer::TableMeasurer(const std::vector<Recorded>& tables) {
  for (const Recorded& table : tables) {
    const Known known = {table.states, StateKey(table.reference),
                         SessionOf(table.states->table().facts())};
    const bool is_new = tables_.emplace(TaskKey(table.reference.task()), known).second;
    SG_CHECK(is_new, "one table for each task");
  }
}

std::vector<Measurement> TableMeasurer::Measure(std::span<const Candidate> candidates) {
  std::vector<Measurement> measurements;
  measurements.reserve(candidates.size());
  for (const Candidate& candidate : candidates) measurements.push_back(Of(candidate.state));
  return measurements;
}

Measurement TableMeasurer::Of(const ScheduleState& state) {
  const auto found = tables_.find(TaskKey(state.task()));
  SG_CHECK(found != tables_.end(), "a task of the tables");
  const Known& known = found->second;
  const Table& table = known.states->table();
  Measurement measurement;
  if (const std::optional<int64_t> row = known.states->Find(state)) {
    measurement = MeasurementOf(table.row(*row));
    nanoseconds_ += static_cast<int64_t>(std::llround(table.row(*row).cost_seconds * 1e9));
  } else if (StateKey(state) == known.reference) {
    measurement.outcome = Outcome::kOk;
    measurement.timing = TimingOf(table.facts().reference_seconds, {});
  } else {
    measurement.outcome = Outcome::kInvalidSchedule;
    measurement.message = "found a schedule that the table does not record";
  }
  measurement.session = known.session;
  return measurement;
}

}  // namespace schedulegym
