// The kind of files that are logs of TVM's auto_scheduler: JSON lines whose steps are read as
// primitives. Unreadable lines are skipped, so that a log of one such line is refused.
#include <memory>

#include "env/base/text.h"
#include "env/measure/store/ansor_programs.h"
#include "env/program/workloads/task_list.h"
#include "tests/fuzz/computations/random_schedule.h"
#include "tests/fuzz/files/file_targets_internal.h"
#include "tests/fuzz/files/json_change.h"
#include "tests/fuzz/files/text_change.h"

namespace schedulegym {
namespace {

// Random schedules that Ansor's steps can express; a few failed.
std::string LogText(const std::shared_ptr<const Task>& task, int lines, Rng& rng) {
  std::string log = "# a comment, as its writer puts before the lines\n";
  for (int taken = 0; taken < lines;) {
    Record record;
    record.task = DescribeTask(*task);
    record.started = 1.7e9;
    record.measurement.outcome = taken % 3 == 2 ? Outcome::kRunTimeout : Outcome::kOk;
    if (record.measurement.ok())
      record.measurement.timing = Timing{.seconds = 1e-3 + rng.Uniform()};
    const Result<std::string> line = ToAnsorLine(record, RandomSchedule(task, rng));
    if (!line) continue;
    log += *line + "\n";
    ++taken;
  }
  return log;
}

// Changes mostly a line; sometimes the bytes.
std::string ChangedLog(const std::vector<std::string>& seeds, Rng& rng) {
  std::vector<std::string> lines = SplitLines(AnyOf(seeds, rng));
  std::string& line = lines[static_cast<size_t>(rng.Below(std::ssize(lines)))];
  if (rng.Chance(0.9)) line = ChangedJson(line, rng);
  if (rng.Chance(0.1)) line = lines.back();
  std::string bytes = Join(lines, "\n") + "\n";
  if (rng.Chance(0.1)) ChangeBytes(bytes, rng);
  return bytes;
}

void CheckTraces(const ProgramSet& set) {
  for (const MeasuredProgram& program : set.programs) {
    const Result<Trace> trace = ParseNumberedTrace(program.trace);
    if (!trace) throw std::logic_error("a trace is not read again: " + trace.error().message);
    if (NumberedTraceText(*trace) == program.trace) continue;
    throw std::logic_error("a trace is another one once it is written and read");
  }
}

Reading ReadLog(const std::string& path) {
  const auto read = [&] {
    (void)IsAnsorLog(path);
    const ProgramSet set = ReadAnsorLog(path);
    CheckTraces(set);
    const std::string text = ProgramsToText(set);
    if (ProgramsToText(ProgramsFromText(text, path)) == text) return;
    throw std::logic_error("a set is another one once it is written and read");
  };
  return ReadOrRefuse(read, {"cannot read", "is empty", "pickle"});
}

}  // namespace

FileTarget MakeLogTarget() {
  FileTarget target = {.kind = "log", .suffix = ".json"};
  Rng rng(17);
  for (const char* word : {"matmul(m=16,n=16,k=16)", "softmax(m=16,n=16)"}) {
    const auto task = LoadTask(word, MakeTarget(Spec{"interpreter", {}}));
    for (const int lines : {1, 1, 6}) target.seeds.push_back(LogText(task, lines, rng));
  }
  target.change = ChangedLog;
  target.read = ReadLog;
  return target;
}

}  // namespace schedulegym
