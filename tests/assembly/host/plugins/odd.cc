// Plugins for tests that fail once their agents are listed; SG_ODD selects the failure.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "agents/plugin.h"

namespace {

enum class Odd {
  kThrows,
  kCrashes,
  kTakenName,
  kNoMaker,
  kBadName,
  kEmpty,
  kEats,        // allocates without limit, and reports how much it got
  kHangs,       // never returns
  kInitialises  // works, and leaves a trace when opened
};
constexpr Odd kOdd = Odd::SG_ODD;

// Touches none of the allocated pages.
[[noreturn]] void Eat() {
  constexpr size_t kGibibyte = size_t{1} << 30;
  size_t had = 0;
  while (std::malloc(kGibibyte) != nullptr) ++had;  // NOLINT(cppcoreguidelines-no-malloc)
  throw std::runtime_error("had " + std::to_string(had) + " GiB");
}

[[noreturn]] void Hang() {
  while (true) pause();
}

[[maybe_unused]] const int kTrace =
    kOdd == Odd::kInitialises ? setenv("SG_PLUGIN_HAS_RUN", "yes", 1) : 0;

std::unique_ptr<schedulegym::Agent> Make(const schedulegym::AgentContext&) { return nullptr; }

}  // namespace

SG_PLUGIN(agents) {
  if (kOdd == Odd::kEmpty) return;
  agents.push_back({"first", "", "is none", Make});
  if (kOdd == Odd::kThrows) throw std::runtime_error("not today");
  if (kOdd == Odd::kCrashes) raise(SIGSEGV);
  if (kOdd == Odd::kTakenName) agents.push_back({"random", "", "is there already", Make});
  if (kOdd == Odd::kNoMaker) agents.push_back({"second", "", "cannot be made", nullptr});
  if (kOdd == Odd::kBadName) agents.push_back({"a name(b=1)", "", "is no name", Make});
  if (kOdd == Odd::kEats) Eat();
  if (kOdd == Odd::kHangs) Hang();
}
