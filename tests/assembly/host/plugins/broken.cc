// Plugins for tests whose agents break the rules of a search; SG_BROKEN says how.
#include <unistd.h>

#include "agents/plugin.h"

namespace {

using namespace schedulegym;  // NOLINT(google-build-using-namespace)

enum class Broken { kMoody, kGreedy, kForgetful };
constexpr Broken kBroken = Broken::SG_BROKEN;

// Moody: its chance is the process's. Greedy: takes more than it is given, and any option.
// Forgetful: what it loads makes its chance the process's.
class Breaking : public Agent, private Memory {
 public:
  explicit Breaking(const AgentContext& context) : context_(context) {
    if (kBroken == Broken::kMoody) context_.rng = Rng(static_cast<uint64_t>(getpid()));
  }

  std::vector<Proposal> Propose(int task, int count) override {
    if (kBroken == Broken::kGreedy) ++count;
    std::vector<Proposal> proposals;
    while (std::ssize(proposals) < count) {
      Result<ScheduleState> state =
          context_.space.Sample(context_.setup.tasks[task].task, context_.rng);
      if (state) proposals.push_back(ProposalOf(*std::move(state)));
    }
    return proposals;
  }

  Memory* memory() override { return kBroken == Broken::kForgetful ? this : nullptr; }

 private:
  std::string Kind() const override { return "breaking 1"; }
  std::optional<std::string> Save() override { return "what it learned"; }
  void Load(std::string_view) override { context_.rng = Rng(static_cast<uint64_t>(getpid())); }

  AgentContext context_;
};

}  // namespace

SG_PLUGIN(agents) {
  agents.push_back({"breaking", "", "breaks a rule", [](const AgentContext& context) {
                      if (kBroken != Broken::kGreedy) {
                        SpecReader(context.setup.agent, "agent").Finish();
                      }
                      return std::make_unique<Breaking>(context);
                    }});
}
