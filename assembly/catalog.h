// Catalog: all that can be named, each with its maker, parameters and one line.
#pragma once

#include <functional>
#include <memory>

#include "agents/agent_maker.h"
#include "agents/task_scheduler.h"
#include "assembly/measuring/measurer_factory.h"
#include "env/base/registry.h"
#include "env/base/spec.h"
#include "env/gym/observations/observation.h"
#include "env/gym/reward.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Each throws InputError for a bad option.
using SpaceMaker = std::function<std::unique_ptr<SearchSpace>(const Spec&)>;
using MeasurerMaker = std::function<std::shared_ptr<const MeasurerFactory>(const Spec&)>;
using ObservationMaker = std::function<std::unique_ptr<Observation>(const Spec&)>;
using RewardMaker = std::function<Reward(const Spec&)>;

// A value: who has one may add to it.
struct Catalog {
  Registry<AgentFactory> agents{"agent"};
  Registry<AgentFactory> refiners{"refiner"};  // what goes on from the best of a search
  Registry<SchedulerMaker> schedulers{"scheduler"};
  Registry<SpaceMaker> spaces{"space"};
  Registry<MeasurerMaker> measurers{"measurer"};
  Registry<ObservationMaker> observations{"observation"};
  Registry<RewardMaker> rewards{"reward"};
  std::shared_ptr<TableCache> tables = std::make_shared<TableCache>();  // copies share them
};

// What comes with the project.
Catalog BuiltinCatalog();

// Of its agents and refiners.
std::shared_ptr<const AgentMaker> AgentsOf(const Catalog& catalog);

// One of the catalog's spaces, or that of what a measurer knows: `table(file=FILE)`. Throws
// InputError for an unknown name, with those that exist, and for what is wrong with its options.
std::unique_ptr<SearchSpace> NamedSpace(const Spec& spec, const Catalog& catalog);

}  // namespace schedulegym
