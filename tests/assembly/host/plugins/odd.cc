// Plugins for tests that are refused once they are asked for their agents; SG_ODD says which.
#include <csignal>
#include <stdexcept>

#include "agents/plugin.h"

namespace {

enum class Odd { kThrows, kCrashes, kTakenName, kNoMaker, kBadName, kEmpty };

std::unique_ptr<schedulegym::Agent> Make(const schedulegym::AgentContext&) { return nullptr; }

}  // namespace

SG_PLUGIN(agents) {
  constexpr Odd kOdd = Odd::SG_ODD;
  if (kOdd == Odd::kEmpty) return;
  agents.push_back({"first", "", "is well", Make});
  if (kOdd == Odd::kThrows) throw std::runtime_error("not today");
  if (kOdd == Odd::kCrashes) raise(SIGSEGV);
  if (kOdd == Odd::kTakenName) agents.push_back({"random", "", "is there already", Make});
  if (kOdd == Odd::kNoMaker) agents.push_back({"second", "", "cannot be made", nullptr});
  if (kOdd == Odd::kBadName) agents.push_back({"a name(b=1)", "", "is no name", Make});
}
