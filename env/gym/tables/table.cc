// A table of measured schedules: a grid of knob values, or a tree whose nodes are prefixes of
// traces. Everything is checked as it is made: points in range and different, parents before
// children, times above 0, ratios within their intervals. Samples are written as integers
// round(65536 ln(sample / middle)), base 32, low digits first, sign in the lowest bit. DrawAnew
// draws a new measurement from the recorded one by the bootstrap (Efron, 1979): rounds with
// replacement, without those 3 times away from the middle, then the median of ratios.
// Cost: O(log rows) a look-up; O(samples) a draw.
#include "env/gym/tables/table.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/measure/timing/paired_statistics.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

[[noreturn]] void Refuse(size_t row, const std::string& message) {
  throw InputError("row " + std::to_string(row) + " of the table: " + message);
}

bool IsTime(double seconds) { return std::isfinite(seconds) && seconds > 0; }

bool IsEvaluationResult(const EvaluationResult& evaluation) {
  if (!evaluation.ok()) return true;
  const RatioInterval& speed = evaluation.speed;
  const bool is_ordered = speed.low <= speed.median && speed.median <= speed.high;
  return evaluation.seconds && IsTime(*evaluation.seconds) && IsTime(speed.low) &&
         IsTime(speed.high) && is_ordered;
}

bool AreSamples(const TableRow& row) {
  const RawSamples& samples = row.samples;
  const auto is_time = [](float sample) { return IsTime(sample); };
  return samples.candidate.size() == samples.reference.size() &&
         (samples.empty() || row.evaluation.ok()) &&
         std::all_of(samples.candidate.begin(), samples.candidate.end(), is_time) &&
         std::all_of(samples.reference.begin(), samples.reference.end(), is_time);
}

void CheckTile(const KnobTile& tile, const std::vector<TableKnob>& knobs) {
  bool fits = tile.extent > 0 && tile.knobs.size() == tile.values.size();
  for (size_t i = 0; fits && i < tile.knobs.size(); ++i) {
    const int knob = tile.knobs[i];
    const size_t count = tile.values[i].size();
    fits = knob < static_cast<int>(knobs.size()) &&
           (knob < 0 ? count == 1 : count == knobs[knob].values.size());
    for (size_t v = 0; fits && v < count; ++v) {
      fits = tile.values[i][v] > 0 && (v == 0 || tile.values[i][v - 1] < tile.values[i][v]);
    }
  }
  if (!fits) {
    throw InputError("tile '" + tile.name +
                     "' of the table: expected rising lengths above 0, as many as its knobs have "
                     "values");
  }
}

void CheckPoint(const KnobPoint& point, const std::vector<TableKnob>& knobs, size_t row) {
  if (point.size() != knobs.size()) {
    Refuse(row, "found a point of " + std::to_string(point.size()) +
                    " numbers, expected one for "
                    "each of " +
                    std::to_string(knobs.size()) + " knobs");
  }
  for (size_t i = 0; i < knobs.size(); ++i) {
    const auto count = static_cast<int>(knobs[i].values.size());
    if (point[i] >= 0 && point[i] < count) continue;
    Refuse(row, "found value " + std::to_string(point[i]) + " of knob '" + knobs[i].name +
                    "', expected 0.." + std::to_string(count - 1));
  }
}

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr double kSteps = 65536;  // of a logarithm of 1
constexpr unsigned kBits = 5;
constexpr uint64_t kMore = 1U << kBits;  // set where further digits follow
// No ratio of two times has a larger logarithm.
constexpr int64_t kMostSteps = int64_t{200} * 65536;
constexpr size_t kMostSamples = 4096;
// Largest factor between a round's ratio and the median. The protocol repeats rounds in which the
// reference took three times its usual time, as another process was running then; a table keeps
// them.
constexpr double kMostDisturbance = 3;

void AppendInteger(int64_t value, std::string& text) {
  uint64_t left =
      value < 0 ? (static_cast<uint64_t>(-value) << 1) | 1 : static_cast<uint64_t>(value) << 1;
  do {
    const uint64_t digit = left % kMore;
    left >>= kBits;
    text += kDigits[digit | (left > 0 ? kMore : 0)];
  } while (left > 0);
}

// Removes an integer from the front of the text.
std::optional<int64_t> TakeInteger(std::string_view& text) {
  uint64_t value = 0;
  for (unsigned shift = 0; !text.empty() && shift <= 6 * kBits; shift += kBits) {
    const size_t digit = kDigits.find(text.front());
    if (digit == std::string_view::npos) return std::nullopt;
    text.remove_prefix(1);
    value |= (digit % kMore) << shift;
    if (digit >= kMore) continue;
    const auto size = static_cast<int64_t>(value >> 1);
    return (value & 1) != 0 ? -size : size;
  }
  return std::nullopt;
}

// Rounds within kMostDisturbance of the median ratio; all rounds if there is none.
std::vector<size_t> UndisturbedRounds(const RawSamples& samples) {
  std::vector<double> logs(samples.candidate.size());
  for (size_t i = 0; i < logs.size(); ++i) {
    logs[i] = std::log(static_cast<double>(samples.reference[i]) / samples.candidate[i]);
  }
  const double middle = Median(logs);
  std::vector<size_t> all(logs.size()), undisturbed;
  std::iota(all.begin(), all.end(), size_t{0});
  std::ranges::copy_if(all, std::back_inserter(undisturbed), [&](size_t round) {
    return std::abs(logs[round] - middle) <= std::log(kMostDisturbance);
  });
  return undisturbed.empty() ? all : undisturbed;
}

}  // namespace

void CheckGrid(const std::vector<TableKnob>& knobs) {
  constexpr double kMostPoints = 1e30;
  double points = 1;
  for (const TableKnob& knob : knobs) {
    points *= static_cast<double>(knob.values.size());
    if (points <= kMostPoints) continue;
    throw InputError("found a grid of " + std::to_string(knobs.size()) +
                     " knobs and more than 1e30 points, expected fewer");
  }
}

Table::Table(std::shared_ptr<const Task> task, TableFacts facts, std::vector<TableRow> rows,
             std::variant<KnobRows, TreeRows> shape)
    : task_(std::move(task)),
      facts_(std::move(facts)),
      rows_(std::move(rows)),
      shape_(std::move(shape)) {
  if (rows_.empty()) throw InputError("the table has no rows, expected one at least");
  CheckRows();
  if (const KnobRows* own = knobs()) {
    Index(*own);
  } else {
    Index(*tree());
  }
  if (is_foreign() || size() <= kMostTableRows) return;
  throw InputError("found a table of " + std::to_string(size()) + " rows, expected at most " +
                   std::to_string(kMostTableRows));
}

void Table::CheckRows() const {
  for (size_t i = 0; i < rows_.size(); ++i) {
    const double cost = rows_[i].cost_seconds;
    if (!std::isfinite(cost) || cost < 0) Refuse(i, "its cost is no time");
    if (!IsEvaluationResult(rows_[i].evaluation)) {
      Refuse(i, "expected seconds and a ratio within its interval, all above 0");
    }
    if (!AreSamples(rows_[i])) {
      Refuse(i, "expected samples above 0 of a success, as many of the reference");
    }
  }
}

void Table::Index(const KnobRows& rows) {
  SG_CHECK(rows.points.size() == rows_.size(), "a point for each row");
  SG_CHECK(rows.traces.empty() || rows.traces.size() == rows_.size(), "a trace for each row");
  for (const TableKnob& knob : rows.knobs) {
    if (knob.values.size() > 1) continue;
    throw InputError("knob '" + knob.name + "' of the table: expected two values at least");
  }
  CheckGrid(rows.knobs);
  for (const KnobTile& tile : rows.tiles) CheckTile(tile, rows.knobs);
  for (size_t i = 0; i < rows.points.size(); ++i) {
    CheckPoint(rows.points[i], rows.knobs, i);
    const auto [known, is_new] = points_.emplace(rows.points[i], i);
    if (!is_new) Refuse(i, "its point is that of row " + std::to_string(known->second));
  }
}

void Table::Index(const TreeRows& rows) {
  SG_CHECK(rows.parents.size() == rows_.size(), "a parent for each row");
  SG_CHECK(rows.steps.size() == rows_.size(), "a step for each row");
  if (rows.parents[0] != -1 || !rows.steps[0].empty()) {
    Refuse(0, "expected the naive program, of parent -1 and no step");
  }
  for (size_t i = 1; i < rows.parents.size(); ++i) {
    const int parent = rows.parents[i];
    if (parent < 0 || parent >= static_cast<int>(i)) {
      Refuse(i, "found parent " + std::to_string(parent) + ", expected a row before it");
    }
    if (rows.steps[i].empty()) Refuse(i, "expected a primitive");
    const auto [known, is_new] = children_.emplace(std::pair(parent, rows.steps[i]), i);
    if (!is_new) Refuse(i, "it is the same as row " + std::to_string(known->second));
  }
}

std::optional<int64_t> Table::Find(const KnobPoint& point) const {
  const auto found = points_.find(point);
  return found == points_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int64_t> Table::Find(int64_t parent, std::string_view step) const {
  const auto found = children_.find(std::pair(parent, std::string(step)));
  return found == children_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> Table::TraceText(int64_t row) const {
  if (is_foreign()) return std::nullopt;
  if (const KnobRows* own = knobs()) return own->traces.at(row);
  std::vector<std::string_view> steps;
  for (int64_t at = row; at > 0; at = tree()->parents.at(at)) steps.push_back(tree()->steps[at]);
  std::string text = "trace 1\n";
  for (size_t i = steps.size(); i-- > 0;) text.append(steps[i]).append("\n");
  return text;
}

bool Table::HasSamples() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const TableRow& row) {
    return !row.evaluation.ok() || !row.samples.empty();
  });
}

std::optional<int64_t> Table::Best() const {
  std::optional<int64_t> best;
  for (int64_t i = 0; i < size(); ++i) {
    const EvaluationResult& one = rows_[i].evaluation;
    if (!one.ok()) continue;
    if (!best || one.speed.median > rows_[*best].evaluation.speed.median) best = i;
  }
  return best;
}

std::string SamplesText(std::span<const float> samples, double middle) {
  std::string text;
  for (const float sample : samples) {
    SG_CHECK(sample > 0 && middle > 0, "samples are times");
    AppendInteger(std::llround(std::log(static_cast<double>(sample) / middle) * kSteps), text);
  }
  return text;
}

std::optional<std::vector<float>> ParseSamples(std::string_view text, double middle) {
  std::vector<float> samples;
  while (!text.empty()) {
    const std::optional<int64_t> steps = TakeInteger(text);
    if (!steps || std::abs(*steps) > kMostSteps || samples.size() == kMostSamples) {
      return std::nullopt;
    }
    const double sample = middle * std::exp(static_cast<double>(*steps) / kSteps);
    samples.push_back(static_cast<float>(sample));
    if (!std::isnormal(samples.back()) || samples.back() < 0) return std::nullopt;
  }
  if (samples.empty()) return std::nullopt;
  return samples;
}

Timing DrawAnew(const RawSamples& samples, double reference_seconds, IntervalRule rule, Rng& rng) {
  SG_CHECK(!samples.empty() && samples.reference.size() == samples.candidate.size(),
           "a sample of each for each round");
  const std::vector<size_t> rounds = UndisturbedRounds(samples);
  Timing timing;
  for (size_t i = 0; i < rounds.size(); ++i) {
    const size_t round = rounds[static_cast<size_t>(rng.Below(std::ssize(rounds)))];
    timing.samples.push_back(samples.candidate[round]);
    timing.reference_samples.push_back(samples.reference[round]);
  }
  timing.ratio = MedianRatio(timing.reference_samples, timing.samples, rule);
  timing.seconds = reference_seconds / timing.ratio.median;
  timing.first_call_seconds = timing.seconds;
  return timing;
}

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
