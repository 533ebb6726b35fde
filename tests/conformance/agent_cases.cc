#include "tests/conformance/agent_cases.h"

#include <map>
#include <set>

#include "agents/builtin_agents.h"
#include "tests/conformance/small_agents.h"

namespace schedulegym {
namespace {

AgentCase CaseOf(const std::string& name, const std::string& mode) {
  std::string options = SmallOptionsOf(name);
  if (!options.empty() && !mode.empty()) options += ", ";
  Repeats repeats = Repeats::kNone;
  if (name == "dpansor") repeats = mode == "mode=faithful" ? Repeats::kBestThenAny : Repeats::kBest;
  const std::set<std::string> walkers = {"annealing", "hill", "local", "mcts"};
  return {name + "(" + options + mode + ")", repeats, walkers.contains(name)};
}

}  // namespace

std::vector<AgentCase> AgentCases() {
  const std::map<std::string, std::vector<std::string>> modes = {
      {"adatune", {"mode=faithful", "acquire=ei", "acquire=ucb", "contextual=true"}},
      {"annealing", {"chains=4"}},
      {"ansor",
       {"mode=faithful", "model=analytical", "model=random", "model=pretrained", "models=family",
        "models=task, draft=estimate, drafted=16",
        "mode=faithful, trusted=8, draft=analytical(version=2), drafted=16, beside=0.2",
        "finetune=false", "beam=true"}},
      {"autotvm",
       {"mode=faithful", "model=regression", "features=ansor", "diversity=0", "persistent=false"}},
      {"bayes",
       {"mode=faithful", "acquire=poi", "acquire=lcb", "acquire=multi", "acquire=advanced",
        "acquire=fast", "batch=4", "design=random", "targets=ms", "fitted=false, spacing=shared"}},
      {"dpansor", {"mode=faithful"}},
      {"droplet", {"mode=faithful", "speculate=false"}},
      {"flextensor", {"mode=faithful", "method=random"}},
      {"gbfs", {"mode=faithful", "start=origin"}},
      {"heron",
       {"mode=faithful", "search=ga", "search=sa", "search=crand, caches=true", "keys=random",
        "keys=half"}},
      {"local", {"patience=8"}},
      {"metaschedule", {"cadence=always"}},
      {"mcts",
       {"mode=faithful", "form=puct", "form=protuner", "form=protuner, measure=0",
        "actions=modify"}},
      {"transfer", {"mode=faithful, within=true", "refit=none"}},
  };
  std::vector<AgentCase> cases;
  // A search that depends on each single measurement.
  cases.push_back({.spec = "blind(agent=hill)", .episodes = true});
  for (const auto& entry : BuiltinAgents()) {
    cases.push_back(CaseOf(entry.name, ""));
    // These learn from measurements, and have no option `iterations`.
    if (entry.name == "mcts") {
      cases.push_back({.spec = "mcts(form=measured)", .episodes = true});
      cases.push_back({.spec = "mcts(reward=measured)", .episodes = true});
    }
    if (entry.name == "oneshot") {
      cases.push_back({"oneshot(shots=1,population=12,elite=4,generations=3)"});
      cases.push_back({"oneshot(search=annealing,shots=8,chains=8,steps=6)"});
      cases.push_back({"oneshot(mode=faithful,shots=8,population=12,elite=4,generations=3)"});
    }
    if (entry.name == "beam") cases.push_back({"beam(reward=measured)"});
    if (!modes.contains(entry.name)) continue;
    for (const std::string& mode : modes.at(entry.name)) cases.push_back(CaseOf(entry.name, mode));
  }
  return cases;
}

std::vector<std::string> EndingAgents(const std::string& donors) {
  const std::string options = "(donors=all, from=\"" + donors + "\", ";
  return {"transfer" + options + "then=none)", "transfer" + options + "mode=faithful)"};
}

std::vector<AgentEntry> OtherAgents() { return {}; }

std::vector<std::string> AgentNames() {
  std::vector<std::string> names;
  for (const auto& entry : BuiltinAgents()) names.push_back(entry.name);
  return names;
}

}  // namespace schedulegym
