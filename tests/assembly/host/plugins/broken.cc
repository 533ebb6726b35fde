// Plugins for tests whose agents break the rules of a search; SG_BROKEN selects the rule.
#include <unistd.h>

#include <chrono>
#include <set>

#include "agents/plugin.h"

namespace {

using namespace schedulegym;  // NOLINT(google-build-using-namespace)

enum class Broken {
  kMoody,      // takes its seed from the process
  kGreedy,     // proposes more than requested, and accepts any option
  kForgetful,  // after loading takes its seed from the process
  kDeaf,       // computes for long without checking the stop token
  kSulky,      // stops for good after a failure of the machine
  kStrict,     // proposes no schedule twice, measured or not
  kEndless,    // draws until it finds a schedule without a result
  kThrifty,    // proposes at most a share of its trials
};
constexpr Broken kBroken = Broken::SG_BROKEN;

bool IsDrawnTwice(const std::set<Key>& known, const Key& key) {
  return (kBroken == Broken::kStrict || kBroken == Broken::kEndless) && known.contains(key);
}

class Breaking : public Agent, private ModelState {
 public:
  explicit Breaking(const AgentContext& context) : context_(context) {
    if (kBroken == Broken::kMoody) context_.rng = Rng(static_cast<uint64_t>(getpid()));
  }

  std::vector<Proposal> Propose(int task, int count) override {
    if (kBroken == Broken::kDeaf && count > 100) Think();
    if (kBroken == Broken::kGreedy) ++count;
    if (kBroken == Broken::kSulky && is_offended_) return {};
    if (kBroken == Broken::kThrifty) count = std::min(count, Share());
    std::vector<Proposal> proposals;
    for (int64_t drawn = 0; std::ssize(proposals) < count && drawn < MostDraws(count); ++drawn) {
      Result<ScheduleState> state =
          context_.space.Sample(context_.setup.tasks[task].task, context_.rng);
      if (!state) continue;
      Proposal one = ProposalOf(*std::move(state));
      if (IsDrawnTwice(known_, one.key)) continue;
      if (kBroken == Broken::kStrict) known_.insert(one.key);
      proposals.push_back(std::move(one));
    }
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      is_offended_ = is_offended_ || trial.told == TrialStatus::kSaysNothing;
      if (trial.told == TrialStatus::kMeasured) known_.insert(trial.key);
    }
  }

  ModelState* memory() override { return kBroken == Broken::kForgetful ? this : nullptr; }

 private:
  static void Think() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (std::chrono::steady_clock::now() < end) continue;
  }
  static int64_t MostDraws(int count) {
    return kBroken == Broken::kEndless ? INT64_MAX : int64_t{1000} + count;
  }
  int Share() const {
    const std::optional<Budget>& budget = context_.setup.budget;
    return budget ? static_cast<int>(std::min<int64_t>(budget->trials / 20, 100)) : 1;
  }

  std::string Kind() const override { return "breaking 1"; }
  std::optional<std::string> Save() override { return "what it learned"; }
  void Load(std::string_view) override { context_.rng = Rng(static_cast<uint64_t>(getpid())); }

  AgentContext context_;
  std::set<Key> known_;
  bool is_offended_ = false;
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
