// Measures a neighbour of the best schedule so far, and moves there if it is faster.
#include <agents/plugin.h>

namespace {

using namespace schedulegym;  // NOLINT(google-build-using-namespace)

class Climber : public TaskSearch {
 public:
  Climber(FreshSchedules fresh, Rng rng) : fresh_(std::move(fresh)), rng_(rng) {}

  std::vector<Proposal> Propose(int) override {
    std::optional<Proposal> next = best_ ? fresh_.Near(best_->state, rng_) : std::nullopt;
    if (!next) next = fresh_.Draw(rng_);
    return next ? std::vector{*next} : std::vector<Proposal>();
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      fresh_.Learn(trial);
      const std::optional<RatedState> rated = RatingOf(trial);
      if (rated && (!best_ || rated->speed > best_->speed)) best_ = rated;
    }
  }

 private:
  FreshSchedules fresh_;
  Rng rng_;
  std::optional<RatedState> best_;
};

std::unique_ptr<Agent> MakeClimber(const AgentContext& context) {
  SpecReader(context.setup.agent, "agent").Finish();  // it has no options
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<Climber>(FreshSchedules(context, task, 1000), rng);
  });
}

}  // namespace

SG_PLUGIN(agents) { agents.push_back({"climber", "", "climbs from the best so far", MakeClimber}); }
