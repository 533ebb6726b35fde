#include "agents/schedulers/simulation/curve_file.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/json_limits.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersionField = "schedulegym_curve";

// To four digits: what a trial took is not known better.
double Rounded(double seconds) {
  if (seconds <= 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(seconds)) - 3);
  return std::round(seconds / unit) * unit;
}

Json TurnJson(const RecordedCurve& curve, size_t index, int64_t begin) {
  const TaskCurve& whole = curve.whole;
  const Turn& turn = whole.turns[index];
  Json trials = Json::array();
  for (int64_t i = begin; i < begin + turn.trials; ++i) {
    Json trial = {Rounded(whole.seconds_by_trial[i])};
    // A best that there is never goes again.
    const std::optional<double>& best = whole.best_by_trial[i];
    const bool had_one = i > 0 && whole.best_by_trial[i - 1].has_value();
    if (best && (!had_one || *best != *whole.best_by_trial[i - 1])) trial.push_back(*best);
    trials.push_back(std::move(trial));
  }
  Json json = {{"at", curve.places[index]},
               {"seconds", turn.seconds},
               {"thinking", turn.thinking},
               {"failures", turn.failures},
               {"faults", turn.faults}};
  const std::optional<double> known = index > 0 && whole.turns[index - 1].best
                                          ? whole.turns[index - 1].best->reference
                                          : curve.reference;
  if (turn.best && turn.best->reference != known) json["reference"] = turn.best->reference;
  json["trials"] = std::move(trials);
  return json;
}

Json CurveJson(const RecordedCurve& curve, size_t number, size_t of) {
  Json turns = Json::array();
  int64_t trials = 0;
  for (size_t i = 0; i < curve.whole.turns.size(); ++i) {
    turns.push_back(TurnJson(curve, i, trials));
    trials += curve.whole.turns[i].trials;
  }
  Json json = {{kVersionField, kCurveVersion},
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
               {"tag", curve.facts.tag}};
  if (curve.reference) json["reference"] = *curve.reference;
  json["turns"] = std::move(turns);
  return json;
}

void Expect(bool holds, const std::string& message) {
  if (!holds) throw InputError(message);
}

double NumberAbove(const Json& object, const char* name, double low) {
  const auto number = object.at(name).get<double>();
  Expect(number >= low && number <= std::numeric_limits<double>::max(),
         std::string("found ") + name + " " + FormatDouble(number) + ", expected at least " +
             FormatDouble(low));
  return number;
}

int64_t CountUpTo(const Json& object, const char* name, int64_t most) {
  const auto count = object.at(name).get<int64_t>();
  Expect(count >= 0 && count <= most, std::string("found ") + name + " " + std::to_string(count) +
                                          ", expected 0 to " + std::to_string(most));
  return count;
}

// Of the line that is read.
class CurveReader {
 public:
  explicit CurveReader(const Json& json) : json_(json) {}

  RecordedCurve Read() {
    curve_.search = json_.at("search").get<std::string>();
    curve_.task = json_.at("task").get<std::string>();
    curve_.agent = json_.at("agent").get<std::string>();
    curve_.measure = json_.value("measure", curve_.measure);
    curve_.scheduler = json_.at("scheduler").get<std::string>();
    curve_.seed = json_.at("seed").get<uint64_t>();
    ReadFacts();
    if (json_.contains("reference")) {
      curve_.reference = NumberAbove(json_, "reference", kLeastSeconds);
    }
    reference_ = curve_.reference.value_or(0);
    for (const Json& turn : json_.at("turns")) ReadTurn(turn);
    Expect(curve_.has_latency() || !ratio_,
           "found a success and no reference, expected the reference's seconds");
    Expect(curve_.whole.seconds() > 0, "found no turns that took time, expected at least one");
    return std::move(curve_);
  }

 private:
  static constexpr double kLeastSeconds = 1e-12;

  void ReadFacts() {
    curve_.facts.counts = json_.at("counts").get<std::vector<double>>();
    double sum = 0;
    for (double count : curve_.facts.counts) {
      Expect(count >= 0, "found a count below 0");
      sum += count;
    }
    Expect(sum > 0 && sum <= std::numeric_limits<double>::max(), "found counts that are all 0");
    curve_.facts.flops = NumberAbove(json_, "flops", 0);
    curve_.facts.tag = json_.at("tag").get<std::string>();
  }

  void ReadTurn(const Json& json) {
    Turn turn;
    const Json& trials = json.at("trials");
    turn.trials = std::ssize(trials);
    Expect(trials.is_array() && turn.trials > 0, "found a turn without trials");
    turn.failures = CountUpTo(json, "failures", turn.trials);
    turn.faults = CountUpTo(json, "faults", turn.failures);
    turn.thinking = NumberAbove(json, "thinking", 0);
    turn.seconds = NumberAbove(json, "seconds", 0);
    if (json.contains("reference")) reference_ = NumberAbove(json, "reference", kLeastSeconds);
    for (const Json& trial : trials) ReadTrial(trial);
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
    const auto seconds = trial[0].get<double>();
    Expect(seconds >= 0 && seconds <= std::numeric_limits<double>::max(),
           "found a trial of less than 0 seconds");
    if (trial.size() == 2) {
      const auto ratio = trial[1].get<double>();
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

// What each search has of its curves.
class Completeness {
 public:
  void Add(const Json& json) {
    const auto of = json.at("of").get<size_t>(), number = json.at("number").get<size_t>();
    Expect(number < of, "found curve " + std::to_string(number) + " of " + std::to_string(of));
    Seen& seen = searches_[json.at("search").get<std::string>()];
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
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded()) throw InputError("found no JSON object: it is cut short or no curve");
  Expect(json.is_object() && json.contains(kVersionField),
         "found no curve, expected what tune --curves-out writes");
  const auto version = json.at(kVersionField).get<int64_t>();
  Expect(version == kCurveVersion, "found a curve of version " + std::to_string(version) +
                                       ", expected version " + std::to_string(kCurveVersion));
  return json;
}

}  // namespace

std::string CurveText(std::span<const RecordedCurve> curves) {
  std::string text;
  for (size_t i = 0; i < curves.size(); ++i) {
    text += CurveJson(curves[i], i, curves.size()).dump() + "\n";
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
    } catch (const Json::exception&) {
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
