#include "agents/mcts/tree_ensemble.h"

#include <algorithm>
#include <iterator>

namespace schedulegym {
namespace {

// Samples whose neighbours are drawn: as many as parents of ansor's local proposals.
constexpr int kElite = 8;
// Random descents for each greedy one in a step, as a greedy one takes many samples.
constexpr int kGreedyPart = 16;

}  // namespace

TreeEnsemble::TreeEnsemble(const std::shared_ptr<const TreePlace>& root,
                           const TreeEnsembleOptions& options, TreeRollout& rollout, Rng rng,
                           const PriorOf& prior)
    : options_(options), rollout_(rollout), rng_(rng), spent_(options.trees) {
  for (int i = 0; i < options.trees; ++i) {
    trees_.emplace_back(root, options.tree, rng_.Split(), prior);
  }
}

int TreeEnsemble::Advance(int samples) {
  const int64_t begin = rolled_;
  while (rolled_ - begin < samples) {
    const std::vector<Asked> asked = Select();
    if (asked.empty()) break;
    const std::vector<RolloutRequest> requests = RequestsOf(asked);
    const std::vector<std::optional<Rolled>> rolled = rollout_.Roll(requests, rng_);
    for (size_t i = 0; i < asked.size(); ++i) {
      std::optional<double> value;
      if (rolled[i]) value = rolled[i]->value;
      trees_[asked[i].tree].Tell(asked[i].descent, value, rolled[i] ? rolled[i]->sample : 0);
      spent_[asked[i].tree] += rolled[i] ? rolled[i]->evaluated : 1;
    }
    Welcome(rolled);
    for (const std::optional<Rolled>& one : rolled) rolled_ += one ? one->evaluated : 1;
  }
  return static_cast<int>(rolled_ - begin);
}

std::vector<TreeEnsemble::Asked> TreeEnsemble::Select() {
  std::vector<Asked> asked;
  const int greedy_leaves = std::max(1, options_.leaves / kGreedyPart);
  for (int leaf = 0; leaf < options_.leaves; ++leaf) {
    for (int tree = 0; tree < options_.trees; ++tree) {
      const bool has_spent = options_.greedy < options_.trees && spent_[tree] > spent_[0];
      if (IsGreedy(tree) && (has_spent || leaf >= greedy_leaves)) continue;
      if (auto descent = trees_[tree].Select()) asked.push_back({tree, *std::move(descent)});
    }
  }
  return asked;
}

// Neighbours follow the descents.
std::vector<RolloutRequest> TreeEnsemble::RequestsOf(const std::vector<Asked>& asked) {
  std::vector<RolloutRequest> requests;
  for (const Asked& one : asked) {
    const SearchTree& tree = trees_[one.tree];
    requests.push_back(
        {tree.node(one.descent.leaf()).place, one.tree >= options_.trees - options_.greedy});
  }
  const auto is_owed = [&] {
    const auto all = static_cast<double>(rolled_ + std::ssize(requests) + 1);
    return static_cast<double>(near_ + 1) <= options_.near * all;
  };
  while (!elite_.empty() && is_owed()) {
    const int64_t count = std::ssize(elite_);
    // Better samples have more neighbours.
    const int64_t chosen = std::min(rng_.Below(count), rng_.Below(count));
    requests.push_back({nullptr, false, elite_[chosen].sample});
    ++near_;
  }
  return requests;
}

void TreeEnsemble::Welcome(std::span<const std::optional<Rolled>> samples) {
  for (const std::optional<Rolled>& one : samples) {
    if (!one) continue;
    const auto place = std::ranges::find_if(
        elite_, [&](const Rolled& other) { return other.value <= one->value; });
    if (place != elite_.end() && place->value == one->value) continue;
    elite_.insert(place, *one);
    if (std::ssize(elite_) > kElite) elite_.pop_back();
  }
}

}  // namespace schedulegym
