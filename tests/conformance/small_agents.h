// SmallAgents: slow agents, in sizes that are fast enough for tests.
#pragma once

#include <map>
#include <string>

namespace schedulegym {

// The options of an agent; "" if its defaults are fast enough. An agent that is new to a registry
// takes part with its defaults.
inline std::string SmallOptionsOf(const std::string& agent) {
  static const std::map<std::string, std::string> kOptions = {
      {"adatune", "plan=16,chains=16,steps=20"},
      {"annealing", "steps=60"},
      {"autotvm", "plan=16,chains=16,steps=20"},
      {"ansor", "population=64"},
      {"blind", "agent=ansor(population=64)"},
      {"collect", "agent=ansor(population=64)"},
      {"dpansor", "k=10,trials=40,agent=ansor(population=64)"},
      {"genetic", "population=30"},
      {"bayes", "first=8,pool=128"},
      {"flextensor", "warm=8,moves=8"},
      {"beam", "width=2,passes=1"},
      {"es", "samples=16,steps=4"},
      {"guided", "samples=4"},
      {"harl", "visits=240,stop_every=3,stop_least=8,round=32,hidden=8"},
      {"heron", "plan=16,population=24,select=12,generations=2"},
      {"mcts", "iterations=32"},
      {"chameleon", "plan=16,episodes=8,steps=8"},
      {"na2c", "hidden=8"},
      {"network_walk", "warm=8"},
      {"metaschedule", "population=32,least=16,round=16,generations=2,trusted=16"},
      {"oneshot", "shots=8,population=12,elite=4,generations=3"},
      {"transfer", "then=random"},
  };
  const auto found = kOptions.find(agent);
  return found == kOptions.end() ? "" : found->second;
}

inline std::string SmallSpecOf(const std::string& agent) {
  return agent + "(" + SmallOptionsOf(agent) + ")";
}

}  // namespace schedulegym
