#include "agents/learned/harl/harl.h"
#include "tests/conformance/agent_cases.h"

namespace schedulegym {
namespace {

constexpr const char* kSmall = "visits=240,stop_every=3,stop_least=8,round=32,hidden=8";

}  // namespace

std::vector<AgentCase> AgentCases() {
  std::vector<AgentCase> cases;
  for (const char* mode : {"", ",mode=faithful", ",policy=sketch,sketch=uniform"}) {
    cases.push_back({.spec = std::string("harl(") + kSmall + mode + ")"});
  }
  return cases;
}

std::vector<AgentEntry> OtherAgents() { return {HarlEntry()}; }

}  // namespace schedulegym
