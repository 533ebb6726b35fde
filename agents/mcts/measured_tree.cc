// Tree search whose values are measurements. Each proposal is one descent (search_tree.h),
// completed at random, at most 8 draws until the space admits it. An end that was measured before
// is credited at once; a pending end waits for its result. A share `local` of proposals are
// neighbours of the best instead. Values are -log seconds, or speeds (tinygrad's form). A corrected
// measurement recomputes the tree. Ends after 2000 descents without a new schedule. Cost: one
// descent and one build a proposal.
#include "agents/mcts/measured_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "agents/mcts/shown_trees.h"
#include "agents/mcts/tree_visitor.h"
#include "agents/parallel.h"

namespace schedulegym {
namespace {

// Draws for one end, until one can be measured.
constexpr int kMostDraws = 8;
// Descents in a row whose ends cannot be measured.
constexpr int kMostIdle = 2000;
constexpr int kMostShown = 2000;  // nodes

std::unique_ptr<StateRollout> RolloutOf(const DecisionSearchContext& ground) {
  return std::make_unique<StateRollout>(ground.space, WorthBy(ground, Worth::kLogSpeed),
                                        SearchThreads(*ground.task), ground.stop);
}

// Returns no priors while the model waits.
PriorOf OnceKnown(PriorOf prior, const StagedCostModel& model) {
  return [prior = std::move(prior), &model](const TreePlace& place) {
    return model.Waits() ? std::vector<double>() : prior(place);
  };
}

PriorOf PriorFor(const MeasuredTreeOptions& options, StateRollout* rollout,
                 DecisionSearchContext& ground) {
  if (rollout == nullptr) return options.prior;
  PriorOf prior = ModelPrior(*rollout, ground.rng.Split());
  return options.waits ? OnceKnown(std::move(prior), *ground.model) : prior;
}

}  // namespace

MeasuredTree::MeasuredTree(const DecisionSearchContext& ground,
                           const std::shared_ptr<const TreePlace>& root,
                           const MeasuredTreeOptions& options)
    : ground_(ground),
      options_(options),
      rollout_(options.model_prior ? RolloutOf(ground_) : nullptr),
      tree_{root, options.tree, ground_.rng.Split(), PriorFor(options_, rollout_.get(), ground_)} {}

std::vector<Proposal> MeasuredTree::Propose(int count) {
  std::vector<Proposal> proposals;
  const auto all = static_cast<double>(proposed_ + count);
  const auto local = static_cast<int>(options_.local * all) -
                     static_cast<int>(options_.local * static_cast<double>(proposed_));
  AddNeighbours(local, proposals);
  AddDescents(count, proposals);
  if (rollout_) rollout_->Keep({});
  if (proposals.empty()) AddNeighbours(options_.local > 0 ? count : 0, proposals);
  proposed_ += std::ssize(proposals);
  return proposals;
}

void MeasuredTree::AddNeighbours(int most, std::vector<Proposal>& proposals) {
  for (Proposal& one :
       ground_.memory.Neighbours(ground_.space, most, false, ground_.rng, ground_.stop)) {
    if (std::ssize(proposals) >= most) return;
    if (ground_.memory.seen.contains(one.key) || !ground_.space.Admit(one.state)) continue;
    ground_.memory.seen.insert(one.key);
    waiting_[one.key];  // of no descent, unless one reaches it
    proposals.push_back(std::move(one));
  }
}

void MeasuredTree::AddDescents(int most, std::vector<Proposal>& proposals) {
  for (int idle = 0; std::ssize(proposals) < most && idle < kMostIdle; ++idle) {
    std::optional<SearchTree::Descent> descent = tree_.Select();
    if (!descent) return;
    std::optional<Proposal> end = Complete(tree_.PlaceOf(*descent));
    if (!end) {
      TellAll({*descent}, {});
      continue;
    }
    const auto waits = waiting_.find(end->key);
    if (waits != waiting_.end()) {
      waits->second.push_back(*std::move(descent));
    } else if (ground_.memory.seen.contains(end->key)) {
      const auto known = ground_.memory.measured.find(end->key);
      const bool is_success = known != ground_.memory.measured.end();
      TellAll({*descent}, {end->key, is_success ? known->second.seconds : std::nullopt});
    } else {
      ground_.memory.seen.insert(end->key);
      waiting_[end->key].push_back(*std::move(descent));
      proposals.push_back(*std::move(end));
      idle = 0;
    }
  }
}

std::optional<Proposal> MeasuredTree::Complete(const TreePlace& place) {
  for (int draw = 0; draw < kMostDraws; ++draw) {
    ground_.stop.Check();
    Result<ScheduleState> state = place.Complete(ground_.rng);
    if (state && ground_.space.Admit(*state)) return ProposalOf(*std::move(state));
    if (place.choices() == 0) break;  // the next draw would be the same
  }
  return std::nullopt;
}

void MeasuredTree::Learn(const Trial& trial) {
  const Record* record = RecordToLearnFrom(trial);
  Sample sample = {trial.key, std::nullopt};
  if (record && record->measurement.ok()) sample.seconds = record->measurement.timing->seconds;
  const auto waits = waiting_.find(trial.key);
  if (waits == waiting_.end()) {
    if (record) Correct(sample);
    return;
  }
  const std::vector<SearchTree::Descent> descents = std::move(waits->second);
  waiting_.erase(waits);
  if (record) return TellAll(descents, sample);
  for (const SearchTree::Descent& descent : descents) tree_.Withdraw(descent);
}

void MeasuredTree::Correct(const Sample& sample) {
  bool was_told = false;
  for (Sample& told : samples_) {
    if (told.key != sample.key || told.seconds == sample.seconds) continue;
    told.seconds = sample.seconds;
    was_told = true;
  }
  if (was_told) tree_.Revise([this](int number) { return ValueOf(samples_[number]); });
}

std::optional<double> MeasuredTree::ValueOf(const Sample& sample) const {
  if (sample.seconds)
    return options_.takes_speeds ? 1 / *sample.seconds : -std::log(*sample.seconds);
  if (options_.takes_speeds) return 0;
  return std::nullopt;
}

void MeasuredTree::TellAll(const std::vector<SearchTree::Descent>& descents, const Sample& sample) {
  const auto number = static_cast<int>(samples_.size());
  samples_.push_back(sample);
  const std::optional<double> value = ValueOf(sample);
  for (const SearchTree::Descent& descent : descents) tree_.Tell(descent, value, number);
}

std::vector<TreeView> MeasuredTree::Views() const {
  TreeView view = ViewOf(
      tree_, [this](int sample) { return samples_[sample].seconds; }, kMostShown);
  view.task = ground_.task->name;
  view.values = options_.takes_speeds ? "measured speed" : "log of measured speed";
  const auto best = tree_.root().best_sample;
  const auto found = ground_.memory.measured.find(best ? samples_[*best].key : Key());
  if (found != ground_.memory.measured.end()) ShowSchedule(found->second.state, view);
  return {std::move(view)};
}

}  // namespace schedulegym
