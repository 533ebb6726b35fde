#include "experiments/bench/bench_cases.h"

#include "env/base/fault.h"
#include "env/program/suite.h"
#include "env/program/workload.h"
#include "experiments/bench/expert.h"

namespace schedulegym {
namespace {

Spec ParseWord(const std::string& word) {
  const Result<Spec> spec = ParseSpec(word);
  if (!spec) throw InputError("workload '" + word + "': " + spec.error().message);
  return *spec;
}

void AppendExperts(const std::string& folder, const Target& target, std::vector<BenchCase>& cases) {
  for (const ExpertSchedule& expert : ReadExperts(folder, target)) {
    BenchCase added = MakeBenchCase(ParseWord(expert.workload), target);
    if (!expert.trace.empty()) added.schedule = BenchSchedule{expert.trace, "expert"};
    cases.push_back(std::move(added));
  }
}

}  // namespace

BenchCase MakeBenchCase(const Spec& workload, const Target& target) {
  const std::string text = workload.ToText();
  ComputeDag dag = MakeWorkload(workload);
  CheckFits(dag, target);
  return {text, std::make_shared<const Task>(Task{std::move(dag), target, text}), std::nullopt};
}

std::vector<BenchCase> MakeBenchCases(const std::vector<std::string>& words, const Target& target,
                                      const std::string& expert_folder) {
  std::vector<BenchCase> cases;
  for (const std::string& word : words) {
    if (word == "expert") {
      AppendExperts(expert_folder, target, cases);
    } else if (const std::optional<Suite> suite = FindSuite(word)) {
      for (const SuiteCase& one : suite->cases)
        cases.push_back(MakeBenchCase(one.workload, target));
    } else {
      cases.push_back(MakeBenchCase(ParseWord(word), target));
    }
  }
  return cases;
}

}  // namespace schedulegym
