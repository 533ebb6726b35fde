// The cases of a bench from words: suites (`suite(batch=N, operator=NAME)`), networks, workloads
// and .dag files. A network adds its layers, equal ones counted. Of suites of expert schedules each
// case carries its schedule. Some cases have a limit of trials, since each of theirs takes long.
// Errors: InputError lists the known names.
#include "experiments/bench/bench_cases.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/program/analysis.h"
#include "env/program/workloads/network.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/task_list.h"
#include "env/program/workloads/workload.h"
#include "experiments/bench/expert.h"

namespace schedulegym {
namespace {

// Cases with a limit of trials, since each trial takes long. Rows count from 1 among those of one
// operator and batch.
struct TrialLimit {
  const char* suite;
  const char* family;
  int row;
  int64_t most_trials;
};
constexpr TrialLimit kTrialLimits[] = {
    {"ansor_ops", "C3D", 1, 200},
    {"ansor_ops", "C3D", 3, 200},
    {"ansor_ops", "C3D", 4, 200},
};

// A case of a suite with its row.
struct SuiteRow {
  SuiteCase suite_case;
  int64_t batch = 1;
  std::optional<BenchSchedule> schedule;
  std::optional<int64_t> most_trials;
};

Spec ParseWord(const std::string& word) {
  const Result<Spec> spec = ParseWorkload(word);
  if (!spec) throw InputError("workload '" + word + "': " + spec.error().message);
  return *spec;
}

// The batch is a workload's first parameter where 1 is its default.
int64_t BatchOf(const Spec& workload) {
  const std::vector<BuiltinOperator> all = BuiltinOperators();
  const auto entry = std::ranges::find(all, workload.name, &BuiltinOperator::name);
  if (entry == all.end() || entry->parameters[0].default_value != 1) return 1;
  for (const SpecOption& option : workload.options) {
    const int64_t* number = std::get_if<int64_t>(&option.value.value);
    if (option.key == entry->parameters[0].name && number != nullptr) return *number;
  }
  return 1;
}

std::vector<SuiteRow> RowsOfExperts(const Suite& suite, const std::string& folder,
                                    const Target& target) {
  std::vector<SuiteRow> rows;
  for (const ExpertSchedule& expert : ReadExperts(folder, target)) {
    const Spec workload = ParseWord(expert.workload);
    const auto known = std::ranges::find(suite.cases, workload, &SuiteCase::workload);
    const std::string family = known == suite.cases.end() ? workload.name : known->family;
    SuiteRow row = {{family, workload}, BatchOf(workload), {}, {}};
    if (!expert.trace.empty()) row.schedule = BenchSchedule{expert.trace, "expert", ""};
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<SuiteRow> RowsOf(const Suite& suite) {
  std::vector<SuiteRow> rows;
  std::map<std::pair<std::string, int64_t>, int> numbers;
  for (const SuiteCase& one : suite.cases) {
    SuiteRow row = {one, BatchOf(one.workload), {}, {}};
    const int number = ++numbers[{one.family, row.batch}];
    for (const TrialLimit& limit : kTrialLimits) {
      if (limit.suite == suite.name && limit.family == one.family && limit.row == number) {
        row.most_trials = limit.most_trials;
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// In order of appearance, each once.
template <typename TextOf>
std::vector<std::string> Different(const std::vector<SuiteRow>& rows, const TextOf& text_of) {
  std::vector<std::string> texts;
  for (const SuiteRow& row : rows) {
    const std::string text = text_of(row);
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

// The rows with the batch and the operator of the word.
std::vector<SuiteRow> Chosen(const Spec& word, std::vector<SuiteRow> rows) {
  SpecReader reader(word, "suite");
  const std::optional<int64_t> batch = reader.OptionalInteger("batch");
  const std::string family = reader.Word("operator", "");
  reader.Finish();
  const auto family_of = [](const SuiteRow& row) { return row.suite_case.family; };
  const auto batch_of = [](const SuiteRow& row) { return std::to_string(row.batch); };
  const std::vector<std::string> families = Different(rows, family_of);
  if (!family.empty() && std::ranges::find(families, family) == families.end()) {
    throw InputError(UnknownName("operator of suite " + word.name, family, families));
  }
  std::erase_if(rows, [&](const SuiteRow& row) {
    return !family.empty() && row.suite_case.family != family;
  });
  const std::vector<std::string> batches = Different(rows, batch_of);
  if (!batch) return rows;
  std::erase_if(rows, [&](const SuiteRow& row) { return row.batch != *batch; });
  if (rows.empty()) {
    throw InputError("suite '" + word.ToText() + "': found no case of batch " +
                     std::to_string(*batch) + ", expected batch " + Join(batches, " or "));
  }
  return rows;
}

// Of a name that is neither a suite's nor a workload's.
[[noreturn]] void RefuseName(const std::string& name) {
  std::vector<std::string> known;
  for (const Suite& suite : BuiltinSuites()) known.push_back(suite.name);
  for (const BuiltinOperator& entry : BuiltinOperators()) known.push_back(entry.name);
  std::ranges::move(BuiltinNetworks().names(), std::back_inserter(known));
  throw InputError(UnknownName("suite or workload", name, known) + ", or a path that ends in .dag");
}

BenchCase MakeBenchCase(const std::string& group, std::shared_ptr<const Task> task) {
  return {.workload = task->name, .group = group, .task = std::move(task)};
}

BenchCase MakeBenchCase(const SuiteCase& suite_case, const Target& target) {
  return MakeBenchCase(suite_case.family, MakeTask(suite_case.workload, target));
}

// To the cases of networks before it, one for each task.
void AddNetwork(const std::string& word, const Target& target, std::vector<BenchCase>& cases) {
  for (const WeightedWorkload& layer : ReadNetwork(word)) {
    const auto known = std::ranges::find_if(cases, [&](const BenchCase& one) {
      return one.count > 0 && one.workload == layer.workload.ToText();
    });
    const bool is_new = known == cases.end();
    if (is_new) {
      cases.push_back(MakeBenchCase(layer.workload.name, LoadLayer(word, layer, target)));
    }
    (is_new ? cases.back() : *known).count += static_cast<double>(layer.count);
  }
}

}  // namespace

std::vector<BenchCase> MakeBenchCases(const std::vector<std::string>& words, const Target& target,
                                      const std::string& expert_folder) {
  std::vector<BenchCase> cases;
  for (const std::string& word : words) {
    if (IsNetwork(word)) {
      AddNetwork(word, target, cases);
      continue;
    }
    const Spec spec = ParseWord(word);
    const std::optional<Suite> suite = FindSuite(spec.name);
    if (!suite) {
      if (!IsWorkload(spec.name)) RefuseName(spec.name);
      cases.push_back(MakeBenchCase({spec.name, spec}, target));
      continue;
    }
    const bool is_expert = suite->name == "expert";
    for (const SuiteRow& row :
         Chosen(spec, is_expert ? RowsOfExperts(*suite, expert_folder, target) : RowsOf(*suite))) {
      cases.push_back(MakeBenchCase(row.suite_case, target));
      cases.back().schedule = row.schedule;
      cases.back().most_trials = row.most_trials;
    }
  }
  return cases;
}

std::vector<std::string> LeaveOutLarger(double flops, std::vector<BenchCase>& cases) {
  std::vector<std::string> left_out;
  std::erase_if(cases, [&](const BenchCase& one) {
    if (CountFlops(one.task->dag) <= flops) return false;
    left_out.push_back(one.workload);
    return true;
  });
  return left_out;
}

}  // namespace schedulegym
