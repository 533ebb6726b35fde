// AgentCases: every built-in agent, in each of its modes.
#pragma once

#include <cctype>
#include <ostream>
#include <string>
#include <vector>

#include "agents/agent_maker.h"

namespace schedulegym {

// The schedules that an agent may propose for another measurement.
enum class Repeats {
  kNone,
  kBest,         // the best so far, once
  kBestThenAny,  // that first, then those that its steps lead to
};

struct AgentCase {
  std::string spec;
  Repeats repeats = Repeats::kNone;
  bool episodes = false;  // moves between places; revisions do not undo a move

  friend std::ostream& operator<<(std::ostream& out, const AgentCase& one) {
    return out << one.spec;
  }
};

// Options are small, so that searches change their phase within few trials. An agent that is new to
// the registry takes part with its defaults.
std::vector<AgentCase> AgentCases();

// Agents that end after the donors of a store, without a following agent.
std::vector<std::string> EndingAgents(const std::string& donors);

// Agents of the cases that are not among BuiltinAgents.
std::vector<AgentEntry> OtherAgents();

// Names of the agents in the cases, each once.
std::vector<std::string> AgentNames();

// Letters and digits only, such as "ansor_population64modefaithful".
inline std::string NameOf(const AgentCase& one) {
  std::string name;
  for (char c : one.spec) {
    if (c == '(') name += '_';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return name;
}

}  // namespace schedulegym
