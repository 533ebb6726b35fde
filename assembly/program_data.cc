#include "assembly/program_data.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>

#include "agents/baselines/collect.h"
#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/json.h"
#include "env/base/output_file.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/gym/tables/table_file.h"
#include "env/measure/outcome.h"
#include "env/measure/store/json_lines.h"
#include "env/program/workloads/program_split.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAllSplits = "all";
// Parents of a build folder in the clone, such as build/release/bin.
constexpr int kMostParents = 5;

bool IsFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool IsStore(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string head(15, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head == "SQLite format 3";
}

// The clone's script makes the sets of this project; a search and `pack` any other.
std::string HowToMake(const std::string& word) {
  if (word.starts_with("programs-v1") || word == "sample") {
    return "make it in a clone: experiments/data/make.sh FOLDER";
  }
  return "make one: schedulegym tune programs_train --agent collect --scheduler round_robin "
         "--protocol collect --store STORE, then schedulegym records pack STORE -o NAME.points.gz";
}

// The path of the file that a word names.
std::string FindData(const std::string& option, const std::string& word) {
  if (IsFile(word)) return word;
  for (const std::string& folder : ProgramFolders()) {
    const fs::path path = fs::path(folder) / (word + std::string(kProgramsEnding));
    if (IsFile(path)) return path.string();
  }
  throw InputError(
      option + ": found no '" + word +
      "'; expected a file of programs, a store, a table, a log of Ansor's, or a set in " +
      Join(ProgramFolders(), ", ") + "; " + HowToMake(word));
}

// The fault of a text that is neither a file of programs nor a log of Ansor's, with a remedy; ""
// for other texts.
std::string OtherLines(const std::string& text, const std::string& path) {
  const std::string first = text.substr(0, text.find('\n'));
  if (!ParseJson(first) && ParseJson(text)) {
    return "found no JSON lines, expected a file of programs, a store or a table; schedulegym "
           "table show takes the results of other tuners";
  }
  const Line line = ParseLine(first);
  const auto* foreign = std::get_if<ForeignRecord>(&line);
  if (foreign != nullptr && foreign->kind != "ansor") {
    return "found lines of " + foreign->kind + " for the target " + ForeignTargetName(*foreign) +
           ", whose kernels no trace of ours makes; schedulegym records import " + path +
           " keeps their costs";
  }
  if (std::holds_alternative<Record>(line) || std::holds_alternative<ControlMeasurement>(line)) {
    return "found records as records export writes them; import them first: schedulegym records "
           "import " +
           path + " --store STORE, then name the store";
  }
  return "";
}

// The rows of a table that have a result, in its order.
ProgramSet ProgramsOfTable(const Table& table, const std::string& path) {
  if (table.is_foreign()) {
    throw InputError("'" + path +
                     "': found a table of another tuner, whose kernels no trace makes; " +
                     "expected one that schedulegym table wrote");
  }
  const TaskInfo task = *DescribeTask(*table.task());
  ProgramSet set;
  set.tasks.push_back({task, SplitOf(ProgramSplits(), task.workload).value_or("")});
  for (int64_t row = 0; row < table.size(); ++row) {
    const EvaluationResult& evaluation = table.row(row).evaluation;
    if (!MayLearnFrom(evaluation.outcome)) continue;
    MeasuredProgram program;
    program.trace = table.TraceText(row).value();
    program.space = table.facts().space;
    program.host = table.facts().host;
    program.outcome = evaluation.outcome;
    if (evaluation.ok()) {
      program.seconds = evaluation.seconds.value();
      program.ratio = evaluation.speed;
      program.samples = table.row(row).samples.candidate;
    }
    set.programs.push_back(std::move(program));
  }
  return set;
}

// The name of the space that a row's spec names.
std::string SpaceName(const std::string& space) {
  const Result<Spec> spec = ParseSpec(space);
  return spec ? spec->name : space;
}

std::string SplitsIn(const ProgramSet& set) {
  std::set<std::string> splits;
  for (const MeasuredProgram& program : set.programs) {
    const std::string& split = set.tasks[program.task].split;
    splits.insert(split.empty() ? "none" : split);
  }
  return Join(std::vector<std::string>(splits.begin(), splits.end()), ", ");
}

}  // namespace

std::vector<std::string> ProgramFolders() {
  std::vector<std::string> folders;
  if (const auto data = FindVariable("SCHEDULEGYM_DATA")) folders.push_back(*data);
  folders.push_back("experiments/data");
  std::error_code error;
  fs::path parent = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (int i = 0; i < kMostParents && parent.has_relative_path(); ++i) {
    const fs::path folder = parent / "experiments" / "data";
    if (fs::is_directory(folder, error)) folders.push_back(folder.string());
    parent = parent.parent_path();
  }
  if (const auto cache = FindVariable("XDG_CACHE_HOME")) {
    folders.push_back(*cache + "/schedulegym");
  } else if (const auto home = FindVariable("HOME")) {
    folders.push_back(*home + "/.cache/schedulegym");
  }
  return folders;
}

ProgramSet ReadMeasuredPrograms(const std::string& path, const NamedComputations& named) {
  const bool is_named_so = path.ends_with(kProgramsEnding);
  if (IsStore(path) || !(is_named_so || IsFile(path))) {
    const std::unique_ptr<RecordStore> store = OpenStore(path, StoreMode::kRead);
    try {
      return ProgramsOf(*store, CollectedPart);
    } catch (const InputError& error) {
      throw InputError("'" + path + "': " + error.what());
    }
  }
  const bool is_log = IsAnsorLog(path);
  const std::string text = ReadPackedFile(path, kProgramsFile);
  if (IsTableText(text)) return ProgramsOfTable(ParseTable(text, path), path);
  if (const std::string other = OtherLines(text, path); !other.empty()) {
    throw InputError("'" + path + "': " + other);
  }
  return is_log ? ReadAnsorLog(path, named) : ProgramsFromText(text, path);
}

ProgramSet ReadProgramData(const std::string& option, const std::vector<std::string>& words) {
  ProgramSet set;
  for (const std::string& word : words) {
    Append(ReadMeasuredPrograms(FindData(option, word)), &set);
  }
  return set;
}

std::vector<std::string> ProgramFiles(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (const std::string& word : words) {
    files.push_back(FindData("--data", word));
    const bool is_store = IsStore(files.back());
    if (!is_store && KeptFileAt(files.back()) != KeptFile::kTable) continue;
    throw InputError(Join(
        {"--data: found the ", is_store ? "store" : "table", " '", word,
         "', expected a file of programs: schedulegym records pack ", word, " -o NAME.points.gz"},
        ""));
  }
  return files;
}

void CheckSplit(const std::string& option, const std::string& split) {
  std::vector<std::string> names = {kAllSplits};
  for (const ProgramSplit& one : ProgramSplits()) names.push_back(one.name);
  if (std::ranges::find(names, split) != names.end()) return;
  throw InputError(option + ": " + UnknownName("split", split, names));
}

std::vector<TaskPrograms> ChoosePrograms(const ProgramSet& set, const ProgramChoice& choice) {
  std::vector<TaskPrograms> tasks(set.tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) tasks[i].info = set.tasks[i].info;
  for (const MeasuredProgram& program : set.programs) {
    const bool is_split = choice.split == kAllSplits ||
                          set.tasks[program.task].split == choice.split ||
                          IsForeign(set.tasks[program.task].info);
    const bool is_space = choice.space.empty() || SpaceName(program.space) == choice.space;
    if (!is_split || !is_space) continue;
    TaskPrograms& task = tasks[program.task];
    (program.outcome == Outcome::kOk ? task.successes : task.failures).push_back(program);
  }
  std::erase_if(tasks, [](const TaskPrograms& task) { return task.successes.size() < 2; });
  if (!tasks.empty()) return tasks;
  throw InputError("data: found no task with two successes in split '" + choice.split + "'" +
                   (choice.space.empty() ? "" : " and space '" + choice.space + "'") +
                   "; the data has programs of: " + SplitsIn(set));
}

std::string NoteOnSplits(const ProgramSet& set, const std::string& split) {
  if (split == kAllSplits) return "";
  int64_t programs = 0;
  std::set<int> tasks;
  for (const MeasuredProgram& program : set.programs) {
    const ProgramTask& task = set.tasks[program.task];
    if (!task.split.empty() || IsForeign(task.info)) continue;
    ++programs;
    tasks.insert(program.task);
  }
  if (programs == 0) return "";
  return std::to_string(programs) + " programs of " + std::to_string(tasks.size()) +
         " tasks without a split are left out; --split all takes them";
}

}  // namespace schedulegym
