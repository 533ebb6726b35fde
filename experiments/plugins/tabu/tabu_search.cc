// Measures several neighbours of a schedule and moves to the best of them, even if it is slower, so
// that the search leaves local optima. The next moves must not undo a change, so that it does not
// return at once.
#include "tabu_search.h"

#include <algorithm>
#include <sstream>

#include "tabu_list.h"

namespace tabu {
namespace {

using namespace schedulegym;  // NOLINT(google-build-using-namespace)

struct Options {
  int64_t tenure = 7;      // Glover, 1989, where seven moves did well for problems of many sizes
  int64_t neighbours = 8;  // of which the best is next
  int64_t retries = 1000;  // draws that lead nowhere, after which nothing is left
};

Decisions DecisionsOf(const ScheduleState& state) {
  Decisions decisions;
  std::istringstream text(state.TraceText());
  for (std::string line; std::getline(text, line);) decisions.insert(line);
  return decisions;
}

class TabuSearch : public TaskSearch {
 public:
  TabuSearch(const Options& options, FreshSchedules fresh, Rng rng)
      : options_(options), fresh_(std::move(fresh)), rng_(rng), list_(options.tenure) {}

  std::vector<Proposal> Propose(int count) override {
    const int64_t wanted = std::min<int64_t>(count, options_.neighbours - seen_);
    std::vector<Proposal> proposals;
    while (std::ssize(proposals) < wanted) {
      std::optional<Proposal> next = here_ ? Allowed() : fresh_.Draw(rng_);
      if (!next) break;
      proposals.push_back(*std::move(next));
    }
    if (!proposals.empty() || !here_) return proposals;
    // All about it is known or forbidden.
    here_.reset();
    return Propose(count);
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      fresh_.Learn(trial);
      if (trial.told == TrialStatus::kMeasured) ++seen_;
      const std::optional<RatedState> rated = RatingOf(trial);
      if (rated && (!best_near_ || rated->speed > best_near_->speed)) best_near_ = rated;
    }
    if (best_near_ && (!here_ || seen_ >= options_.neighbours)) Move();
    if (seen_ >= options_.neighbours) seen_ = 0;
  }

 private:
  std::optional<Proposal> Allowed() {
    const Decisions here = DecisionsOf(here_->state);
    for (int64_t i = 0; i < options_.retries; ++i) {
      std::optional<Proposal> next = fresh_.Near(here_->state, rng_);
      if (!next || !list_.Forbids(here, DecisionsOf(next->state))) return next;
    }
    return std::nullopt;
  }

  void Move() {
    if (here_) list_.Move(DecisionsOf(here_->state), DecisionsOf(best_near_->state));
    here_ = std::move(best_near_);
    best_near_.reset();
    seen_ = 0;
  }

  Options options_;
  FreshSchedules fresh_;
  Rng rng_;
  TabuList list_;
  std::optional<RatedState> here_;       // none: it begins at random
  std::optional<RatedState> best_near_;  // of those measured since the last move
  int64_t seen_ = 0;                     // measured since then
};

int64_t ReadNumber(SpecReader& reader, const char* key, int64_t default_value, int64_t least) {
  const int64_t number = reader.Integer(key, default_value);
  if (number >= least && number <= 1'000'000) return number;
  throw InputError("agent tabu: " + std::string(key) + ": found " + std::to_string(number) +
                   ", expected " + std::to_string(least) + " to 1000000");
}

Options ReadOptions(const Spec& spec) {
  SpecReader reader(spec, "agent");
  Options options;
  options.tenure = ReadNumber(reader, "tenure", options.tenure, 0);
  options.neighbours = ReadNumber(reader, "neighbours", options.neighbours, 1);
  options.retries = ReadNumber(reader, "retries", options.retries, 1);
  reader.Finish();
  return options;
}

}  // namespace

std::unique_ptr<Agent> MakeTabuAgent(const AgentContext& context) {
  const Options options = ReadOptions(context.setup.agent);
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<TabuSearch>(options, FreshSchedules(context, task, options.retries),
                                        rng);
  });
}

}  // namespace tabu
