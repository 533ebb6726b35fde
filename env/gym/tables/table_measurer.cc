// Measures from a table: a schedule's recorded outcome and timing, the recorded cost as simulated
// seconds; the reference's seconds for the reference; kInvalidSchedule for what is not recorded.
// With `noise` each measurement is drawn anew from the row's samples (Table, DrawAnew), with a seed
// of (seed, schedule, number of draws), so equal seeds give equal sequences in any order of
// schedules. Cost: O(log rows), O(samples) with noise.
#include "env/gym/tables/table_measurer.h"

#include <cmath>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/rng.h"
#include "env/measure/measurement.h"
#include "env/measure/protocol.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

std::shared_ptr<const MeasuringSession> SessionOf(const TableFacts& facts) {
  MeasuringSession session;
  session.protocol = kTableName;
  session.probe = facts.host;
  session.toolchain = TableToolchain(facts);
  return std::make_shared<const MeasuringSession>(std::move(session));
}

Timing TimingOf(double seconds, const RatioInterval& ratio) {
  return {.seconds = seconds, .ratio = ratio, .first_call_seconds = seconds};
}

// By which the table's own intervals were made.
IntervalRule RuleOf(const TableFacts& facts) {
  const Result<Spec> protocol = ParseSpec(facts.protocol);
  return protocol ? MakeProtocol(*protocol).interval : Protocol().interval;
}

Measurement MeasurementOf(const TableRow& row) {
  Measurement measurement;
  measurement.outcome = row.evaluation.outcome;
  measurement.phases.measure = row.cost_seconds;
  if (row.evaluation.ok()) {
    measurement.timing = TimingOf(row.evaluation.seconds.value(), row.evaluation.speed);
    measurement.timing->samples = row.samples.candidate;
    measurement.timing->reference_samples = row.samples.reference;
  } else {
    measurement.message = std::string("recorded as ") + OutcomeName(row.evaluation.outcome);
  }
  return measurement;
}

}  // namespace

std::string TableToolchain(const TableFacts& facts) {
  return std::string(kTableName) + " of " + facts.toolchain;
}

TableMeasurer::TableMeasurer(const std::vector<Recorded>& tables,
                             const TableMeasurerOptions& options)
    : options_(options) {
  for (const Recorded& table : tables) {
    const TableFacts& facts = table.states->table().facts();
    if (options.noise && !table.states->table().HasSamples()) {
      throw InputError("noise=true: found a table of " + table.reference.task().name +
                       " without raw samples, expected one that has them, as `schedulegym table` "
                       "makes it");
    }
    const Known known = {table.states, StateKey(table.reference), SessionOf(facts),
                         options.noise ? RuleOf(facts) : IntervalRule::kRank};
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

const TableMeasurer::Known& TableMeasurer::Find(const Task& task) const {
  for (const auto& [key, known] : tables_) {
    if (known.states->table().task().get() == &task) return known;  // without its key
  }
  const auto found = tables_.find(TaskKey(task));
  SG_CHECK(found != tables_.end(), "a task of the tables");
  return found->second;
}

Measurement TableMeasurer::Of(const ScheduleState& state) {
  const Known& known = Find(state.task());
  const Table& table = known.states->table();
  Measurement measurement;
  if (const std::optional<int64_t> row = known.states->Find(state)) {
    measurement = MeasurementOf(table.row(*row));
    if (options_.noise && measurement.ok()) {
      measurement.timing = Draw(table.row(*row), known.rule, StateKey(state));
    }
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

Timing TableMeasurer::Draw(const TableRow& row, IntervalRule rule, const Key& state) {
  Hasher hasher;
  hasher.Add(options_.seed);
  hasher.Add(state.high);
  hasher.Add(state.low);
  {
    const std::lock_guard lock(mutex_);
    hasher.Add(static_cast<uint64_t>(drawn_[state]++));
  }
  Rng rng(hasher.Value());
  const double reference = row.evaluation.seconds.value() * row.evaluation.speed.median;
  return DrawAnew(row.samples, reference, rule, rng);
}

double TableEvaluator::CostOf(const EpisodeState& place) const {
  return place.row() ? table_->row(*place.row()).cost_seconds : 0;
}

std::vector<EvaluationResult> TableEvaluator::Ask(std::span<const EpisodeState* const> places) {
  std::vector<EvaluationResult> evaluations;
  evaluations.reserve(places.size());
  for (const EpisodeState* place : places) {
    evaluations.push_back(place->row() ? table_->row(*place->row()).evaluation
                                       : FailedEvaluationResult(Outcome::kInvalidSchedule));
    nanoseconds_ += static_cast<int64_t>(std::llround(CostOf(*place) * 1e9));
    ++answers_;
  }
  return evaluations;
}

}  // namespace schedulegym
