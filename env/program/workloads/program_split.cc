#include "env/program/workloads/program_split.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "env/base/check.h"
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

const int64_t* NumberAt(const Spec& spec, const std::string& key) {
  for (const SpecOption& option : spec.options) {
    if (option.key == key) return std::get_if<int64_t>(&option.value.value);
  }
  return nullptr;
}

}  // namespace

std::vector<ProgramSplit> ProgramSplits() {
  constexpr const char* kTrain[] = {"programs_train"};
  constexpr const char* kValid[] = {"programs_valid"};
  constexpr const char* kStrange[] = {"programs_strange"};
  return {{"train", "drawn shapes of twelve kinds, to train on", false, WorkloadsOf(kTrain)},
          {"valid", "further shapes of the same kinds, to choose models by", false,
           WorkloadsOf(kValid)},
          {"networks", "all tasks of four networks, to test on", true, WorkloadsOf(kNetworks)},
          {"strange", "kinds that were not trained on, to test on", true, WorkloadsOf(kStrange)}};
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

bool IsNear(const Spec& a, const Spec& b) {
  if (a.name != b.name) return false;
  return std::ranges::all_of(a.options, [&](const SpecOption& option) {
    const auto* mine = std::get_if<int64_t>(&option.value.value);
    const int64_t* other = NumberAt(b, option.key);
    if (mine == nullptr || other == nullptr) return true;
    return 10 * std::abs(*mine - *other) <= std::max(std::abs(*mine), std::abs(*other));
  });
}

std::optional<std::string> FindLeak(std::span<const std::string> trained) {
  const std::vector<ProgramSplit> splits = ProgramSplits();
  for (const std::string& word : trained) {
    const Result<Spec> spec = ParseWorkload(word);
    if (!spec) continue;
    for (const ProgramSplit& split : splits) {
      if (!split.is_test) continue;
      for (const Spec& test : split.workloads) {
        if (IsNear(*spec, test)) return word + ", near " + test.ToText() + " of " + split.name;
      }
    }
  }
  return std::nullopt;
}

}  // namespace schedulegym
