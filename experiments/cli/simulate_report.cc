// Summary of simulated schedulers. Of each problem the mean over its seeds counts once; over
// problems the mean with a 95 % interval of the normal distribution. A speed-up over another
// scheduler is exp of the mean of ln(their seconds / own seconds) to the final latency. Shares are
// the time to 95 % and 98 % of the final speed over the horizon; those never there count 1. Cost:
// O(rows * schedulers^2).
#include "experiments/cli/simulate_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "experiments/cli/common/units.h"
#include "experiments/cli/tune/tune_events.h"

namespace schedulegym {
namespace {

// The value of a row; nullopt where it has none.
using RowValue = std::function<std::optional<double>(const Comparison&)>;

// Mean over problems of the means over their seeds; nullopt where no row has a value.
std::optional<MeanInterval> MeanOver(std::span<const SimulatedRow> rows, const RowValue& value) {
  std::vector<double> means;
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin;
    double sum = 0;
    int count = 0;
    for (; end < rows.size() && rows[end].problem == rows[begin].problem; ++end) {
      const std::optional<double> number = value(rows[end].comparison);
      if (!number) continue;
      sum += *number;
      ++count;
    }
    if (count > 0) means.push_back(sum / count);
    begin = end;
  }
  return means.empty() ? std::nullopt : std::optional(MeanOf(means));
}

SpeedUp SpeedUpOver(std::span<const SimulatedRow> rows, size_t own, size_t other) {
  SpeedUp speed_up;
  const std::optional<MeanInterval> logs = MeanOver(rows, [&](const Comparison& comparison) {
    const std::optional<double> ours = comparison.runs[own].to_final[other];
    const double theirs = *comparison.runs[other].to_final[other];
    if (!ours) ++speed_up.unreached;
    const double seconds = ours.value_or(comparison.horizon);
    // A run that took no time has no speed-up.
    return seconds > 0 && theirs > 0 ? std::optional(std::log(theirs / seconds)) : std::nullopt;
  });
  if (logs) speed_up.times = {std::exp(logs->mean), std::exp(logs->low), std::exp(logs->high)};
  return speed_up;
}

MeanInterval ShareTo(std::span<const SimulatedRow> rows, size_t own,
                     std::optional<double> ComparedRun::*seconds, int64_t& reached) {
  const auto share = [&](const Comparison& comparison) {
    const std::optional<double> taken = comparison.runs[own].*seconds;
    reached += taken ? 1 : 0;
    return std::optional(taken.value_or(comparison.horizon) / comparison.horizon);
  };
  return MeanOver(rows, share).value();
}

SchedulerSummary SummarizeOne(std::span<const SimulatedRow> rows,
                              std::span<const std::string> schedulers, size_t own) {
  SchedulerSummary summary;
  summary.scheduler = schedulers[own];
  summary.runs = std::ssize(rows);
  const auto area = [&](const Comparison& comparison) {
    return std::optional(comparison.runs[own].area);
  };
  summary.area = MeanOver(rows, area).value();
  summary.share_to_95 = ShareTo(rows, own, &ComparedRun::to_95, summary.reached_95);
  summary.share_to_98 = ShareTo(rows, own, &ComparedRun::to_98, summary.reached_98);
  for (size_t other = 0; other < schedulers.size(); ++other) {
    if (other == own) continue;
    summary.speed_ups.push_back(SpeedUpOver(rows, own, other));
    summary.speed_ups.back().over = schedulers[other];
  }
  for (const SimulatedRow& row : rows) {
    summary.deciding += row.comparison.runs[own].deciding;
    summary.simulated += row.comparison.runs[own].trajectory.seconds;
    const std::optional<FitCounts>& fits = row.comparison.runs[own].fits;
    if (!fits) continue;
    if (!summary.fits) summary.fits.emplace();
    summary.fits->fits += fits->fits;
    summary.fits->fallbacks += fits->fallbacks;
  }
  return summary;
}

JsonValue IntervalFields(const MeanInterval& interval) {
  return JsonObject{{"mean", interval.mean}, {"low", interval.low}, {"high", interval.high}};
}

void AddFits(const std::optional<FitCounts>& fits, JsonObject& fields) {
  if (!fits) return;
  fields.push_back({"fits", fits->fits});
  fields.push_back({"fallbacks", fits->fallbacks});
}

std::string IntervalText(const MeanInterval& interval) {
  return FormatFixed(interval.mean, 4) + " +- " +
         FormatFixed((interval.high - interval.low) / 2, 4);
}

std::string Padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

}  // namespace

std::vector<SchedulerSummary> Summarize(std::span<const SimulatedRow> rows,
                                        std::span<const std::string> schedulers) {
  std::vector<SchedulerSummary> summaries;
  for (size_t i = 0; i < schedulers.size(); ++i) {
    summaries.push_back(SummarizeOne(rows, schedulers, i));
  }
  return summaries;
}

JsonObject SimulatedRowFields(const SimulatedRow& row, std::span<const std::string> schedulers,
                              size_t scheduler) {
  const Comparison& comparison = row.comparison;
  const ComparedRun& run = comparison.runs[scheduler];
  JsonObject to_final;
  for (size_t i = 0; i < schedulers.size(); ++i) {
    to_final.push_back({schedulers[i], run.to_final[i]});
  }
  JsonObject fields = {{"problem", row.problem},
                       {"seed", row.seed},
                       {"tasks", static_cast<int64_t>(row.tasks)},
                       {"scheduler", schedulers[scheduler]},
                       {"area", run.area},
                       {"seconds_to_95", run.to_95},
                       {"seconds_to_98", run.to_98},
                       {"latency", run.trajectory.latency()},
                       {"oracle_latency", comparison.oracle.latency()},
                       {"horizon", comparison.horizon},
                       {"seconds", run.trajectory.seconds},
                       {"trials", run.trajectory.trials},
                       {"turns", static_cast<int64_t>(run.trajectory.order.size())},
                       {"seconds_to_final", std::move(to_final)},
                       {"deciding", run.deciding}};
  AddFits(run.fits, fields);
  if (row.curves.empty()) return fields;
  std::vector<JsonValue> tasks, order;
  for (const RecordedCurve& curve : row.curves) tasks.emplace_back(curve.task);
  for (int task : run.trajectory.order) order.emplace_back(task);
  fields.push_back({"task_names", std::move(tasks)});
  fields.push_back({"order", std::move(order)});
  return fields;
}

JsonObject SchedulerSummaryFields(const SchedulerSummary& summary) {
  JsonObject speed_ups;
  for (const SpeedUp& speed_up : summary.speed_ups) {
    JsonValue times;
    if (speed_up.times) times = IntervalFields(*speed_up.times);
    speed_ups.push_back({speed_up.over, JsonObject{{"times", std::move(times)},
                                                   {"unreached", speed_up.unreached}}});
  }
  JsonObject fields = {{"scheduler", summary.scheduler},
                       {"runs", summary.runs},
                       {"area", IntervalFields(summary.area)},
                       {"share_to_95", IntervalFields(summary.share_to_95)},
                       {"share_to_98", IntervalFields(summary.share_to_98)},
                       {"reached_95", summary.reached_95},
                       {"reached_98", summary.reached_98},
                       {"speed_up", std::move(speed_ups)},
                       {"deciding", summary.deciding},
                       {"simulated", summary.simulated}};
  AddFits(summary.fits, fields);
  return fields;
}

std::string SimulationText(std::span<const SchedulerSummary> summaries) {
  constexpr size_t kColumn = 22;
  size_t widest = std::string("scheduler").size();
  for (const SchedulerSummary& summary : summaries) {
    widest = std::max(widest, summary.scheduler.size());
  }
  std::string text = Padded("scheduler", widest + 2) + Padded("area", kColumn) +
                     Padded("share to 95 %", kColumn) + Padded("share to 98 %", kColumn) +
                     "reached\n";
  for (const SchedulerSummary& summary : summaries) {
    text += Padded(summary.scheduler, widest + 2) + Padded(IntervalText(summary.area), kColumn) +
            Padded(IntervalText(summary.share_to_95), kColumn) +
            Padded(IntervalText(summary.share_to_98), kColumn) +
            std::to_string(summary.reached_95) + " and " + std::to_string(summary.reached_98) +
            " of " + std::to_string(summary.runs) + "\n";
  }
  for (const SchedulerSummary& summary : summaries) {
    if (summary.fits) text += summary.scheduler + ": " + FitsText(*summary.fits) + "\n";
  }
  return text;
}

}  // namespace schedulegym
