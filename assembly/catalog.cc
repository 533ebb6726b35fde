#include "assembly/catalog.h"

#include "agents/builtin_agents.h"
#include "assembly/measuring/measurer_factory.h"
#include "assembly/processes/hosted_agents.h"
#include "assembly/processes/line_agent.h"
#include "assembly/processes/process_agent.h"
#include "env/gym/observations/builtin_observations.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

// Of registries whose entries have these three texts and a maker.
template <typename Entry, typename Maker>
void AddAll(const std::vector<Entry>& entries, Registry<Maker>& registry) {
  for (const Entry& entry : entries) {
    registry.Add({entry.name, entry.parameters, entry.description}, entry.make);
  }
}

std::vector<AgentEntry> EntriesOf(const Registry<AgentFactory>& registry) {
  std::vector<AgentEntry> entries;
  for (const CatalogLine& line : registry.lines()) {
    entries.push_back(
        {line.name, line.parameters, line.description, registry.Find({line.name, {}})});
  }
  return entries;
}

void AddMeasurers(const std::shared_ptr<TableCache>& tables, Registry<MeasurerMaker>& measurers) {
  measurers.Add({"host", "", "compiles, verifies and times on this machine"}, MakeHostPlan);
  measurers.Add({"analytical", "", "the analytical estimate; nothing runs"}, MakeAnalyticalPlan);
  measurers.Add({"table", "file, noise=false",
                 "a recorded table, whose schedules alone it knows; nothing runs; noise=true draws "
                 "each measurement anew from the rounds that were recorded"},
                [tables](const Spec& spec) { return MakeTablePlan(spec, *tables); });
}

}  // namespace

Catalog BuiltinCatalog() {
  Catalog catalog;
  AddAll(BuiltinAgents(MakeMctsWhereItsPolicyIs), catalog.agents);
  catalog.agents.Add({"python", "module, class",
                      "a class of a Python module; other options go to its constructor"},
                     MakePythonAgent);
  catalog.agents.Add({"process", "command",
                      "a command in any language, which speaks JSON on its stdin and stdout; other "
                      "options go to it"},
                     MakeLineAgent);
  AddAll(HostedAgents(), catalog.agents);
  AddAll(BuiltinRefiners(), catalog.refiners);
  AddAll(BuiltinTaskSchedulers(), catalog.schedulers);
  AddAll(BuiltinSpaces(), catalog.spaces);
  AddAll(BuiltinObservations(), catalog.observations);
  for (const RewardEntry& entry : BuiltinRewards()) {
    catalog.rewards.Add({entry.name, entry.parameters, entry.description}, MakeReward);
  }
  AddMeasurers(catalog.tables, catalog.measurers);
  return catalog;
}

std::shared_ptr<const AgentMaker> AgentsOf(const Catalog& catalog) {
  return std::make_shared<const AgentMaker>(EntriesOf(catalog.agents), EntriesOf(catalog.refiners));
}

std::unique_ptr<SearchSpace> NamedSpace(const Spec& spec, const Catalog& catalog) {
  if (spec.name != "table") return catalog.spaces.Find(spec)(spec);
  return catalog.measurers.Find(spec)(spec)->OwnSpace();
}

}  // namespace schedulegym
