// Measures from a table: a schedule's recorded outcome and timing, the recorded cost as simulated
// seconds; the reference's seconds for the reference; kInvalidSchedule for what is not recorded.
// With `noise` each measurement is drawn anew from the row's samples (Table, DrawAnew), with a seed
// of (seed, schedule or row, number of draws), so equal seeds give equal sequences in any order of
// schedules. With `settle` the rounds after the protocol's rule would have ended are cut off, the
// ratio is that of the others, and the cost falls by two samples for each. Cost: O(log rows),
// O(samples) with noise, O(samples^2) with settle.
#include "env/gym/tables/table_measurer.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/rng.h"
#include "env/measure/measurement.h"
#include "env/measure/protocol.h"
#include "env/measure/timing/paired_statistics.h"
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

// By which the table was made.
Protocol ProtocolOf(const TableFacts& facts) {
  const Result<Spec> protocol = ParseSpec(facts.protocol);
  return protocol ? MakeProtocol(*protocol) : Protocol();
}

bool ReadsSamples(const TableMeasurerOptions& options) { return options.noise || options.settle; }

// That of the table where its samples are read. Throws InputError where it has none.
Protocol SampledProtocol(const Table& table, const TableMeasurerOptions& options) {
  if (!ReadsSamples(options)) return {};
  if (table.HasSamples()) return ProtocolOf(table.facts());
  throw InputError((options.noise ? "noise=true" : "settle=cv") +
                   std::string(": found a table of ") + table.task()->name +
                   " without raw samples, expected one that has them, as `schedulegym table` "
                   "makes it");
}

// Without raw samples.
Measurement MeasurementOf(const TableRow& row) {
  Measurement measurement;
  measurement.outcome = row.evaluation.outcome;
  measurement.phases.measure = row.cost_seconds;
  if (row.evaluation.ok()) {
    measurement.timing = TimingOf(row.evaluation.seconds.value(), row.evaluation.speed);
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
    : Measurer(false), options_(options) {
  for (const Recorded& table : tables) {
    const Table& own = table.states->table();
    const Known known = {table.states->shared_table(), table.states, StateKey(table.reference),
                         SessionOf(own.facts()), SampledProtocol(own, options)};
    const bool is_new = tables_.emplace(TaskKey(table.reference.task()), known).second;
    SG_CHECK(is_new, "one table for each task");
  }
}

TableMeasurer::TableMeasurer(std::shared_ptr<const Table> table,
                             const TableMeasurerOptions& options)
    : Measurer(false), options_(options) {
  const Key task = TaskKey(*table->task());
  Known known = {table, nullptr, std::nullopt, SessionOf(table->facts()),
                 SampledProtocol(*table, options)};
  tables_.emplace(task, std::move(known));
}

std::vector<Measurement> TableMeasurer::Measure(std::span<const Candidate> candidates) {
  std::vector<Measurement> measurements;
  measurements.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    measurements.push_back(candidate.row ? OfRow(*candidate.row)
                                         : OfState(candidate.state.value()));
  }
  return measurements;
}

const TableMeasurer::Known& TableMeasurer::Find(const Task& task) const {
  for (const auto& [key, known] : tables_) {
    if (known.table->task().get() == &task) return known;  // without its key
  }
  const auto found = tables_.find(TaskKey(task));
  SG_CHECK(found != tables_.end(), "a task of the tables");
  return found->second;
}

void TableMeasurer::Count(double seconds) {
  nanoseconds_ += static_cast<int64_t>(std::llround(seconds * 1e9));
}

Measurement TableMeasurer::OfRow(int64_t number) {
  SG_CHECK(tables_.size() == 1, "rows are of one table");
  const Known& known = tables_.begin()->second;
  const TableRow& row = known.table->row(number);
  Measurement measurement = MeasurementOf(row);
  if (ReadsSamples(options_)) Retime(row, known, {0, static_cast<uint64_t>(number)}, measurement);
  Count(measurement.phases.measure);
  measurement.session = known.session;
  return measurement;
}

Measurement TableMeasurer::OfState(const ScheduleState& state) {
  const Known& known = Find(state.task());
  Measurement measurement;
  const auto found = known.states ? known.states->Find(state) : std::nullopt;
  if (found) {
    const TableRow& row = known.table->row(*found);
    measurement = MeasurementOf(row);
    Retime(row, known, StateKey(state), measurement);
    Count(measurement.phases.measure);
  } else if (StateKey(state) == known.reference) {
    measurement.outcome = Outcome::kOk;
    measurement.timing = TimingOf(known.table->facts().reference_seconds, {});
  } else {
    measurement.outcome = Outcome::kInvalidSchedule;
    measurement.message = "found a schedule that the table does not record";
  }
  measurement.session = known.session;
  return measurement;
}

void TableMeasurer::Retime(const TableRow& row, const Known& known, const Key& key,
                           Measurement& measurement) {
  if (!measurement.ok()) return;
  if (options_.noise) {
    measurement.timing = Draw(row, known.protocol.interval, key);
  } else {
    measurement.timing->samples = row.samples.candidate;
    measurement.timing->reference_samples = row.samples.reference;
  }
  if (!options_.settle) return;
  double& cost = measurement.phases.measure;
  cost = std::max(0.0, cost - Settle(*measurement.timing, known.protocol));
}

Timing TableMeasurer::Draw(const TableRow& row, IntervalRule rule, const Key& key) {
  Hasher hasher;
  hasher.Add(options_.seed);
  hasher.Add(key.high);
  hasher.Add(key.low);
  {
    const std::lock_guard lock(mutex_);
    hasher.Add(static_cast<uint64_t>(drawn_[key]++));
  }
  Rng rng(hasher.Value());
  const double reference = row.evaluation.seconds.value() * row.evaluation.speed.median;
  return DrawAnew(row.samples, reference, rule, rng);
}

double TableMeasurer::Settle(Timing& timing, const Protocol& recorded) const {
  const size_t count = SettledAfter(timing.samples, *options_.settle);
  double saved = 0;
  for (size_t i = count; i < timing.samples.size(); ++i) {
    saved += std::max<double>(timing.samples[i], recorded.sample_seconds) +
             std::max<double>(timing.reference_samples[i], recorded.sample_seconds);
  }
  timing.samples.resize(count);
  timing.reference_samples.resize(count);
  const double reference = timing.seconds * timing.ratio.median;
  timing.ratio = MedianRatio(timing.reference_samples, timing.samples, recorded.interval);
  timing.seconds = reference / timing.ratio.median;
  return saved;
}

}  // namespace schedulegym
