#include "experiments/cli/repeat/repeated_programs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/base/text.h"
#include "env/measure/timing/paired_statistics.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

constexpr double kShare = 0.95;

std::string RatioText(const RatioInterval& ratio) {
  return FormatDouble(ratio.median) + "," + FormatDouble(ratio.low) + "," +
         FormatDouble(ratio.high);
}

}  // namespace

std::vector<MeasuredProgram> DrawPrograms(const ProgramSet& set, int count, Rng& rng) {
  std::vector<size_t> places(set.programs.size());
  std::iota(places.begin(), places.end(), size_t{0});
  const size_t drawn = std::min(places.size(), static_cast<size_t>(count));
  for (size_t i = 0; i < drawn; ++i) {
    const auto left = static_cast<int64_t>(places.size() - i);
    std::swap(places[i], places[i + static_cast<size_t>(rng.Below(left))]);
  }
  places.resize(drawn);
  std::ranges::sort(places, {},
                    [&](size_t place) { return std::pair(set.programs[place].task, place); });
  std::vector<MeasuredProgram> programs;
  for (const size_t place : places) programs.push_back(set.programs[place]);
  return programs;
}

std::optional<double> DeviationOf(const RepeatedProgram& repeated) {
  const bool are_both =
      repeated.program.outcome == Outcome::kOk && repeated.again && repeated.again->ok();
  if (!are_both) return std::nullopt;
  return std::expm1(
      std::abs(std::log(repeated.again->timing->ratio.median / repeated.program.ratio.median)));
}

RepeatSummary SummaryOf(std::span<const RepeatedProgram> repeated) {
  RepeatSummary summary;
  std::vector<double> deviations;
  for (const RepeatedProgram& one : repeated) {
    if (!one.again) continue;
    ++summary.measured;
    if (one.again->outcome == one.program.outcome) ++summary.alike;
    if (const auto deviation = DeviationOf(one)) deviations.push_back(*deviation);
  }
  if (deviations.empty()) return summary;
  summary.successes = std::ssize(deviations);
  summary.median = Median(deviations);
  std::ranges::sort(deviations);
  const double place = std::ceil(kShare * static_cast<double>(deviations.size()));
  summary.most = deviations[static_cast<size_t>(place) - 1];
  summary.largest = deviations.back();
  return summary;
}

std::string RepeatsToCsv(const ProgramSet& set, std::span<const RepeatedProgram> repeated) {
  std::string text =
      "workload,space,part,outcome,ratio,low,high,again,again_ratio,again_low,again_high\n";
  for (const RepeatedProgram& one : repeated) {
    const MeasuredProgram& program = one.program;
    const std::string none = ",,";
    text += CsvField(set.tasks[static_cast<size_t>(program.task)].info.workload) + "," +
            CsvField(program.space) + "," + program.part + "," + OutcomeName(program.outcome) +
            "," + (program.outcome == Outcome::kOk ? RatioText(program.ratio) : none) + "," +
            (one.again ? OutcomeName(one.again->outcome) : "") + "," +
            (one.again && one.again->ok() ? RatioText(one.again->timing->ratio) : none) + "\n";
  }
  return text;
}

}  // namespace schedulegym
