// The splits of programs-v1, read from the lists of tasks and the networks that come with the
// program. Near are workloads of one name whose numbers a and b, pair by pair, have
//   10 |a - b| <= max(|a|, |b|);
// a number that is left out has the operator's default. A `.dag` file has a name of its own: its
// computation is compared by key. Cost: milliseconds for the splits, then a comparison for each
// test task, and the parsing of the text.
#include "env/program/workloads/program_split.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "env/base/check.h"
#include "env/program/compute_dag.h"
#include "env/program/language/parser.h"
#include "env/program/workloads/network.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

constexpr const char* kNetworks[] = {"resnet18", "mobilenet_v2", "bert_base", "squeezenet"};

std::vector<Spec> WorkloadsOf(std::span<const char* const> words) {
  std::vector<Spec> workloads;
  for (const char* word : words) {
    for (WeightedWorkload& entry : ReadNetwork(word)) {
      if (std::ranges::find(workloads, entry.workload) == workloads.end()) {
        workloads.push_back(std::move(entry.workload));
      }
    }
  }
  return workloads;
}

// The value of a key in a spec, else the operator's default; none for a word.
std::optional<int64_t> NumberAt(const Spec& spec, const std::string& key) {
  for (const SpecOption& option : spec.options) {
    if (option.key != key) continue;
    const auto* number = std::get_if<int64_t>(&option.value.value);
    return number != nullptr ? std::optional(*number) : std::nullopt;
  }
  for (const BuiltinOperator& known : BuiltinOperators()) {
    if (known.name != spec.name) continue;
    for (const WorkloadParameter& parameter : known.parameters) {
      if (parameter.name == key) return parameter.default_value;
    }
  }
  return std::nullopt;
}

// By the keys that `a` gives.
bool AreNumbersNear(const Spec& a, const Spec& b) {
  return std::ranges::all_of(a.options, [&](const SpecOption& option) {
    const std::optional<int64_t> mine = NumberAt(a, option.key);
    const std::optional<int64_t> other = NumberAt(b, option.key);
    if (!mine || !other) return true;
    return 10 * std::abs(*mine - *other) <= std::max(std::abs(*mine), std::abs(*other));
  });
}

}  // namespace

std::vector<ProgramSplit> ProgramSplits() {
  constexpr const char* kTrain[] = {"programs_train"};
  constexpr const char* kValid[] = {"programs_valid"};
  constexpr const char* kStrange[] = {"programs_strange"};
  const auto split = [](const char* name, const char* description, bool is_test,
                        std::span<const char* const> words) {
    return ProgramSplit{name, description, is_test, WorkloadsOf(words),
                        std::vector<std::string>(words.begin(), words.end())};
  };
  return {split("train", "drawn shapes of twelve kinds, to train on", false, kTrain),
          split("valid", "further shapes of the same kinds, to choose models by", false, kValid),
          split("networks", "all tasks of four networks, to test on", true, kNetworks),
          split("strange", "kinds that were not trained on, to test on", true, kStrange)};
}

std::vector<SplitNetwork> SplitNetworks() {
  std::vector<SplitNetwork> networks;
  for (const char* name : kNetworks) networks.push_back({name, ReadNetwork(name)});
  return networks;
}

int64_t CountIn(const SplitNetwork& network, std::string_view workload) {
  const Result<Spec> spec = ParseWorkload(std::string(workload));
  if (!spec) return 0;
  int64_t count = 0;
  for (const WeightedWorkload& entry : network.workloads) {
    if (entry.workload == *spec) count += entry.count;
  }
  return count;
}

std::optional<std::string> SplitOf(std::span<const ProgramSplit> splits,
                                   std::string_view workload) {
  const Result<Spec> spec = ParseWorkload(std::string(workload));
  if (!spec) return std::nullopt;
  for (const ProgramSplit& split : splits) {
    if (std::ranges::find(split.workloads, *spec) != split.workloads.end()) return split.name;
  }
  return std::nullopt;
}

std::map<Key, Spec> TestComputations(std::span<const ProgramSplit> splits) {
  std::map<Key, Spec> tests;
  for (const ProgramSplit& split : splits) {
    if (!split.is_test) continue;
    for (const Spec& workload : split.workloads) {
      tests.emplace(MakeWorkload(workload).key(), workload);
    }
  }
  return tests;
}

std::optional<Spec> TestTaskOf(const std::map<Key, Spec>& tests, std::string_view dag) {
  if (dag.empty()) return std::nullopt;
  const Result<ComputeDag> parsed = ParseDag(dag, "dag");
  const auto test = parsed ? tests.find(parsed->key()) : tests.end();
  return test != tests.end() ? std::optional(test->second) : std::nullopt;
}

bool IsNear(const Spec& a, const Spec& b) {
  return a.name == b.name && AreNumbersNear(a, b) && AreNumbersNear(b, a);
}

std::optional<std::string> NearTest(std::span<const ProgramSplit> splits,
                                    std::string_view workload) {
  const Result<Spec> spec = ParseWorkload(workload);
  if (!spec) return std::nullopt;
  for (const ProgramSplit& split : splits) {
    if (!split.is_test) continue;
    for (const Spec& test : split.workloads) {
      if (IsNear(*spec, test)) return test.ToText() + " of " + split.name;
    }
  }
  return std::nullopt;
}

std::optional<std::string> FindLeak(std::span<const TrainedTask> trained) {
  const std::vector<ProgramSplit> splits = ProgramSplits();
  const std::map<Key, Spec> tests = TestComputations(splits);
  for (const auto& [workload, dag] : trained) {
    if (const auto test = NearTest(splits, workload)) return workload + ", near " + *test;
    if (const auto test = TestTaskOf(tests, dag)) {
      return workload + ", which computes " + test->ToText();
    }
  }
  return std::nullopt;
}

}  // namespace schedulegym
