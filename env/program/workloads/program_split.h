// ProgramSplit: the tasks of the data set programs-v1, by purpose.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/hash.h"
#include "env/base/spec.h"
#include "env/program/workloads/network.h"

namespace schedulegym {

// Tasks of one purpose: to train a model, to select it, or to test it.
struct ProgramSplit {
  std::string name;         // train, valid, networks, strange
  std::string description;  // one line
  bool is_test = false;     // networks and strange
  std::vector<Spec> workloads;
  std::vector<std::string> words = {};  // arguments of `tune`: a list of tasks, or networks
};
std::vector<ProgramSplit> ProgramSplits();

// The networks whose tasks are the split `networks`, with the count of each workload.
struct SplitNetwork {
  std::string name;
  std::vector<WeightedWorkload> workloads;
};
std::vector<SplitNetwork> SplitNetworks();

// How often a network runs a workload; 0 if it does not contain the workload.
int64_t CountIn(const SplitNetwork& network, std::string_view workload);

// The name of the split that contains a workload; nullopt if none does.
std::optional<std::string> SplitOf(std::span<const ProgramSplit> splits, std::string_view workload);

// The workloads of the test splits, by the keys of their computations (ComputeDag).
std::map<Key, Spec> TestComputations(std::span<const ProgramSplit> splits);

// The test workload whose computation equals that of a `.dag` text, whatever its name; nullopt if
// none does, or if the text is unknown ("").
std::optional<Spec> TestTaskOf(const std::map<Key, Spec>& tests, std::string_view dag);

// True if both are one workload and every number is within a tenth of the other's. A number that is
// left out has the operator's default.
bool IsNear(const Spec& a, const Spec& b);

// The near workload of a test split, as "B of networks"; nullopt if there is none, or if `workload`
// is no workload.
std::optional<std::string> NearTest(std::span<const ProgramSplit> splits,
                                    std::string_view workload);

// A task on which a model or a search was trained.
struct TrainedTask {
  std::string workload;
  std::string dag = {};  // `.dag` text; "" where the computation is not known
};

// The first workload of a test split that one of `trained` is near to, as "A, near B of networks",
// or computes, as "A, which computes B"; nullopt if there is no leak. Words that are no workloads
// are near to none.
std::optional<std::string> FindLeak(std::span<const TrainedTask> trained);

}  // namespace schedulegym
