// OfflineModel: a cost model by its spec, for data that was measured before.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "assembly/program_data.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"

namespace schedulegym {

struct OfflineModel {
  std::string name;  // as the user wrote it
  std::unique_ptr<CostModel> model;
  LearningModel* untrained = nullptr;  // `model`, where it has to be trained
  bool is_over_reference = false;      // scores are speeds over the task's reference schedule
};

// Makes a model of the registry, or reads a file of `tune --save-model` or `train`. Trees to be
// trained, `boosted` without a file, are large and correct the estimate unless the spec says
// otherwise. Throws InputError.
OfflineModel MakeOfflineModel(const std::string& word, Rng rng, const StopToken& stop = {});

// Replays the programs, trains on them, and returns the saved model; failures have label 0. Throws
// InputError where a trace does not replay, and Interrupted.
std::string TrainTrees(std::span<const TaskPrograms> tasks, LearningModel& untrained,
                       const StopToken& stop);

// The model of a word that was trained so, without the data.
OfflineModel WithTrees(const std::string& word, const std::string& trees);

// The first of `tested` that has the same computation as one of `trained` or is near it (IsNear),
// as "A, trained on B"; none where there is none.
std::optional<std::string> FindOverlap(std::span<const TaskPrograms> trained,
                                       std::span<const TaskPrograms> tested);

// Throws InputError where one of the tasks has no computation (IsForeign).
void RefuseForeignTasks(const std::string& model, std::span<const TaskPrograms> tasks);

// Throws InputError where one of them is near a task of a test split, or computes one (FindLeak).
void RefuseTestTasks(std::span<const TaskPrograms> trained);

}  // namespace schedulegym
