#include "experiments/cli/table_plan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "env/base/fault.h"
#include "env/gym/knob_thinning.h"
#include "env/gym/tree_growth.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Nobody measures more digits.
double Rounded(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", number);
  return std::strtod(text, nullptr);
}

// The median over all successes; 0 without any.
double ReferenceSeconds(const std::map<Key, Record>& records) {
  std::vector<double> seconds;
  for (const auto& [key, record] : records) {
    const std::optional<Timing>& timing = record.measurement.timing;
    if (timing) seconds.push_back(timing->seconds * timing->ratio.median);
  }
  if (seconds.empty()) return 0;
  std::sort(seconds.begin(), seconds.end());
  return Rounded(seconds[seconds.size() / 2]);
}

// As they read back from a table, around the seconds of a row; none where they are no times.
std::vector<float> Kept(const std::vector<float>& samples, double middle) {
  const bool are_times =
      std::all_of(samples.begin(), samples.end(), [](float sample) { return sample > 0; });
  if (!are_times) return {};
  return ParseSamples(SamplesText(samples, middle), middle).value_or(std::vector<float>());
}

RawSamples SamplesOf(const Timing& timing, const Judgement& judgement) {
  const double seconds = *judgement.seconds;
  RawSamples samples = {Kept(timing.samples, seconds),
                        Kept(timing.reference_samples, seconds * judgement.speed.median)};
  if (samples.candidate.size() != samples.reference.size()) return {};
  return samples;
}

TableFacts FactsOf(const TablePlan& plan, const std::map<Key, Record>& records) {
  TableFacts facts;
  facts.space = plan.space + ", " + plan.part;
  facts.reference_seconds = ReferenceSeconds(records);
  for (const auto& [key, record] : records) {
    const auto& session = record.measurement.session;
    if (!session) continue;
    facts.toolchain = session->toolchain;
    if (!session->probe.empty()) facts.host = session->probe;
  }
  return facts;
}

}  // namespace

TablePlan PlanGrid(const std::shared_ptr<const Task>& task, const SearchSpace& space,
                   int64_t sketch, int64_t points, uint64_t seed) {
  const std::vector<Sketch> sketches = space.Sketches(task);
  if (sketch >= static_cast<int64_t>(sketches.size())) {
    throw InputError("--sketch: found " + std::to_string(sketch) + ", but space " + space.Name() +
                     " has " + std::to_string(sketches.size()) + " sketches of " + task->name +
                     ", counted from 0");
  }
  Rng rng(seed);
  ThinGrid grid = ThinOut(sketches[sketch].knobs->With(Misfit::kLower), points, rng);
  KnobRows rows = {std::move(grid.knobs), std::move(grid.tiles), std::move(grid.points), {}};
  for (const ScheduleState& state : grid.states) rows.traces.push_back(state.TraceText());
  if (rows.knobs.empty()) {
    throw InputError("found one point of sketch " + std::to_string(sketch) +
                     ", expected several: more --points, or another --sketch");
  }
  return {space.Name(), "sketch " + std::to_string(sketch), std::move(rows),
          std::move(grid.states)};
}

TablePlan PlanTree(const std::shared_ptr<const Task>& task, int64_t points, uint64_t seed) {
  Rng rng(seed);
  const TreeGrowth growth = {.rows = points};
  GrownTree tree = GrowTree(task, growth, rng);
  return {"construct", "breadth " + std::to_string(growth.breadth), std::move(tree.rows),
          std::move(tree.states)};
}

std::vector<ScheduleState> DistinctStates(const TablePlan& plan) {
  std::vector<ScheduleState> distinct;
  std::set<Key> known;
  for (const ScheduleState& state : plan.states) {
    if (known.insert(StateKey(state)).second) distinct.push_back(state);
  }
  return distinct;
}

TableRow RowOf(const Measurement& measurement) {
  const PhaseSeconds& phases = measurement.phases;
  const double cost = Rounded(phases.compile + phases.verify + phases.measure);
  if (!measurement.ok()) return {FailedJudgement(measurement.outcome), cost};
  const RatioInterval& ratio = measurement.timing->ratio;
  TableRow row = {{Outcome::kOk,
                   {Rounded(ratio.median), Rounded(ratio.low), Rounded(ratio.high)},
                   Rounded(measurement.timing->seconds)},
                  cost};
  row.samples = SamplesOf(*measurement.timing, row.judgement);
  return row;
}

Table AssembleTable(const TablePlan& plan, const std::map<Key, Record>& records,
                    const TableMaking& making) {
  std::vector<TableRow> rows;
  for (const ScheduleState& state : plan.states) {
    rows.push_back(RowOf(records.at(StateKey(state)).measurement));
  }
  TableFacts facts = FactsOf(plan, records);
  facts.seed = making.seed;
  facts.protocol = making.protocol;
  facts.command = making.command;
  return {plan.states.front().shared_task(), std::move(facts), std::move(rows), plan.shape};
}

}  // namespace schedulegym
