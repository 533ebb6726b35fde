// Curves of searches as JSON lines, one a task: its search, facts, reference seconds, and turns of
// trials [seconds] or [seconds, speed], with the speed if it is a new best. Seconds have four
// digits. A search's curves are numbered, so that truncated files are detected. The reader checks
// counts, ranges, rising bests and rising places. Errors: InputError with file and line. Cost:
// O(bytes).
#include "agents/schedulers/simulation/curve_file.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kVersionField = "schedulegym_curve";

// Rounds to four digits, as a trial's seconds are not more precise.
double Rounded(double seconds) {
  if (seconds <= 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(seconds)) - 3);
  return std::round(seconds / unit) * unit;
}

Json TurnJson(const RecordedCurve& curve, size_t index, int64_t begin) {
  const TaskCurve& whole = curve.whole;
  const Turn& turn = whole.turns[index];
  Json trials = Json::Array();
  for (int64_t i = begin; i < begin + turn.trials; ++i) {
    Json trial = Json::Array(Rounded(whole.seconds_by_trial[i]));
    // A best is never removed.
    const std::optional<double>& best = whole.best_by_trial[i];
    const bool had_one = i > 0 && whole.best_by_trial[i - 1].has_value();
    if (best && (!had_one || *best != *whole.best_by_trial[i - 1])) trial.Add(*best);
    trials.Add(std::move(trial));
  }
  Json json = Json::Object({{"at", curve.places[index]},
                            {"seconds", turn.seconds},
                            {"thinking", turn.thinking},
                            {"failures", turn.failures},
                            {"faults", turn.faults}});
  const std::optional<double> known = index > 0 && whole.turns[index - 1].best
                                          ? whole.turns[index - 1].best->reference
                                          : curve.reference;
  if (turn.best && turn.best->reference != known) json.Set("reference", turn.best->reference);
  json.Set("trials", std::move(trials));
  return json;
}

Json CurveJson(const RecordedCurve& curve, size_t number, size_t of) {
  Json turns = Json::Array();
  int64_t trials = 0;
  for (size_t i = 0; i < curve.whole.turns.size(); ++i) {
    turns.Add(TurnJson(curve, i, trials));
    trials += curve.whole.turns[i].trials;
  }
  Json json = Json::Object({{kVersionField, kCurveVersion},
                            {"search", curve.search},
                            {"number", number},
                            {"of", of},
                            {"task", curve.task},
                            {"agent", curve.agent},
                            {"measure", curve.measure},
                            {"scheduler", curve.scheduler},
                            {"seed", curve.seed},
                            {"counts", curve.facts.counts},
                            {"flops", curve.facts.flops},
                            {"tag", curve.facts.tag}});
  if (curve.reference) json.Set("reference", *curve.reference);
  json.Set("turns", std::move(turns));
  return json;
}

void Expect(bool holds, const std::string& message) {
  if (!holds) throw InputError(message);
}

double NumberAbove(const Json& object, const char* name, double low) {
  const auto number = object[name].As<double>();
  Expect(number >= low && number <= std::numeric_limits<double>::max(),
         std::string("found ") + name + " " + FormatDouble(number) + ", expected at least " +
             FormatDouble(low));
  return number;
}

int64_t CountUpTo(const Json& object, const char* name, int64_t most) {
  const auto count = object[name].As<int64_t>();
  Expect(count >= 0 && count <= most, std::string("found ") + name + " " + std::to_string(count) +
                                          ", expected 0 to " + std::to_string(most));
  return count;
}

// Reads one line.
class CurveReader {
 public:
  explicit CurveReader(const Json& json) : json_(json) {}

  RecordedCurve Read() {
    curve_.search = json_["search"].Text();
    curve_.task = json_["task"].Text();
    curve_.agent = json_["agent"].Text();
    curve_.measure = json_.ValueOr("measure", curve_.measure);
    curve_.scheduler = json_["scheduler"].Text();
    curve_.seed = json_["seed"].As<uint64_t>();
    ReadFacts();
    if (json_.Has("reference")) {
      curve_.reference = NumberAbove(json_, "reference", kLeastSeconds);
    }
    reference_ = curve_.reference.value_or(0);
    for (const Json& turn : json_["turns"].elements()) ReadTurn(turn);
    Expect(curve_.has_latency() || !ratio_,
           "found a success and no reference, expected the reference's seconds");
    Expect(curve_.whole.seconds() > 0, "found no turns that took time, expected at least one");
    return std::move(curve_);
  }

 private:
  static constexpr double kLeastSeconds = 1e-12;

  void ReadFacts() {
    curve_.facts.counts = json_["counts"].As<std::vector<double>>();
    double sum = 0;
    for (double count : curve_.facts.counts) {
      Expect(count >= 0, "found a count below 0");
      sum += count;
    }
    Expect(sum > 0 && sum <= std::numeric_limits<double>::max(), "found counts that are all 0");
    curve_.facts.flops = NumberAbove(json_, "flops", 0);
    curve_.facts.tag = json_["tag"].Text();
  }

  void ReadTurn(const Json& json) {
    Turn turn;
    const Json& trials = json["trials"];
    turn.trials = static_cast<int64_t>(trials.size());
    Expect(trials.is_array() && turn.trials > 0, "found a turn without trials");
    turn.failures = CountUpTo(json, "failures", turn.trials);
    turn.faults = CountUpTo(json, "faults", turn.failures);
    turn.thinking = NumberAbove(json, "thinking", 0);
    turn.seconds = NumberAbove(json, "seconds", 0);
    if (json.Has("reference")) reference_ = NumberAbove(json, "reference", kLeastSeconds);
    for (const Json& trial : trials.elements()) ReadTrial(trial);
    if (ratio_) turn.best = BestResult{*ratio_, reference_};
    const int64_t place = CountUpTo(json, "at", std::numeric_limits<int64_t>::max());
    Expect(curve_.places.empty() || place > curve_.places.back(), "found turns out of order");
    curve_.places.push_back(place);
    curve_.whole.turns.push_back(turn);
    curve_.whole.best = turn.best;
  }

  void ReadTrial(const Json& trial) {
    Expect(trial.is_array() && (trial.size() == 1 || trial.size() == 2),
           "found a trial that is not [seconds] or [seconds, speed]");
    const auto seconds = trial[0].As<double>();
    Expect(seconds >= 0 && seconds <= std::numeric_limits<double>::max(),
           "found a trial of less than 0 seconds");
    if (trial.size() == 2) {
      const auto ratio = trial[1].As<double>();
      Expect(ratio > ratio_.value_or(0) && ratio <= std::numeric_limits<double>::max(),
             "found a best speed of " + FormatDouble(ratio) + ", expected one above " +
                 FormatDouble(ratio_.value_or(0)));
      ratio_ = ratio;
    }
    curve_.whole.seconds_by_trial.push_back(seconds);
    curve_.whole.best_by_trial.push_back(ratio_);
  }

  const Json& json_;
  RecordedCurve curve_;
  std::optional<double> ratio_;
  double reference_ = 0;
};

// The curves of each search that have been read.
class Completeness {
 public:
  void Add(const Json& json) {
    const auto of = json["of"].As<size_t>(), number = json["number"].As<size_t>();
    Expect(number < of, "found curve " + std::to_string(number) + " of " + std::to_string(of));
    Seen& seen = searches_[json["search"].Text()];
    Expect(seen.numbers.empty() || seen.of == of, "found another number of curves than before");
    seen.of = of;
    Expect(seen.numbers.insert(number).second,
           "found curve " + std::to_string(number) + " of its search for the second time");
  }

  void Check() const {
    for (const auto& [search, seen] : searches_) {
      Expect(seen.numbers.size() == seen.of, "found " + std::to_string(seen.numbers.size()) +
                                                 " curves of search '" + search + "', expected " +
                                                 std::to_string(seen.of) + ": it is cut short");
    }
  }

 private:
  struct Seen {
    size_t of = 0;
    std::set<size_t> numbers;
  };
  std::map<std::string, Seen> searches_;
};

Json ParseCurveLine(const std::string& line) {
  if (const auto beyond = BeyondLimits(line)) throw InputError(*beyond);
  Result<Json> json = ParseJson(line);
  if (!json) {
    throw InputError("found no JSON object: it is cut short or no curve: " + json.error().message);
  }
  Expect(json->Has(kVersionField), "found no curve, expected what tune --curves-out writes");
  const auto version = (*json)[kVersionField].As<int64_t>();
  Expect(version == kCurveVersion, "found a curve of version " + std::to_string(version) +
                                       ", expected version " + std::to_string(kCurveVersion));
  return *std::move(json);
}

}  // namespace

std::string CurveText(std::span<const RecordedCurve> curves) {
  std::string text;
  for (size_t i = 0; i < curves.size(); ++i) {
    text += CurveJson(curves[i], i, curves.size()).ToText({.replace_invalid = true}) + "\n";
  }
  return text;
}

std::vector<RecordedCurve> ParseCurves(std::string_view text, const std::string& name) {
  const std::vector<std::string> lines = SplitLines(text);
  std::vector<RecordedCurve> curves;
  Completeness completeness;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string place = name + ":" + std::to_string(i + 1) + ": ";
    try {
      const Json json = ParseCurveLine(lines[i]);
      completeness.Add(json);
      curves.push_back(CurveReader(json).Read());
    } catch (const JsonError&) {
      throw InputError(place + "found a field that is missing or of another kind than a curve's");
    } catch (const InputError& error) {
      throw InputError(place + error.what());
    }
  }
  if (curves.empty()) throw InputError(name + ": holds nothing, expected curves");
  try {
    completeness.Check();
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  }
  return curves;
}

std::vector<RecordedCurve> ReadCurveFiles(std::span<const std::string> paths) {
  std::vector<RecordedCurve> curves;
  for (const std::string& path : paths) {
    std::vector<RecordedCurve> read = ParseCurves(ReadPackedFile(path, kCurveFile), path);
    curves.insert(curves.end(), std::make_move_iterator(read.begin()),
                  std::make_move_iterator(read.end()));
  }
  return curves;
}

}  // namespace schedulegym
