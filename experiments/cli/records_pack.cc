#include "experiments/cli/records_pack.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "agents/baselines/collect.h"
#include "assembly/program_data.h"
#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/output_file.h"
#include "env/base/text.h"
#include "env/measure/store/ansor_programs.h"
#include "env/measure/store/program_set.h"
#include "env/program/workloads/task_list.h"
#include "experiments/cli/common/command_line.h"

namespace schedulegym {
namespace {

// Of words HASH=WORKLOAD, for the session's target.
NamedComputations ReadComputations(Session& session, const std::vector<std::string>& words) {
  const Target target = session.MakeTarget();
  NamedComputations named;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == 0 || equals == word.npos || equals + 1 == word.size()) {
      throw InputError("--computation: found '" + word + "', expected HASH=WORKLOAD");
    }
    named[word.substr(0, equals)] = LoadTask(word.substr(equals + 1), target);
  }
  return named;
}

void CheckAllNamed(const NamedComputations& named, const ProgramSet& set) {
  std::vector<std::string> keys;
  for (const ProgramTask& task : set.tasks) {
    if (IsForeign(task.info)) keys.push_back(task.info.workload);
  }
  for (const auto& [name, task] : named) {
    const Key key = DescribeTask(*task)->key;
    const auto is_of = [&](const ProgramTask& one) { return one.info.key == key; };
    if (std::ranges::any_of(set.tasks, is_of)) continue;
    throw InputError("--computation: found '" + name + "', of which no program is left" +
                     (keys.empty() ? "" : "; the logs have also: " + Join(keys, ", ")));
  }
}

}  // namespace

int PackRecords(Session& session, const PackOptions& options) {
  const std::string& path = options.out;
  OutputFile file(path);
  const NamedComputations named = ReadComputations(session, options.computations);
  ProgramSet set;
  if (options.files.empty()) Append(ProgramsOf(*session.ReadStore(), CollectedPart), &set);
  for (const std::string& name : options.files) {
    Append(ReadMeasuredPrograms(name, named), &set);
  }
  for (const std::string& note : set.notes) session.report().Warn(note);
  if (set.programs.empty()) throw InputError("records pack: found no measured program");
  CheckAllNamed(named, set);
  constexpr int kAll = std::numeric_limits<int>::max();
  if (options.tasks || options.programs) {
    set = SampleOf(set, options.tasks.value_or(kAll), options.programs.value_or(kAll));
  }
  const std::string text = Gzip(ProgramsToText(set));
  file.Write(text);
  file.Commit();
  std::map<std::string, int64_t> splits;
  for (const MeasuredProgram& program : set.programs) {
    const std::string& split = set.tasks[program.task].split;
    ++splits[split.empty() ? "other" : split];
  }
  JsonObject fields = {{"programs", std::ssize(set.programs)},
                       {"tasks", std::ssize(set.tasks)},
                       {"bytes", std::ssize(text)}};
  std::string counts;
  for (const auto& [split, count] : splits) {
    fields.push_back({split, count});
    counts += ", " + std::to_string(count) + " " + split;
  }
  session.report().Item(path, std::move(fields),
                        path + ": " + std::to_string(set.programs.size()) + " programs of " +
                            std::to_string(set.tasks.size()) + " tasks" + counts);
  return kExitOk;
}

}  // namespace schedulegym
