// Reads results of other tuners: T4 files (JSON, as Kernel Tuner and BAT write them) with an
// optional T1 file of parameters. Every parameter of at least two values is a knob; values that T1
// does not list are those that occur, numbers before words. A result's seconds are the median of
// its objective's measurement in its unit, its cost is compilation + validation + benchmark. The
// reference is the default configuration, else the median of successes. The task is a stand-in,
// named by the hash of the file. Errors: InputError with file and result.
#include "env/gym/tables/tuner_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/hash.h"
#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/gym/tables/table_file.h"
#include "env/gym/tables/tuner_input.h"
#include "env/program/language/parser.h"

namespace schedulegym {
namespace {

std::string TextOf(const Json& value) {
  return ValueText(value.is_string() ? value.Text() : value.ToText());
}

std::string TextAt(const Json& object, const char* first, const char* second) {
  const Json* inner = object.Find(first);
  const Json* found = inner != nullptr ? inner->Find(second) : nullptr;
  return found != nullptr && found->is_string() ? found->Text() : "";
}

double MedianOf(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const size_t middle = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

Outcome OutcomeOf(const std::string& invalidity) {
  if (invalidity == "correct") return Outcome::kOk;
  if (invalidity == "compile") return Outcome::kCompileError;
  if (invalidity == "runtime") return Outcome::kRunSignal;
  if (invalidity == "timeout") return Outcome::kRunTimeout;
  if (invalidity == "correctness") return Outcome::kWrongOutput;
  if (invalidity == "constraints") return Outcome::kInvalidSchedule;
  throw InputError("found invalidity '" + invalidity +
                   "', expected correct, compile, runtime, timeout, correctness or constraints");
}

// Kernel Tuner's words for failures, which replace a time.
std::optional<Outcome> FailureOf(const Json& value) {
  if (value.is_number())
    return value.As<double>() >= 1e20 ? std::optional(Outcome::kRunSignal) : std::nullopt;
  if (!value.is_string()) return std::nullopt;
  const std::string& word = value.Text();
  if (word == "CompilationFailedConfig") return Outcome::kCompileError;
  if (word == "RuntimeFailedConfig") return Outcome::kRunSignal;
  return word == "InvalidConfig" ? std::optional(Outcome::kInvalidSchedule) : std::nullopt;
}

class TunerReader {
 public:
  explicit TunerReader(TunerInput input) : input_(std::move(input)) {}

  Table Read(const Json& document, const std::string& name, std::string_view content) {
    if (!document.Has("results")) {
      throw InputError("found no results, expected a T4 file");
    }
    const Json& results = document["results"];
    if (!results.is_array() || results.empty()) {
      throw InputError("found no results, expected one configuration at least");
    }
    if (static_cast<int64_t>(results.size()) > kMostTunerRows) {
      throw InputError("found " + std::to_string(results.size()) + " results, expected at most " +
                       std::to_string(kMostTunerRows));
    }
    const std::string unit = TextAt(document, "metadata", "timeunit");
    time_unit_ = UnitOf(unit.empty() ? "ms" : unit, "timeunit");
    FindParameters(results);
    for (row_ = 0; row_ < results.size(); ++row_) ReadResult(results[row_]);
    return Finish(name, content);
  }

  // The current result, for errors of its JSON.
  size_t row() const { return row_; }

 private:
  static double UnitOf(const std::string& unit, const std::string& what) {
    if (const std::optional<double> seconds = SecondsOfUnit(unit)) return *seconds;
    throw InputError("found unit '" + unit + "' of " + what + ", expected a unit of time");
  }

  [[noreturn]] void Refuse(const std::string& message) const {
    throw InputError("result " + std::to_string(row_) + ": " + message);
  }

  void FindParameters(const Json& results) {
    const bool is_given = !input_.parameters.empty();
    for (const TableKnob& one : input_.parameters) Declare(one);
    for (row_ = 0; row_ < results.size(); ++row_) {
      for (const auto& [name, value] : results[row_]["configuration"].members()) {
        const auto known = numbers_.find(name);
        if (known != numbers_.end()) {
          AddValue(known->second, TextOf(value));
        } else if (is_given || row_ > 0) {
          Refuse("found parameter '" + name + "', which " +
                 (is_given ? "the T1 file" : "the first result") + " does not have");
        } else {
          input_.parameters.push_back({name, {}});
          Declare(input_.parameters.back());
          AddValue(input_.parameters.size() - 1, TextOf(value));
        }
      }
    }
    for (size_t i = 0; i < input_.parameters.size(); ++i) {
      std::vector<std::string>& values = input_.parameters[i].values;
      if (is_open_[i]) std::sort(values.begin(), values.end(), IsValueBefore);
      for (size_t v = 0; v < values.size(); ++v) positions_[i][values[v]] = static_cast<int>(v);
    }
    knob_of_.assign(input_.parameters.size(), -1);
    for (size_t i = 0; i < input_.parameters.size(); ++i) {
      if (input_.parameters[i].values.size() < 2) continue;
      knob_of_[i] = static_cast<int>(rows_.knobs.size());
      rows_.knobs.push_back(input_.parameters[i]);
    }
    if (rows_.knobs.empty()) throw InputError("found no parameter of two values at least");
  }

  // Declares the next parameter, with its known values.
  void Declare(const TableKnob& parameter) {
    if (!numbers_.emplace(parameter.name, positions_.size()).second) {
      throw InputError("the T1 file has parameter '" + parameter.name +
                       "' twice, expected different names");
    }
    is_open_.push_back(parameter.values.empty());
    positions_.emplace_back();
    for (const std::string& value : parameter.values) positions_.back().emplace(value, 0);
  }

  // Collects the values that occur in results, for parameters that T1 does not list.
  void AddValue(size_t parameter, const std::string& value) {
    if (positions_[parameter].contains(value)) return;
    if (is_open_[parameter]) {
      positions_[parameter].emplace(value, 0);
      input_.parameters[parameter].values.push_back(value);
      return;
    }
    Refuse("found value '" + value + "' of '" + input_.parameters[parameter].name +
           "', expected one that the T1 file lists");
  }

  // The point of a result; nullopt if a value is missing or unknown.
  std::optional<KnobPoint> PointOf(
      const std::vector<std::optional<std::string>>& configuration) const {
    KnobPoint point(rows_.knobs.size(), 0);
    for (size_t i = 0; i < configuration.size(); ++i) {
      if (knob_of_[i] < 0) continue;
      if (!configuration[i]) return std::nullopt;
      const auto found = positions_[i].find(*configuration[i]);
      if (found == positions_[i].end()) return std::nullopt;
      point[knob_of_[i]] = found->second;
    }
    return point;
  }

  void ReadResult(const Json& result) {
    const Json& configuration = result["configuration"];
    std::vector<std::optional<std::string>> values;
    for (const TableKnob& one : input_.parameters) {
      const Json* found = configuration.Find(one.name);
      if (found == nullptr) Refuse("found no value of parameter '" + one.name + "'");
      values.push_back(TextOf(*found));
    }
    const KnobPoint point = PointOf(values).value();
    const auto [known, is_new] = known_.emplace(point, rows_.points.size());
    if (is_new) {
      rows_.points.push_back(point);
      answers_.emplace_back();
    }
    answers_[known->second] = {EvaluationResultOf(result), CostOf(result)};
  }

  // The speed is relative to no reference yet.
  EvaluationResult EvaluationResultOf(const Json& result) const {
    const Outcome outcome = OutcomeOf(result["invalidity"].Text());
    if (outcome != Outcome::kOk) return FailedEvaluationResult(outcome);
    if (result.ValueOr("correctness", 1.0) <= 0)
      return FailedEvaluationResult(Outcome::kWrongOutput);
    const Json* objectives = result.Find("objectives");
    const bool has_objective = objectives != nullptr && !objectives->empty();
    const std::string objective = has_objective ? (*objectives)[0].Text() : "time";
    for (const Json& one : result["measurements"].elements()) {
      if (one["name"].Text() != objective) continue;
      const Json& value = one["value"];
      if (const auto failure = FailureOf(value)) return FailedEvaluationResult(*failure);
      return ExactEvaluationResult(1, SecondsOf(one, objective));
    }
    Refuse("found no measurement of its objective '" + objective + "'");
  }

  double SecondsOf(const Json& measurement, const std::string& objective) const {
    const std::string written = measurement.ValueOr("unit", std::string());
    const bool is_kernel_tuner = written.empty() && objective.rfind("time", 0) == 0;
    const double unit =
        UnitOf(is_kernel_tuner ? "ms" : written, "the objective '" + objective + "'");
    const Json& value = measurement["value"];
    std::vector<double> numbers;
    if (value.is_array()) {
      numbers = value.As<std::vector<double>>();
    } else if (value.is_number()) {
      numbers = {value.As<double>()};
    }
    const double seconds = numbers.empty() ? 0 : MedianOf(numbers) * unit;
    if (std::isfinite(seconds) && seconds > 0) return seconds;
    Refuse("found " + value.ToText() + " as its '" + objective + "', expected a time above 0");
  }

  double CostOf(const Json& result) const {
    const Json* times = result.Find("times");
    if (times == nullptr) return 0;
    const auto time = [&](std::initializer_list<const char*> names) -> std::optional<double> {
      for (const char* name : names) {
        const Json* found = times->Find(name);
        if (found != nullptr && found->is_number()) return found->As<double>();
      }
      return std::nullopt;
    };
    std::optional<double> runs = time({"benchmark", "benchmark_time", "runtimes"});
    const Json* list = times->Find("runtimes");
    if (!runs && list != nullptr && list->is_array()) {
      runs = 0;
      for (const Json& run : list->elements()) *runs += run.is_number() ? run.As<double>() : 0;
    }
    const double cost = time({"compilation", "compilation_time"}).value_or(0) +
                        time({"validation", "validation_time", "verification"}).value_or(0) +
                        runs.value_or(0);
    return cost * time_unit_;
  }

  double ReferenceSeconds() const {
    const std::optional<KnobPoint> point = PointOf(input_.defaults);
    const auto found = point && !input_.defaults.empty() ? known_.find(*point) : known_.end();
    if (found != known_.end() && answers_[found->second].evaluation.ok()) {
      return *answers_[found->second].evaluation.seconds;
    }
    std::vector<double> seconds;
    for (const TableRow& row : answers_) {
      if (row.evaluation.ok()) seconds.push_back(*row.evaluation.seconds);
    }
    if (seconds.empty()) throw InputError("found no result that succeeded, expected one at least");
    return MedianOf(std::move(seconds));
  }

  Table Finish(const std::string& name, std::string_view content) {
    TableFacts facts;
    facts.space = "file";
    facts.host = input_.device;
    facts.reference_seconds = ReferenceSeconds();
    for (TableRow& row : answers_) {
      if (!row.evaluation.ok()) continue;
      const double seconds = *row.evaluation.seconds;
      row.evaluation = ExactEvaluationResult(facts.reference_seconds / seconds, seconds);
    }
    Hasher hasher;
    hasher.Add(content);
    const std::string stem = std::filesystem::path(name).stem().string();
    Task task = {
        *ParseDag("input X[1]\nfile_" + hasher.KeyValue().ToText() + "[i:1] = X[i]\n", "stand-in"),
        Target(), input_.kernel.empty() ? stem : input_.kernel};
    task.target.backend = BackendKind::kInterpreter;
    return {std::make_shared<const Task>(std::move(task)), std::move(facts), std::move(answers_),
            std::move(rows_)};
  }

  TunerInput input_;
  std::map<std::string, size_t> numbers_;              // positions of parameters, by name
  std::vector<std::map<std::string, int>> positions_;  // by parameter: position of each value
  std::vector<bool> is_open_;  // by parameter: whether its values are those that occur
  std::vector<int> knob_of_;   // by parameter, -1 if it is no knob
  double time_unit_ = 1e-3;
  size_t row_ = 0;
  KnobRows rows_;
  std::vector<TableRow> answers_;
  std::map<KnobPoint, size_t> known_;
};

Json ParseResults(std::string_view text) {
  if (text.substr(0, 2) == "\x1f\x8b") {
    throw InputError("is compressed, expected JSON, as gunzip leaves it");
  }
  if (const auto beyond = BeyondLimits(text)) throw InputError(*beyond);
  Result<Json> document = ParseJson(text);
  if (!document) {
    throw InputError("is no JSON, expected a T4 file: " + document.error().message +
                     (text.find("NaN") != text.npos
                          ? "; JSON has no NaN, expected 'invalidity' of what failed"
                          : ""));
  }
  return *std::move(document);
}

std::string ReadInputIfAny(const std::string& path) {
  return path.empty() ? "" : ReadUntrustedFile(path, kTunerInputFile);
}

}  // namespace

Table ParseTunerFile(std::string_view results, std::string_view input, const std::string& name) {
  try {
    TunerReader reader(input.empty() ? TunerInput() : ParseTunerInput(input));
    const Json document = ParseResults(results);
    try {
      return reader.Read(document, name, results);
    } catch (const JsonError&) {
      throw InputError("result " + std::to_string(reader.row()) +
                       ": found a field that is missing or of another kind than T4 has");
    }
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  }
}

Table ReadAnyTable(const std::string& path, const std::string& input) {
  const std::string content = ReadPackedFile(path, kTableFile);
  if (!IsTableText(content)) {
    return ParseTunerFile(content, ReadInputIfAny(input), path);
  }
  if (input.empty()) return ParseTable(content, path);
  throw InputError("found a T1 file beside '" + path + "', which needs none");
}

}  // namespace schedulegym
