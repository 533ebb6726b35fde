// AgentCases: every agent that comes with the project, in each of its modes.
#pragma once

#include <cctype>
#include <ostream>
#include <string>
#include <vector>

#include "agents/agent_maker.h"

namespace schedulegym {

// Of which schedules an agent may ask for another measurement.
enum class Repeats {
  kNone,
  kBest,         // once the best so far
  kBestThenAny,  // that first, then whatever its steps lead to
};

struct AgentCase {
  std::string spec;
  Repeats repeats = Repeats::kNone;
  bool episodes = false;  // steps from place to place, which later words do not undo

  friend std::ostream& operator<<(std::ostream& out, const AgentCase& one) {
    return out << one.spec;
  }
};

// So small that searches change their phase within few trials. One that is new to the registry
// takes part as its name alone makes it.
std::vector<AgentCase> AgentCases();

// Those that end once they have tried the donors of a store, and no other agent goes on.
std::vector<std::string> EndingAgents(const std::string& donors);

// Those of the cases that are not among BuiltinAgents.
std::vector<AgentEntry> OtherAgents();

// All that the cases are of, each once.
std::vector<std::string> AgentNames();

// Letters and digits alone, "ansor_population64modefaithful".
inline std::string NameOf(const AgentCase& one) {
  std::string name;
  for (char c : one.spec) {
    if (c == '(') name += '_';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return name;
}

}  // namespace schedulegym
