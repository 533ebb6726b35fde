// What a table holds: counts by outcome, best and worst, cost, knobs, and what chance finds in it.
// Random baseline: the median over searches of 64 draws without replacement of the best found,
// exactly: the least r with
//   prod_i (points - r - i) / (points - i) <= 1/2, i < 64,
// is the rank of that median. Also the share of points within 10 % of the best, and what the raw
// samples can tell: the noise ceiling, and Spearman's correlation of both halves over the best 300.
// Cost: O(points log points + 64 r).
#include "experiments/cli/table/table_facts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "agents/cost/prediction_metrics.h"
#include "env/base/text.h"
#include "env/gym/tables/table_noise.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

struct Tally {
  int64_t ok = 0;
  std::map<std::string, int64_t> failed;
  std::optional<int64_t> best, worst;
  double cost_seconds = 0;
  int64_t samples = 0;
};

Tally TallyOf(const Table& table) {
  Tally tally;
  tally.best = table.Best();
  for (int64_t i = 0; i < table.size(); ++i) {
    const TableRow& row = table.row(i);
    tally.cost_seconds += row.cost_seconds;
    tally.samples += std::ssize(row.samples.candidate);
    if (!row.evaluation.ok()) {
      ++tally.failed[OutcomeName(row.evaluation.outcome)];
      continue;
    }
    ++tally.ok;
    const bool is_worse = !tally.worst || row.evaluation.speed.median <
                                              table.row(*tally.worst).evaluation.speed.median;
    if (is_worse) tally.worst = i;
  }
  return tally;
}

const char* KindOf(const Table& table) {
  if (table.tree() != nullptr) return "construct";
  return table.is_foreign() ? "file" : "modify";
}

JsonValue RowField(const Table& table, std::optional<int64_t> row) {
  if (!row) return {};
  const EvaluationResult& evaluation = table.row(*row).evaluation;
  return JsonObject{
      {"row", *row}, {"seconds", evaluation.seconds}, {"ratio", evaluation.speed.median}};
}

std::string RowText(const Table& table, std::optional<int64_t> row) {
  if (!row) return "none";
  const EvaluationResult& evaluation = table.row(*row).evaluation;
  return FormatSeconds(*evaluation.seconds) + ", " + FormatFixed(evaluation.speed.median, 3) +
         " of the reference's speed, row " + std::to_string(*row);
}

std::optional<TableRandomBaseline> ChanceIn(const Table& table) {
  std::vector<std::optional<double>> speeds;
  for (int64_t i = 0; i < table.size(); ++i) {
    const EvaluationResult& evaluation = table.row(i).evaluation;
    speeds.push_back(evaluation.ok() ? std::optional(evaluation.speed.median) : std::nullopt);
  }
  return RandomBaselineOf(speeds);
}

JsonValue ChanceFields(const std::optional<TableRandomBaseline>& chance) {
  if (!chance) return {};
  return JsonObject{
      {"trials", chance->trials}, {"ratio", chance->speed}, {"of_best", chance->of_best}};
}

std::string ChanceText(const std::optional<TableRandomBaseline>& chance) {
  if (!chance) return "";
  const std::string found =
      chance->speed ? FormatFixed(*chance->speed, 3) + " of the reference's speed, " +
                          FormatFixed(100 * (1 - chance->of_best), 1) + " % under the best"
                    : "a failure";
  return "chance     " + found + ": the median best of " + std::to_string(chance->trials) +
         " random trials\nnear       " + FormatFixed(100 * chance->near, 1) +
         " % of the points within 10 % of the best\n";
}

struct TableNoise {
  std::optional<double> ceiling;
  double rank_correlation = 0;  // of the halves
  int64_t rows = 0;             // of the best, over which it is
};

// None without raw samples.
std::optional<TableNoise> NoiseIn(const Table& table) {
  const HalvedSpeeds speeds = HalvedSpeedsOf(table);
  const std::optional<double> ceiling = NoiseCeilingOf(speeds);
  if (!ceiling) return std::nullopt;
  return TableNoise{ceiling, RankCorrelation(speeds.first, speeds.second), std::ssize(speeds.rows)};
}

JsonValue NoiseFields(const std::optional<TableNoise>& noise) {
  if (!noise) return {};
  return JsonObject{{"ceiling", noise->ceiling},
                    {"rank_correlation", noise->rank_correlation},
                    {"rows", noise->rows}};
}

std::string NoiseText(const std::optional<TableNoise>& noise) {
  if (!noise) return "";
  return "noise      ceiling " + FormatFixed(*noise->ceiling, 3) +
         ": what the ten best by half of the rounds are worth by the other; both halves "
         "rank the best " +
         std::to_string(noise->rows) + " alike by " + FormatFixed(noise->rank_correlation, 2) +
         "\n";
}

JsonValue KnobFields(const Table& table) {
  if (table.knobs() == nullptr) return {};
  JsonObject fields;
  for (const TableKnob& knob : table.knobs()->knobs) {
    fields.push_back({knob.name, static_cast<int64_t>(knob.values.size())});
  }
  return fields;
}

std::string CommandLine(const TableFacts& facts) {
  return facts.command.empty() ? "" : "command    " + facts.command + "\n";
}

std::string KnobsText(const Table& table) {
  if (table.knobs() == nullptr) return "";
  std::string text;
  for (const TableKnob& knob : table.knobs()->knobs) {
    text += "  " + knob.name + ": " + Join(knob.values, ", ") + "\n";
  }
  return "knobs\n" + text;
}

constexpr double kNear = 0.9;          // of the best speed
constexpr double kHalf = 0.5 + 1e-12;  // the product is rounded

// The smallest `most` such that `trials` of `points` contain one of the `most` best with
// probability 1/2 or more; the probability of none is the product of (points - most - i) / (points
// - i).
int64_t MedianRank(int64_t points, int64_t trials) {
  for (int64_t most = 1; most < points; ++most) {
    double none = 1;
    for (int64_t i = 0; i < trials; ++i) {
      none *=
          std::max(static_cast<double>(points - most - i), 0.0) / static_cast<double>(points - i);
    }
    if (none <= kHalf) return most;
  }
  return points;
}

}  // namespace

JsonObject TableFields(const Table& table) {
  const Tally tally = TallyOf(table);
  const TableFacts& facts = table.facts();
  const std::optional<TableRandomBaseline> chance = ChanceIn(table);
  JsonObject failed;
  for (const auto& [outcome, count] : tally.failed) failed.push_back({outcome, count});
  return {{"kind", KindOf(table)},
          {"workload", table.task()->name},
          {"task", TaskKey(*table.task()).ToText()},
          {"target", table.task()->target.ToText()},
          {"space", facts.space},
          {"seed", facts.seed},
          {"protocol", facts.protocol},
          {"host", facts.host},
          {"command", facts.command.empty() ? JsonValue() : JsonValue(facts.command)},
          {"knobs", KnobFields(table)},
          {"points", table.size()},
          {"ok", tally.ok},
          {"failed", failed},
          {"reference_seconds", facts.reference_seconds},
          {"best", RowField(table, tally.best)},
          {"worst", RowField(table, tally.worst)},
          {"chance", ChanceFields(chance)},
          {"within_10_percent", chance ? JsonValue(chance->near) : JsonValue()},
          {"noise", NoiseFields(NoiseIn(table))},
          {"measure_seconds", tally.cost_seconds},
          {"samples", tally.samples}};
}

std::string TableFactsText(const Table& table) {
  const Tally tally = TallyOf(table);
  std::vector<std::string> failed;
  for (const auto& [outcome, count] : tally.failed) {
    failed.push_back(std::to_string(count) + " " + outcome);
  }
  return "kind       " + std::string(KindOf(table)) + "\nspace      " + table.facts().space +
         "\nworkload   " + table.task()->name + "\npoints     " + std::to_string(table.size()) +
         ", failed: " + (failed.empty() ? "none" : Join(failed, ", ")) + "\nreference  " +
         FormatSeconds(table.facts().reference_seconds) + "\nbest       " +
         RowText(table, tally.best) + "\nworst      " + RowText(table, tally.worst) + "\n" +
         ChanceText(ChanceIn(table)) + NoiseText(NoiseIn(table)) + "measuring  " +
         FormatSeconds(tally.cost_seconds) + " for all points\nsamples    " +
         (tally.samples == 0 ? "none" : std::to_string(tally.samples) + " kept") + "\n" +
         CommandLine(table.facts()) + KnobsText(table);
}

std::optional<TableRandomBaseline> RandomBaselineOf(std::span<const std::optional<double>> speeds) {
  std::vector<double> ranked;
  for (const std::optional<double>& speed : speeds) {
    if (speed) ranked.push_back(*speed);
  }
  if (ranked.empty()) return std::nullopt;
  std::ranges::sort(ranked, std::greater<>());
  const double best = ranked.front();
  const auto points = static_cast<int64_t>(speeds.size());
  TableRandomBaseline chance;
  chance.trials = std::min(chance.trials, points);
  const int64_t rank = MedianRank(points, chance.trials);
  if (rank <= std::ssize(ranked)) {
    chance.speed = ranked[static_cast<size_t>(rank - 1)];
    chance.of_best = *chance.speed / best;
  }
  const auto near =
      std::ranges::count_if(ranked, [&](double speed) { return speed >= kNear * best; });
  chance.near = static_cast<double>(near) / static_cast<double>(points);
  return chance;
}

}  // namespace schedulegym
