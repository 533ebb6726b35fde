// A line is {"i": [[KEY, TARGET, hardware, host, layout, inputs], [[], steps]], "r": [[costs],
// error, seconds, time], "v": "v0.6"}. KEY is a JSON list: the hash of the computation and its
// shapes, so of a foreign line nothing but its steps is known. Cost: O(bytes).
#include "env/measure/store/ansor_programs.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/hash.h"
#include "env/base/json.h"
#include "env/base/text.h"
#include "env/base/utf8.h"
#include "env/measure/store/ansor_steps.h"
#include "env/measure/store/json_lines.h"
#include "env/program/workloads/program_split.h"

namespace schedulegym {
namespace {

constexpr const char* kOwnFunction = "schedulegym_task";
constexpr const char* kTraceHeader = "trace 1";
constexpr double kCostOfFailure = 1e10;
constexpr size_t kLongestLine = 4 << 20;
// Number of reasons that are printed one by one; for the others, only their count is printed.
constexpr size_t kToldReasons = 8;
constexpr int kMostNames = 512;  // limit of stages, twice those that a step may refer to

// TVM's MeasureErrorNO.
int ErrorNumber(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk: return 0;
    case Outcome::kInvalidSchedule: return 1;
    case Outcome::kCompileError:
    case Outcome::kCompileCrash:
    case Outcome::kLinkError: return 2;
    case Outcome::kRunSignal:
    case Outcome::kOutOfMemory:
    case Outcome::kOobWrite: return 4;
    case Outcome::kWrongOutput:
    case Outcome::kNondeterministic: return 5;
    case Outcome::kCompileTimeout: return 6;
    case Outcome::kRunTimeout: return 7;
    default: return 8;
  }
}

std::string TvmTarget(const Target& target) {
  if (target.IsGpu()) {
    const std::string name = target.BackendName();
    return name + " -keys=" + name +
           ",gpu -max_threads_per_block=" + std::to_string(target.gpu.threads);
  }
  return "llvm -keys=cpu" + (target.cpu.empty() ? "" : " -mcpu=" + target.cpu) +
         " -num-cores=" + std::to_string(target.cores);
}

// TVM's HardwareParams: cores, bytes of a vector, of a line, of shared and of local memory, threads
// of a block, virtual threads, threads of a warp.
Json Hardware(const Target& target) {
  const GpuFacts& gpu = target.gpu;
  if (!target.IsGpu()) {
    return Json::Array(target.cores, target.vector_bits / 8, target.line_bytes, 0, 0, 0, 0, 0);
  }
  return Json::Array(-1, gpu.vector_bytes, target.line_bytes, gpu.shared_bytes, 2147483647,
                     gpu.threads, gpu.vthreads, gpu.warp);
}

// Number of tensors of a key that ToAnsorLine wrote.
std::optional<int> TensorsOf(const std::string& workload) {
  const Result<Json> key = ParseJson(workload);
  if (!key || !key->is_array() || key->size() != 3 || !(*key)[0].is_string()) return std::nullopt;
  if ((*key)[0].Text() != kOwnFunction || !(*key)[2].is_integer()) return std::nullopt;
  return static_cast<int>(std::clamp<int64_t>((*key)[2].As<int64_t>(), 0, kMostNames));
}

// The task of a workload key; null if it is not named.
std::shared_ptr<const Task> FindNamed(const NamedComputations& named, const std::string& workload) {
  if (named.empty()) return nullptr;
  const auto whole = named.find(workload);
  if (whole != named.end()) return whole->second;
  const Result<Json> key = ParseJson(workload);
  if (!key || !key->is_array() || key->empty() || !(*key)[0].is_string()) return nullptr;
  const auto hash = named.find((*key)[0].Text());
  return hash == named.end() ? nullptr : hash->second;
}

class LogReader {
 public:
  explicit LogReader(const NamedComputations& named) : named_(named) {}

  ProgramSet Read(const std::string& path) {
    std::ifstream in = OpenUntrustedFile(path, kLinesFile);
    SkipByteOrderMark(in);
    LineReader lines(in, kLongestLine);
    while (lines.Next()) {
      const std::string_view text = Trim(lines.text());
      if (!lines.too_long() && (text.empty() || text[0] == '#')) continue;
      ++lines_;
      const std::string reason = lines.too_long() ? "it is longer than 4 MiB" : Take(text);
      if (!reason.empty()) Skip(reason, lines.number());
    }
    if (set_.programs.empty()) Refuse(path);
    for (const Reason& one : reasons_) set_.notes.push_back(NoteOf(path, one));
    if (unsaid_ > 0) {
      set_.notes.push_back("'" + path + "': " + std::to_string(unsaid_) +
                           " more lines left out for other reasons");
    }
    return std::move(set_);
  }

 private:
  struct Reason {
    std::string text;
    int64_t first = 0, count = 0;  // line, lines
  };

  static std::string NoteOf(const std::string& path, const Reason& one) {
    return "'" + path + "': " + std::to_string(one.count) + " of its lines left out, line " +
           std::to_string(one.first) + " first: " + one.text;
  }

  // Reads a line. Returns the reason why it is left out; "" if it is taken.
  std::string Take(std::string_view text) {
    const Line line = ParseLine(text);
    if (const auto* fault = std::get_if<LineFault>(&line)) return fault->message;
    const auto* record = std::get_if<ForeignRecord>(&line);
    if (record == nullptr || record->kind != "ansor") return "it is no line of Ansor's";
    if (record->error != 0) return "the measurement failed";
    const Result<Json> state = ParseJson(record->configuration);
    if (!state || state->size() < 2) return "field 'i': found no steps";
    const std::shared_ptr<const Task> named = FindNamed(named_, record->workload);
    const Result<Trace> trace = TraceOfAnsorSteps(
        (*state)[1], named ? std::optional<int>(named->dag.size()) : TensorsOf(record->workload));
    if (!trace) return trace.error().message;
    if (!named) {
      Add(*record, ForeignTask(*record), NumberedTraceText(*trace));
      return "";
    }
    const Result<ScheduleState> replayed = Replay(named, *trace);
    if (!replayed) return "as " + named->name + " it does not replay: " + replayed.error().message;
    Add(*record, Described(named), replayed->TraceText());
    return "";
  }

  // Computed once for each task.
  const TaskInfo& Described(const std::shared_ptr<const Task>& task) {
    std::shared_ptr<const TaskInfo>& info = described_[task.get()];
    if (!info) info = DescribeTask(*task);
    return *info;
  }

  static TaskInfo ForeignTask(const ForeignRecord& record) {
    Hasher hasher;
    hasher.Add(record.workload);
    hasher.Add(record.target);
    return {hasher.KeyValue(), record.workload, "", record.target};
  }

  void Add(const ForeignRecord& record, const TaskInfo& info, const std::string& trace) {
    const auto [task, is_new] = tasks_.emplace(info.key, static_cast<int>(set_.tasks.size()));
    if (is_new) {
      const std::optional<std::string> split = SplitOf(ProgramSplits(), info.workload);
      set_.tasks.push_back({info, IsForeign(info) ? "" : split.value_or("")});
    }
    const double sum = std::accumulate(record.costs.begin(), record.costs.end(), 0.0);
    set_.programs.push_back({.task = task->second,
                             .trace = trace,
                             .space = "ansor",
                             .part = "",
                             .host = record.target,
                             .outcome = Outcome::kOk,
                             .seconds = sum / static_cast<double>(record.costs.size()),
                             .ratio = {},
                             .samples = {}});
  }

  void Skip(const std::string& reason, int64_t line) {
    const auto known = std::ranges::find(reasons_, reason, &Reason::text);
    if (known != reasons_.end()) {
      ++known->count;
    } else if (reasons_.size() < kToldReasons) {
      reasons_.push_back({reason, line, 1});
    } else {
      ++unsaid_;
    }
  }

  [[noreturn]] void Refuse(const std::string& path) const {
    throw InputError("'" + path + "': found no success of Ansor's in " + std::to_string(lines_) +
                     " lines" + (reasons_.empty() ? "" : " (" + reasons_[0].text + ")") +
                     ", expected a file of programs, a record store or a log of Ansor's");
  }

  const NamedComputations& named_;
  std::map<const Task*, std::shared_ptr<const TaskInfo>> described_;
  ProgramSet set_;
  std::map<Key, int> tasks_;
  std::vector<Reason> reasons_;
  int64_t lines_ = 0, unsaid_ = 0;
};

StageNames NumberedNames() {
  StageNames names;
  for (int i = 0; i < kMostNames; ++i) names.push_back("s" + std::to_string(i));
  return names;
}

}  // namespace

Result<std::string> ToAnsorLine(const Record& record, const ScheduleState& state) {
  Result<Json> steps = AnsorStepsOf(state);
  if (!steps) return steps.error();
  const Task& task = state.task();
  const Measurement& measurement = record.measurement;
  const Json key = Json::Array(kOwnFunction, record.task->key.ToText(), task.dag.size());
  const std::string target = TvmTarget(task.target);
  const PhaseSeconds& phases = measurement.phases;
  const double cost = measurement.ok() ? measurement.timing->seconds : kCostOfFailure;
  const Json line = Json::Object(
      {{"i", Json::Array(
                 Json::Array(key.ToText(), target, Hardware(task.target), target, 0, Json::Array()),
                 Json::Array(Json::Array(), *std::move(steps)))},
       {"r", Json::Array(Json::Array(cost), ErrorNumber(measurement.outcome),
                         phases.compile + phases.verify + phases.measure, record.started)},
       {"v", "v0.6"}});
  return line.ToText({.replace_invalid = true});
}

bool IsAnsorLog(const std::string& path) {
  std::ifstream in = OpenUntrustedFile(path, kLinesFile);
  std::string head(4096, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(in.gcount()));
  const bool is_pickle = head.size() > 1 && head[0] == '\x80' && head[1] > 0 && head[1] < 16;
  if (is_pickle || path.ends_with(".pkl") || path.ends_with(".pickle")) {
    throw InputError("'" + path + "' is a Python pickle, which is never loaded; expected a file " +
                     "of programs, a record store or a log of Ansor's");
  }
  const std::string_view text = Trim(WithoutByteOrderMark(head));
  return !text.empty() && (text[0] == '{' || text[0] == '#') && !text.starts_with("{\"format\"");
}

ProgramSet ReadAnsorLog(const std::string& path, const NamedComputations& named) {
  return LogReader(named).Read(path);
}

std::string NumberedTraceText(const Trace& trace) {
  static const StageNames names = NumberedNames();
  return TraceToText(trace, names);
}

Result<Trace> ParseNumberedTrace(std::string_view text) {
  static const StageNames names = NumberedNames();
  const std::vector<std::string> lines = SplitLines(text);
  if (lines.empty() || lines[0] != kTraceHeader) {
    return Error{ErrorKind::kParse, "line 1: expected '" + std::string(kTraceHeader) + "'"};
  }
  Trace trace;
  for (const std::string& line : std::span(lines).subspan(1)) {
    if (line.empty()) continue;
    Result<Primitive> primitive = ParsePrimitive(line, names);
    if (!primitive) return primitive.error();
    trace.push_back(*std::move(primitive));
  }
  return trace;
}

}  // namespace schedulegym
