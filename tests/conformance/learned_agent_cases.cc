#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "agents/beam/beam.h"
#include "agents/builtin_agents.h"
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
#include "agents/trained/oneshot.h"
#include "tests/conformance/agent_cases.h"
#include "tests/conformance/small_agents.h"

namespace schedulegym {
namespace {

// Writes a network with random weights to this run's temporary folder; returns its path.
std::string NetworkFile(const std::string& name, const std::string& model) {
  const std::string path = testing::TempDir() + name + ".model";
  const Spec spec = RequireSpec("model", model);
  ProgramRows none = EmptyRows(ReadScorerOptions(spec));
  none.targets = {""};
  Checkpoint checkpoint;
  PutScorer(checkpoint, NewScorerModel(spec, none, {}, Rng(1)));
  WriteScorerFile(path, checkpoint);
  return path;
}

// `value` with that network, whose path would otherwise be in the names of tests.
std::unique_ptr<Agent> MakeValue(const AgentContext& context) {
  AgentSetup setup = context.setup;
  setup.agent.options.push_back({"model", SpecValue{NetworkFile("stages", "stages(width=8)")}});
  return MakeValueAgent(WithSetup(context, setup));
}

// Makes agents of every build, which read networks if LibTorch is available.
template <auto make>
std::unique_ptr<Agent> MakeWithNetworks(const AgentContext& context) {
  return make(context, ReadScorerCostModel);
}

// An agent of another list with such a network in place of its file, whose path would be in the
// names of tests.
struct NetworkCase {
  const char* name;
  const char* agent;
  ModelAgentMaker make;
  const char* model;
  const char* options = "";
};

AgentEntry EntryOf(const NetworkCase& one) {
  return {one.name, "", one.model, [=](const AgentContext& context) {
            return one.make(context, [=](const std::string&, auto tasks, const StopToken& stop) {
              return ReadScorerCostModel(NetworkFile(one.name, one.model), tasks, stop);
            });
          }};
}

// The smallest networks, so that training during a search is fast.
std::vector<NetworkCase> NetworkCases() {
  return {{"tuned_ansor", "ansor", MakeAnsorAgent, "mlp(width=8,adapt=tune,tune_epochs=2)"},
          {"slow_ansor", "ansor", MakeAnsorAgent, "mlp(width=8,adapt=momentum,tune_epochs=2)"},
          {"residual_ansor", "ansor", MakeAnsorAgent, "mlp(width=8,adapt=residual)"},
          {"drafting_ansor", "ansor", MakeAnsorAgent, "mlp(width=8,adapt=tune,tune_epochs=2)",
           ",draft=estimate,drafted=16"},
          {"network_beam", "beam", MakeBeamAgent, "tlp(width=8)"},
          {"network_oneshot", "oneshot", MakeOneshotAgent, "oneshot_net(width=8)"}};
}

// `flextensor(method=q)`; the built-in agent of this name has no network.
std::unique_ptr<Agent> MakeNetworkWalk(const AgentContext& context) {
  AgentSetup setup = context.setup;
  setup.agent.options.push_back({"method", SpecValue{Spec{"q", {}}}});
  return MakeFlextensorAgent(WithSetup(context, setup), MakeQDirections);
}

}  // namespace

std::vector<AgentEntry> OtherAgents() {
  std::vector<AgentEntry> agents = {
      HarlEntry(),
      {"chameleon", kChameleonParameters, kChameleonDescription, MakeChameleonAgent},
      {"na2c", kNa2cParameters, kNa2cDescription, MakeNa2cAgent},
      {"value", kValueParameters, kValueDescription, MakeValue},
      {"network_ansor", "", "ansor whose model may be a network", MakeWithNetworks<MakeAnsorAgent>},
      {"network_es", "", "es whose model may be a network", MakeWithNetworks<MakeEsAgent>},
      {"network_walk", "", "flextensor with its network", MakeNetworkWalk}};
  for (const NetworkCase& one : NetworkCases()) agents.push_back(EntryOf(one));
  return agents;
}

std::vector<std::string> EndingAgents(const std::string&) { return {}; }

std::vector<std::string> AgentNames() {
  std::vector<std::string> names;
  for (const AgentEntry& entry : OtherAgents()) {
    // Without options these are agents of another list.
    const bool is_other = entry.name == "network_ansor" || entry.name == "network_es" ||
                          std::ranges::count(NetworkCases(), entry.name, &NetworkCase::name) > 0;
    if (!is_other) names.push_back(entry.name);
  }
  return names;
}

// An agent that is new to the list takes part with its defaults.
std::vector<AgentCase> AgentCases() {
  std::vector<AgentCase> cases;
  for (const std::string& name : AgentNames()) cases.push_back({.spec = SmallSpecOf(name)});
  for (const char* mode :
       {",mode=faithful", ",policy=sketch,sketch=uniform", ",model=pretrained_mlp"}) {
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
  for (const NetworkCase& one : NetworkCases()) {
    const std::string_view model = one.model;
    const bool trains_on =
        model.find("tune,") != model.npos || model.find("momentum") != model.npos;
    cases.push_back({.spec = std::string(one.name) + "(" + SmallOptionsOf(one.agent) + one.options +
                             ",model=pretrained_mlp)",
                     .episodes = trains_on});
  }
  cases.push_back({.spec = "network_walk(" + SmallOptionsOf("network_walk") + ",mode=faithful)"});
  return cases;
}

}  // namespace schedulegym
