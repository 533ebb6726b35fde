// ProgramSplit: the tasks of the data set programs-v1, by what they are for.
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

// What a model does with a task: learns from it, is chosen on it, or is tested on it.
struct ProgramSplit {
  std::string name;         // train, valid, networks, strange
  std::string description;  // one line
  bool is_test = false;     // networks and strange
  std::vector<Spec> workloads;
  std::vector<std::string> words = {};  // what `tune` takes: a list of tasks, or networks
};
std::vector<ProgramSplit> ProgramSplits();

// The networks whose tasks are the split `networks`, with how often each runs a workload.
struct SplitNetwork {
  std::string name;
  std::vector<WeightedWorkload> workloads;
};
std::vector<SplitNetwork> SplitNetworks();

// How often a network runs a workload; 0 for words that are none of its workloads.
int64_t CountIn(const SplitNetwork& network, std::string_view workload);

// The name of the split that has a workload; none where none has.
std::optional<std::string> SplitOf(std::span<const ProgramSplit> splits, std::string_view workload);

// The workloads of the test splits, by the keys of their computations (ComputeDag).
std::map<Key, Spec> TestComputations(std::span<const ProgramSplit> splits);

// The one of these whose computation a `.dag` text has, whatever it is called; none where none has,
// or the text is not known ("").
std::optional<Spec> TestTaskOf(const std::map<Key, Spec>& tests, std::string_view dag);

// Of one workload, with every number within a tenth of the other's; one that is left out has the
// operator's default.
bool IsNear(const Spec& a, const Spec& b);

// The workload of a test split that this one is near to, as "B of networks"; none where none is.
// What is no workload is near to none.
std::optional<std::string> NearTest(std::span<const ProgramSplit> splits,
                                    std::string_view workload);

// What something learned from.
struct TrainedTask {
  std::string workload;
  std::string dag = {};  // `.dag` text; "" where the computation is not known
};

// The first workload of a test split that one of `trained` is near to, as "A, near B of networks",
// or computes, as "A, which computes B"; none where nothing leaks. Words that are no workloads are
// near to none.
std::optional<std::string> FindLeak(std::span<const TrainedTask> trained);

}  // namespace schedulegym
