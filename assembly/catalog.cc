#include "assembly/catalog.h"

#include "agents/builtin_agents.h"
#include "assembly/measuring/measurer_factory.h"
#include "assembly/options/option_text.h"
#include "assembly/processes/hosted_agents.h"
#include "assembly/processes/hosted_models.h"
#include "assembly/processes/line_agent.h"
#include "assembly/processes/process_agent.h"

namespace schedulegym {
namespace {

// The same maker, after a look at the options of the spec.
AgentFactory Checked(AgentFactory make) {
  return [make = std::move(make)](const AgentContext& context) {
    CheckTunerOptions(context.setup.agent);
    return make(context);
  };
}

// The project's own agents, and agents in other processes.
AgentRegistry Agents() {
  AgentRegistry agents =
      BuiltinAgents({MakeMctsWhereItsPolicyIs, MakeFlextensorWhereItsNetworkIs, WhereItsModelIs});
  agents.Add({"python", "module, class",
              "a class of a Python module; other options go to its constructor", MakePythonAgent});
  agents.Add({"process", "command",
              "a command in any language, which speaks JSON on its stdin and stdout; other options "
              "go to it",
              MakeLineAgent});
  for (AgentEntry& hosted : HostedAgents()) agents.Add(std::move(hosted));
  for (const std::string& name : agents.names())
    agents.Replace(name, Checked(agents.At(name).make));
  return agents;
}

// Models that learn in a search, networks that are trained beforehand, and trained models.
ModelRegistry Models() {
  ModelRegistry models = BuiltinModels();
  for (RegistryEntry<ModelMaker>& shipped : ShippedEntries()) models.Add(std::move(shipped));
  for (RegistryEntry<ModelMaker>& network : NetworkEntries()) models.Add(std::move(network));
  return models;
}

Registry<MeasurerMaker> Measurers(const std::shared_ptr<TableCache>& tables) {
  return Registry<MeasurerMaker>(
      "measurer",
      {
          {"host", "", "compiles, verifies and times on this machine", MakeHostPlan},
          {"analytical", "version=1", "the analytical estimate; nothing runs", MakeAnalyticalPlan},
          {"model", "model",
           "a cost model in the machine's place, saved or by its spec: model(MODEL); nothing runs",
           MakeModelPlan},
          {"table", "file, noise=false, settle=recorded, cv=0.1, cv_rounds=3",
           "a recorded table, whose schedules alone it knows; nothing runs; noise=true draws each "
           "measurement anew from the recorded rounds, settle=cv takes those of cpu1(settle=cv)",
           [tables](const Spec& spec) { return MakeTablePlan(spec, *tables); }},
      });
}

}  // namespace

Catalog BuiltinCatalog() {
  const auto tables = std::make_shared<TableCache>();
  return {.agents = Agents(),
          .refiners = BuiltinRefiners(),
          .schedulers = BuiltinTaskSchedulers(),
          .spaces = BuiltinSpaces(),
          .measurers = Measurers(tables),
          .models = Models(),
          .observations = BuiltinObservations(),
          .rewards = BuiltinRewards(),
          .tables = tables};
}

std::shared_ptr<const AgentMaker> AgentsOf(const Catalog& catalog) {
  return std::make_shared<const AgentMaker>(catalog.agents, catalog.refiners);
}

std::unique_ptr<SearchSpace> NamedSpace(const Spec& spec, const Catalog& catalog) {
  if (spec.name != "table") return catalog.spaces.Find(spec)(spec);
  return catalog.measurers.Find(spec)(spec)->OwnSpace();
}

}  // namespace schedulegym
