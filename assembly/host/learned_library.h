// Learned library: the interface of the shared library of agents that use LibTorch.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "agents/local/flextensor.h"
#include "agents/mcts/action_policy.h"
#include "agents/model_trainer.h"
#include "agents/trainer.h"
#include "env/base/stop_token.h"
#include "env/search/cost_model.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct LearnedMaker {
  const char* name;
  std::unique_ptr<Agent> (*make)(const AgentContext& context);
};

struct LearnedLibrary {
  std::span<const LearnedMaker> agents;
  TrainedActions (*read_harl_policy)(const PolicyFile& file, const SearchSpace& space,
                                     const std::shared_ptr<const Task>& task);
  std::unique_ptr<Trainer> (*make_harl_trainer)(const TrainerContext& context);
  std::unique_ptr<CostModel> (*read_scorer)(const std::string& path,
                                            std::span<const std::shared_ptr<const Task>> tasks,
                                            const StopToken& stop);
  // The same of a network of partial schedules, too, which lie in these spaces.
  std::unique_ptr<CostModel> (*read_any_scorer)(
      const std::string& path, std::vector<std::shared_ptr<const SearchSpace>> spaces,
      const StopToken& stop);
  std::unique_ptr<ModelTrainer> (*make_scorer_trainer)(const ModelTrainingRequest& request);
  std::unique_ptr<MoveDirections> (*make_directions)(const KnobField& field,
                                                     const DirectionsOptions& options, Rng rng);
};

// The name by which it is found there.
constexpr const char* kLearnedLibrary = "schedulegym_learned_library";

}  // namespace schedulegym
