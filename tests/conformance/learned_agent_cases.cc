#include <gtest/gtest.h>

#include "agents/evolution/ansor.h"
#include "agents/learned/harl/harl.h"
#include "agents/learned/scorer/scorer_checkpoint.h"
#include "agents/learned/scorer/scorer_cost_model.h"
#include "agents/learned/tuners/chameleon.h"
#include "agents/learned/tuners/na2c.h"
#include "agents/learned/tuners/q_directions.h"
#include "agents/learned/tuners/tuner_options.h"
#include "agents/learned/tuners/value.h"
#include "agents/trained/es.h"
#include "tests/conformance/agent_cases.h"
#include "tests/conformance/small_agents.h"

namespace schedulegym {
namespace {

// A network as chance made it, in the folder of this run's temporary files.
std::string StagesFile() {
  const std::string path = testing::TempDir() + "stages.model";
  const Spec spec = RequireSpec("model", "stages(width=8)");
  ProgramRows none = EmptyRows(ReadScorerOptions(spec));
  none.targets = {""};
  Checkpoint checkpoint;
  PutScorer(checkpoint, NewScorerModel(spec, none, {}, Rng(1)));
  WriteScorerFile(path, checkpoint);
  return path;
}

// `value` with that network: its path would stand in names of tests otherwise.
std::unique_ptr<Agent> MakeValue(const AgentContext& context) {
  AgentSetup setup = context.setup;
  setup.agent.options.push_back({"model", SpecValue{StagesFile()}});
  return MakeValueAgent(WithSetup(context, setup));
}

// Agents of every build, which read networks where LibTorch is.
template <auto make>
std::unique_ptr<Agent> MakeWithNetworks(const AgentContext& context) {
  return make(context, ReadScorerCostModel);
}

// `flextensor(method=q)`, whose name is among the built-in agents without a network.
std::unique_ptr<Agent> MakeNetworkWalk(const AgentContext& context) {
  AgentSetup setup = context.setup;
  setup.agent.options.push_back({"method", SpecValue{Spec{"q", {}}}});
  return MakeFlextensorAgent(WithSetup(context, setup), MakeQDirections);
}

}  // namespace

std::vector<AgentEntry> OtherAgents() {
  return {
      HarlEntry(),
      {"chameleon", kChameleonParameters, kChameleonDescription, MakeChameleonAgent},
      {"na2c", kNa2cParameters, kNa2cDescription, MakeNa2cAgent},
      {"value", kValueParameters, kValueDescription, MakeValue},
      {"network_ansor", "", "ansor whose model may be a network", MakeWithNetworks<MakeAnsorAgent>},
      {"network_es", "", "es whose model may be a network", MakeWithNetworks<MakeEsAgent>},
      {"network_walk", "", "flextensor with its network", MakeNetworkWalk}};
}

std::vector<std::string> EndingAgents(const std::string&) { return {}; }

std::vector<std::string> AgentNames() {
  std::vector<std::string> names;
  for (const AgentEntry& entry : OtherAgents()) {
    // Without options these are agents of another list.
    const bool is_other = entry.name == "network_ansor" || entry.name == "network_es";
    if (!is_other) names.push_back(entry.name);
  }
  return names;
}

// One that is new to the list takes part as its name alone makes it.
std::vector<AgentCase> AgentCases() {
  std::vector<AgentCase> cases;
  for (const std::string& name : AgentNames()) cases.push_back({.spec = SmallSpecOf(name)});
  for (const char* mode : {",mode=faithful", ",policy=sketch,sketch=uniform"}) {
    cases.push_back({.spec = "harl(" + SmallOptionsOf("harl") + mode + ")"});
  }
  for (const char* mode : {",mode=faithful", ",explorer=annealing, synthesis=none", ",choose=top",
                           ",together=false, clusters=largest"}) {
    cases.push_back({.spec = "chameleon(" + SmallOptionsOf("chameleon") + mode + ")"});
  }
  cases.push_back({.spec = "na2c(" + SmallOptionsOf("na2c") + ",mode=faithful)"});
  cases.push_back({.spec = "value(width=2)"});
  for (const char* agent : {"ansor", "es"}) {
    cases.push_back({.spec = "network_" + std::string(agent) + "(" + SmallOptionsOf(agent) +
                             ",model=pretrained_mlp)"});
  }
  cases.push_back({.spec = "network_walk(" + SmallOptionsOf("network_walk") + ",mode=faithful)"});
  return cases;
}

}  // namespace schedulegym
