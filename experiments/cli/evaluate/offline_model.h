// OfflineModel: a cost model by its spec, for data that was measured before.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "agents/cost/boosted_cost_model.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"
#include "experiments/cli/evaluate/program_data.h"

namespace schedulegym {

struct OfflineModel {
  std::string name;  // as it was asked for
  std::unique_ptr<CostModel> model;
  BoostedCostModel* untrained = nullptr;  // `model`, where it has to be trained
};

// `analytical`, `random`, `boosted(file=FILE)`, a file of `tune --save-model` or `train`, or trees
// to be trained: `boosted(features=estimated, label=speed, depth=6, rounds=300)`, whose defaults
// are TenSet's (Zheng et al., NeurIPS 2021 Datasets; xgb_model.py). Throws InputError.
OfflineModel MakeOfflineModel(const std::string& word, Rng rng, const StopToken& stop = {});

// Replays the programs, trains on them, and returns the trees' text; failures count as label 0.
// Throws InputError where a trace does not replay, and Interrupted.
std::string TrainTrees(std::span<const TaskPrograms> tasks, BoostedCostModel& untrained,
                       const StopToken& stop);

// The model of a word with such trees, without the data that they were trained on.
OfflineModel WithTrees(const std::string& word, const std::string& trees);

// The first of `tested` that has the same computation as one of `trained` or is near it (IsNear),
// as "A, trained on B"; none where there is none.
std::optional<std::string> FindOverlap(std::span<const TaskPrograms> trained,
                                       std::span<const TaskPrograms> tested);

// Throws InputError where one of them is near a task of a test split (FindLeak).
void RefuseTestTasks(std::span<const TaskPrograms> trained);

}  // namespace schedulegym
