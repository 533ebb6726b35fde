// Catalog: everything that has a name, each with its maker, parameters and one line.
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

// A plain value: entries can be added to each copy.
struct Catalog {
  AgentRegistry agents;
  AgentRegistry refiners;  // they continue from the best of a search
  Registry<SchedulerMaker> schedulers;
  Registry<SpaceMaker> spaces;
  Registry<MeasurerMaker> measurers;
  ModelRegistry models;
  Registry<ObservationMaker> observations;
  Registry<RewardMaker> rewards;
  std::shared_ptr<TableCache> tables;  // shared between copies
};

// Everything that comes with the project.
Catalog BuiltinCatalog();

// Makes the catalog's agents and refiners.
std::shared_ptr<const AgentMaker> AgentsOf(const Catalog& catalog);

// One of the catalog's spaces, or the space of a measurer's own schedules: `table(file=FILE)`.
// Throws InputError for an unknown name, listing the known ones, and for invalid options.
std::unique_ptr<SearchSpace> NamedSpace(const Spec& spec, const Catalog& catalog);

}  // namespace schedulegym
