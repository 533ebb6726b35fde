// Catalog: all that can be named, each with its maker, parameters and one line.
#pragma once

#include <functional>
#include <memory>

#include "agents/agent_maker.h"
#include "agents/cost/model_registry.h"
#include "agents/task_scheduler.h"
#include "assembly/measuring/measurer_factory.h"
#include "env/base/registry.h"
#include "env/base/spec.h"
#include "env/gym/observations/builtin_observations.h"
#include "env/gym/reward.h"
#include "env/search/search_space.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {

// Throws InputError for a bad option.
using MeasurerMaker = std::function<std::shared_ptr<const MeasurerFactory>(const Spec&)>;

// A value: who has one may add to it.
struct Catalog {
  AgentRegistry agents;
  AgentRegistry refiners;  // what goes on from the best of a search
  Registry<SchedulerMaker> schedulers;
  Registry<SpaceMaker> spaces;
  Registry<MeasurerMaker> measurers;
  ModelRegistry models;
  Registry<ObservationMaker> observations;
  Registry<RewardMaker> rewards;
  std::shared_ptr<TableCache> tables;  // copies share them
};

// What comes with the project.
Catalog BuiltinCatalog();

// Of its agents and refiners.
std::shared_ptr<const AgentMaker> AgentsOf(const Catalog& catalog);

// One of the catalog's spaces, or that of what a measurer knows: `table(file=FILE)`. Throws
// InputError for an unknown name, with those that exist, and for what is wrong with its options.
std::unique_ptr<SearchSpace> NamedSpace(const Spec& spec, const Catalog& catalog);

}  // namespace schedulegym
