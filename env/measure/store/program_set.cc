// The file's first line is its head: tasks, and each word and step once. A line each for the
// programs follows, which names them by their positions. Samples are rounded to four digits.
#include "env/measure/store/program_set.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/json.h"
#include "env/base/text.h"
#include "env/measure/store/ansor_programs.h"
#include "env/program/workloads/program_split.h"

namespace schedulegym {
namespace {

constexpr const char* kFormat = "points";
constexpr int kVersion = 1;
constexpr const char* kParquetMagic = "PAR1";
constexpr const char* kExpected = "a file of programs, a store or a table";

// Texts by position, each once.
class Dictionary {
 public:
  int64_t Position(const std::string& text) {
    const auto [known, is_new] = positions_.emplace(text, std::ssize(texts_));
    if (is_new) texts_.push_back(text);
    return known->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, int64_t> positions_;
  std::vector<std::string> texts_;
};

// Throws if nothing in the store was measured. `estimates` counts its records by their source.
void RefuseEstimates(const std::map<std::string, int64_t>& estimates) {
  std::vector<std::string> found;
  for (const auto& [name, count] : estimates) {
    found.push_back(std::to_string(count) + " of --measure " + name);
  }
  if (found.empty()) return;
  throw InputError("found no measured program, but records that were not measured (" +
                   Join(found, ", ") + "), expected those of --measure host");
}

// The caches of the target. They distinguish machines, whatever processor and number of cores the
// target names.
std::string CachesOf(const TaskInfo& info) {
  const Result<Spec> target = ParseSpec(info.target);
  if (!target) return info.target;
  std::string caches;
  for (const SpecOption& option : target->options) {
    const bool is_cache = option.key == "l1" || option.key == "l2" || option.key == "l3";
    if (is_cache) caches += (caches.empty() ? "" : ",") + option.key + "=" + option.value.ToText();
  }
  return caches;
}

// To four significant digits: the number nearest to the decimal, so that rounding it as a float
// gives the same again.
double Rounded(double value) {
  if (!(value > 0) || !std::isfinite(value)) return value;
  std::array<char, 32> text;
  const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific, 3);
  std::from_chars(text.begin(), end.ptr, value);
  return value;
}

double MiddleOf(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Seconds of the reference beside a success, from samples rounded as in files, so that a file that
// is read and written again stays the same. nullopt for a program without samples.
std::optional<double> SeenReference(const MeasuredProgram& program) {
  if (program.outcome != Outcome::kOk || program.samples.empty()) return std::nullopt;
  std::vector<double> samples;
  for (const float sample : program.samples) samples.push_back(Rounded(sample));
  return MiddleOf(std::move(samples)) * program.ratio.median;
}

void CountFromOneReference(ProgramSet* set) {
  std::map<std::pair<int, std::string>, std::vector<double>> seen;  // by task and host
  for (const MeasuredProgram& program : set->programs) {
    if (const auto reference = SeenReference(program)) {
      seen[{program.task, program.host}].push_back(*reference);
    }
  }
  std::map<std::pair<int, std::string>, double> references;
  for (auto& [owner, values] : seen) references[owner] = MiddleOf(std::move(values));
  for (MeasuredProgram& program : set->programs) {
    const auto reference = references.find({program.task, program.host});
    if (program.outcome != Outcome::kOk || reference == references.end()) continue;
    program.seconds = reference->second / program.ratio.median;
  }
}

Json RowOf(const MeasuredProgram& program, Dictionary& words, Dictionary& steps) {
  Json trace = Json::Array();
  for (const std::string& line : SplitLines(program.trace)) {
    if (!line.empty()) trace.Add(steps.Position(line));
  }
  Json row = Json::Array(program.task, words.Position(program.space), words.Position(program.part),
                         words.Position(program.host), words.Position(OutcomeName(program.outcome)),
                         std::move(trace));
  if (program.outcome != Outcome::kOk) return row;
  row.Add(program.seconds);
  row.Add(Json::Array(program.ratio.median, program.ratio.low, program.ratio.high));
  Json samples = Json::Array();
  for (const float sample : program.samples) samples.Add(Rounded(sample));
  row.Add(std::move(samples));
  return row;
}

struct Header {
  std::vector<std::string> words;
  std::vector<std::string> steps;
  std::vector<std::string> keys;  // by row; empty if there are none
};

constexpr size_t kKeyDigits = 16;

bool HaveKeys(const ProgramSet& set) {
  return !set.programs.empty() &&
         std::ranges::none_of(set.programs, &std::string::empty, &MeasuredProgram::key);
}

Json KeysOf(const ProgramSet& set) {
  Json keys = Json::Array();
  for (const MeasuredProgram& program : set.programs) keys.Add(program.key);
  return keys;
}

void SetKeys(const std::vector<std::string>& keys, ProgramSet* set) {
  if (keys.empty()) return;
  if (keys.size() != set->programs.size()) {
    throw InputError("found " + std::to_string(set->programs.size()) + " programs, expected " +
                     std::to_string(keys.size()) + " as there are keys");
  }
  for (size_t i = 0; i < keys.size(); ++i) set->programs[i].key = keys[i];
}

template <typename T>
const T& At(const std::vector<T>& list, int64_t position, const char* what) {
  if (position >= 0 && position < std::ssize(list)) return list[position];
  throw InputError(std::string("found ") + what + " " + std::to_string(position) +
                   ", expected less than " + std::to_string(list.size()));
}

Header ReadHeader(const Json& json, ProgramSet* set) {
  const Json* format = json.Find("format");
  if (format == nullptr || !format->is_string() || format->Text() != kFormat) {
    throw InputError(std::string("found no format '") + kFormat + "', expected " + kExpected);
  }
  const auto version = json["version"].As<int64_t>();
  if (version != kVersion) {
    throw InputError("found version " + std::to_string(version) + ", expected " +
                     std::to_string(kVersion));
  }
  for (const Json& task : json["tasks"].elements()) {
    const std::optional<Key> key = ParseKey(task["key"].Text());
    if (!key)
      throw InputError("found the key '" + task["key"].Text() + "', expected 32 hex digits");
    set->tasks.push_back(
        {{*key, task["workload"].Text(), task["dag"].Text(), task["target"].Text()},
         task["split"].Text()});
  }
  const Json* keys = json.Find("keys");
  return {json["words"].As<std::vector<std::string>>(),
          json["steps"].As<std::vector<std::string>>(),
          keys != nullptr ? keys->As<std::vector<std::string>>() : std::vector<std::string>()};
}

MeasuredProgram ReadRow(const Json& row, const Header& header, const ProgramSet& set) {
  MeasuredProgram program;
  program.task = row[0].As<int>();
  At(set.tasks, program.task, "task");
  program.space = At(header.words, row[1].As<int64_t>(), "word");
  program.part = At(header.words, row[2].As<int64_t>(), "word");
  program.host = At(header.words, row[3].As<int64_t>(), "word");
  const std::string& outcome = At(header.words, row[4].As<int64_t>(), "word");
  const std::optional<Outcome> parsed = ParseOutcome(outcome);
  if (!parsed)
    throw InputError("found the outcome '" + outcome + "', expected one of this version");
  program.outcome = *parsed;
  for (const Json& step : row[5].elements()) {
    program.trace += At(header.steps, step.As<int64_t>(), "step") + "\n";
  }
  if (program.outcome != Outcome::kOk) return program;
  program.seconds = row[6].As<double>();
  program.ratio = {row[7][0].As<double>(), row[7][1].As<double>(), row[7][2].As<double>()};
  program.samples = row[8].As<std::vector<float>>();
  if (!(program.seconds > 0) || !std::isfinite(program.seconds)) {
    throw InputError("found " + FormatDouble(program.seconds) + " seconds, expected more than 0");
  }
  return program;
}

// The programs of a set by task, machine and schedule. A schedule is identified by its key, or, in
// tables and older files without keys, by its trace.
class KnownPrograms {
 public:
  void Add(const ProgramSet& set, size_t row) {
    const MeasuredProgram& program = set.programs[row];
    if (!program.key.empty()) by_key_[Owner(program, program.key)] = row;
    by_trace_[Owner(program, program.trace)] = row;
  }
  std::optional<size_t> Find(const MeasuredProgram& program) const {
    if (!program.key.empty()) {
      const auto row = by_key_.find(Owner(program, program.key));
      if (row != by_key_.end()) return row->second;
    }
    const auto row = by_trace_.find(Owner(program, program.trace));
    return row != by_trace_.end() ? std::optional(row->second) : std::nullopt;
  }

 private:
  using Identity = std::tuple<int, std::string, std::string>;
  static Identity Owner(const MeasuredProgram& program, const std::string& schedule) {
    return {program.task, program.host, schedule};
  }
  std::map<Identity, size_t> by_key_, by_trace_;
};

}  // namespace

std::string ProgramKey(const Key& state) { return state.ToText().substr(0, kKeyDigits); }

ProgramSet ProgramsOf(const RecordStore& store,
                      const std::function<std::string(const std::string& note)>& part_of) {
  ProgramSet set;
  const std::vector<ProgramSplit> splits = ProgramSplits();
  std::map<Key, int> tasks;
  std::map<std::pair<Key, Key>, size_t> rows;  // by task and state
  std::map<std::string, int64_t> estimates;    // by their source
  store.ForEach([&](const Record& record) {
    const Measurement& measurement = record.measurement;
    if (!WasMeasured(measurement)) ++estimates[MeasurerOf(measurement)];
    if (!WasMeasured(measurement) || !MayLearnFrom(measurement.outcome) || record.suspect) return;
    const auto [task, is_new] = tasks.emplace(record.task->key, static_cast<int>(tasks.size()));
    if (is_new) {
      set.tasks.push_back({*record.task, SplitOf(splits, record.task->workload).value_or("")});
    }
    MeasuredProgram program{task->second,
                            record.trace,
                            record.space,
                            part_of(record.note),
                            record.host,
                            measurement.outcome,
                            0,
                            {},
                            {},
                            ProgramKey(record.state_key)};
    if (measurement.ok()) {
      program.seconds = measurement.timing->seconds;
      program.ratio = measurement.timing->ratio;
      program.samples = measurement.timing->samples;
    }
    const auto [row, is_first] =
        rows.emplace(std::pair(record.task->key, record.state_key), set.programs.size());
    if (is_first) {
      set.programs.push_back(std::move(program));
    } else {
      set.programs[row->second] = std::move(program);
    }
  });
  if (set.programs.empty()) RefuseEstimates(estimates);
  return set;
}

void Append(const ProgramSet& more, ProgramSet* set) {
  set->notes.insert(set->notes.end(), more.notes.begin(), more.notes.end());
  std::map<std::string, std::string> caches;  // by host
  for (const MeasuredProgram& program : set->programs) {
    caches.emplace(program.host, CachesOf(set->tasks[program.task].info));
  }
  std::map<Key, int> positions;
  for (size_t i = 0; i < set->tasks.size(); ++i) {
    positions[set->tasks[i].info.key] = static_cast<int>(i);
  }
  KnownPrograms earlier;
  for (size_t row = 0; row < set->programs.size(); ++row) earlier.Add(*set, row);
  int64_t replaced = 0;
  for (const MeasuredProgram& program : more.programs) {
    const ProgramTask& task = more.tasks[program.task];
    const std::string found = CachesOf(task.info);
    const auto known = caches.find(program.host);
    if (known != caches.end() && known->second != found) {
      throw InputError("host '" + program.host + "': found caches " + found + ", expected " +
                       known->second + ", which it has in another store: two machines of one name");
    }
    const auto [position, is_new] =
        positions.emplace(task.info.key, static_cast<int>(set->tasks.size()));
    if (is_new) set->tasks.push_back(task);
    MeasuredProgram appended = program;
    appended.task = position->second;
    if (const std::optional<size_t> row = earlier.Find(appended)) {
      set->programs[*row] = std::move(appended);
      ++replaced;
    } else {
      set->programs.push_back(std::move(appended));
    }
  }
  if (replaced > 0) {
    set->notes.push_back(std::to_string(replaced) +
                         " programs dropped: a later set has the same schedule of the same task, "
                         "measured on the same machine");
  }
  CountFromOneReference(set);
}

ProgramSet SampleOf(const ProgramSet& set, int tasks, int programs) {
  const auto all = static_cast<int64_t>(set.tasks.size());
  const int64_t count = std::min<int64_t>(tasks, all);
  ProgramSet sample;
  std::map<int, int> positions, taken;
  for (int64_t i = 0; i < count; ++i) {
    const auto task = static_cast<int>(i * all / count);
    positions[task] = static_cast<int>(i);
    sample.tasks.push_back(set.tasks[task]);
  }
  for (const MeasuredProgram& program : set.programs) {
    const auto position = positions.find(program.task);
    if (position == positions.end() || taken[program.task]++ >= programs) continue;
    sample.programs.push_back(program);
    sample.programs.back().task = position->second;
  }
  return sample;
}

std::string ProgramsToText(const ProgramSet& set) {
  Dictionary words, steps;
  std::string rows;
  for (const MeasuredProgram& program : set.programs) {
    rows += RowOf(program, words, steps).ToText() + "\n";
  }
  Json tasks = Json::Array();
  for (const ProgramTask& task : set.tasks) {
    tasks.Add(Json::Object({{"key", task.info.key.ToText()},
                            {"workload", task.info.workload},
                            {"dag", task.info.dag},
                            {"target", task.info.target},
                            {"split", task.split}}));
  }
  Json header = Json::Object({{"format", kFormat},
                              {"version", kVersion},
                              {"tasks", std::move(tasks)},
                              {"words", words.texts()},
                              {"steps", steps.texts()}});
  if (HaveKeys(set)) header.Set("keys", KeysOf(set));
  return header.ToText() + "\n" + rows;
}

ProgramSet ProgramsFromText(const std::string& text, const std::string& name) {
  if (text.starts_with(kParquetMagic)) {
    throw InputError("'" + name + "': found a Parquet file, expected " + kExpected +
                     ": pass the file or the store that it was made of; schedulegym.data.load of "
                     "Python reads Parquet files");
  }
  ProgramSet set;
  Header header;
  int64_t number = 0;
  for (const std::string& line : SplitLines(text)) {
    ++number;
    if (line.empty()) continue;
    try {
      const Result<Json> json = ParseJson(line);
      if (!json) throw InputError(json.error().message);
      if (number == 1) {
        header = ReadHeader(*json, &set);
      } else {
        set.programs.push_back(ReadRow(*json, header, set));
      }
    } catch (const std::exception& fault) {
      throw InputError("'" + name + "', line " + std::to_string(number) + ": " + fault.what());
    }
  }
  if (number == 0) throw InputError("'" + name + "' is empty, expected " + kProgramsFile.name);
  try {
    SetKeys(header.keys, &set);
  } catch (const InputError& fault) {
    throw InputError("'" + name + "': " + fault.what());
  }
  return set;
}

ProgramSet ReadPrograms(const std::string& path) {
  if (IsAnsorLog(path)) return ReadAnsorLog(path);
  return ProgramsFromText(ReadPackedFile(path, kProgramsFile), path);
}

}  // namespace schedulegym
