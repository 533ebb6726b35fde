#include "agents/mcts/shown_trees.h"

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

namespace schedulegym {
namespace {

// Limit of nodes of all trees together.
constexpr int kMostShown = 4000;

// A node of a tree, and the edge that shows it.
struct Waiting {
  int64_t visits = 0;
  int order = 0;  // of waiting; ties take the first
  int node = 0;
  ViewNode view;

  bool operator<(const Waiting& other) const {
    return visits != other.visits ? visits < other.visits : order > other.order;
  }
};

class Viewer {
 public:
  Viewer(const SearchTree& tree, const SecondsOfSample& seconds) : tree_(tree), seconds_(seconds) {}

  TreeView View(int most) {
    TreeView view;
    std::priority_queue<Waiting> waiting;
    waiting.push({tree_.root().visits, 0, 0, NodeOf(0, tree_.root().visits)});
    std::vector<bool> shown(tree_.size());
    int order = 1;
    while (!waiting.empty() && std::ssize(view.nodes) < most) {
      const Waiting next = waiting.top();
      waiting.pop();
      const auto parent = static_cast<int>(view.nodes.size());
      view.nodes.push_back(next.view);
      if (shown[next.node]) continue;  // its children are listed at the first occurrence
      shown[next.node] = true;
      const SearchTree::Node& node = tree_.node(next.node);
      for (const SearchTree::Edge& edge : node.edges) {
        ViewNode child = NodeOf(edge.child, edge.visits);
        child.parent = parent;
        child.word = node.place->Word(edge.choice);
        waiting.push({edge.visits, order++, edge.child, std::move(child)});
      }
    }
    view.left_out = tree_.size() - std::ranges::count(shown, true);
    return view;
  }

 private:
  ViewNode NodeOf(int index, int64_t visits) {
    const SearchTree::Node& node = tree_.node(index);
    ViewNode view;
    view.visits = visits;
    if (node.best) view.mean = node.mean;
    view.best = node.best;
    view.seconds = SecondsBelow(index);
    return view;
  }

  // For a place that leads back to itself, the value excludes that path.
  std::optional<double> SecondsBelow(int index) {
    const auto [known, is_new] = below_.emplace(index, std::nullopt);
    if (!is_new) return known->second;
    const SearchTree::Node& node = tree_.node(index);
    std::optional<double> least;
    if (node.own_sample) least = seconds_(*node.own_sample);
    for (const SearchTree::Edge& edge : node.edges) {
      const std::optional<double> seconds = SecondsBelow(edge.child);
      if (seconds && (!least || *seconds < *least)) least = seconds;
    }
    return below_[index] = least;
  }

  const SearchTree& tree_;
  const SecondsOfSample& seconds_;
  std::map<int, std::optional<double>> below_;
};

}  // namespace

TreeView ViewOf(const SearchTree& tree, const SecondsOfSample& seconds, int most) {
  return Viewer(tree, seconds).View(most);
}

std::set<int> BestSamplesOf(const std::vector<SearchTree>& trees) {
  std::set<int> samples;
  for (const SearchTree& tree : trees) {
    if (tree.root().best_sample) samples.insert(*tree.root().best_sample);
  }
  return samples;
}

std::vector<TreeView> ViewsOf(const std::vector<SearchTree>& trees, const StateRollout& rollout,
                              const std::string& task, const std::string& values) {
  std::vector<TreeView> views;
  const int most = kMostShown / std::max(1, static_cast<int>(trees.size()));
  for (const SearchTree& tree : trees) {
    views.push_back(ViewOf(
        tree, [&](int sample) { return rollout.SecondsOf(sample); }, most));
    views.back().task = task;
    views.back().values = values;
    const std::optional<int> best = tree.root().best_sample;
    if (best && rollout.IsKept(*best)) ShowSchedule(rollout.state(*best), views.back());
  }
  return views;
}

}  // namespace schedulegym
