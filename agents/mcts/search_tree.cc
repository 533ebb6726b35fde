// Monte Carlo tree search. Select descends by the promise of children (v value, n of N visits),
//   UCT  v + c sqrt(ln N / n)                 ProTuner  (1 / cost) (1 + sqrt(ln(N + 1) / n))
//   PUCT v + c P sqrt(N) / (1 + n)            softmax   a draw by UCT's promise
// It opens a new child while there are fewer than factor * N^exponent (progressive widening; PUCT:
// while its prior promises most), and returns it for evaluation. Tell counts the value along the
// path. Pending descents count as `virtual_loss` visits of the lowest value. v is mean, best or
// half of each, scaled to values seen. Nodes are recomputed from their own values and edges, so
// several paths may share one place; exhausted parts are closed (tree_options.h).
// Cost: O(depth * children) a descent; Revise O(nodes * depth).
#include "agents/mcts/search_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Descents in a row without an evaluation before the tree counts as exhausted.
constexpr int kMostIdle = 10000;
// The same limit while results are pending, which may open new parts.
constexpr int kMostIdleWaiting = 30;

}  // namespace

SearchTree::SearchTree(std::shared_ptr<const TreePlace> root, const TreeOptions& options, Rng rng,
                       PriorOf prior)
    : options_(options), rng_(rng), prior_(std::move(prior)), seen_(options.floor) {
  SG_CHECK(options.scale == ValueScale::kNone ||
               options.selection.kind != SelectionKind::kMultiplicative,
           "the multiplicative form takes costs as they are");
  AddNode(std::move(root));
}

int SearchTree::AddNode(std::shared_ptr<const TreePlace> place) {
  Node node;
  const int choices = place->choices();
  node.is_terminal = choices == 0;
  if (prior_ && choices > 0) node.priors = prior_(*place);
  if (node.priors.empty()) {
    node.priors.assign(choices, choices > 0 ? 1.0 / choices : 0);
    node.unopened.resize(choices);
    std::iota(node.unopened.begin(), node.unopened.end(), 0);
    for (int i = choices; i > 1; --i) std::swap(node.unopened[i - 1], node.unopened[rng_.Below(i)]);
  } else {
    SG_CHECK(std::ssize(node.priors) == choices, "a prior for each way on");
    node.unopened = OrderOf(node.priors);
  }
  node.place = std::move(place);
  nodes_.push_back(std::move(node));
  return size() - 1;
}

// Sorts by rising prior, so that the best is taken from the end; ties take the first.
std::vector<int> SearchTree::OrderOf(const std::vector<double>& priors) {
  std::vector<int> order(priors.size());
  std::iota(order.rbegin(), order.rend(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return priors[a] < priors[b]; });
  return order;
}

std::optional<SearchTree::Descent> SearchTree::Select() {
  const int most = waiting_ > 0 ? kMostIdleWaiting : kMostIdle;
  Ways stuck;
  for (int idle = 0; idle < most && !root().is_closed; ++idle) {
    Descent descent = {{0}, {}};
    Step step = Step::kGoesOn;
    while (step == Step::kGoesOn) step = Advance(descent, stuck);
    if (step == Step::kAsks) {
      Pend(descent, 1);
      return descent;
    }
    Count(descent, step == Step::kCounts ? 1 : 0);
    if (step == Step::kCounts) continue;
    if (descent.edges.empty()) break;  // all is closed or pending
    stuck.emplace(descent.nodes[descent.edges.size() - 1], descent.edges.back());
  }
  return std::nullopt;
}

SearchTree::Step SearchTree::Advance(Descent& descent, const Ways& stuck) {
  const bool is_deep = options_.depth > 0 && std::ssize(descent.edges) >= options_.depth;
  if (is_deep || nodes_[descent.leaf()].is_terminal) return Step::kAsks;
  const std::vector<int> open = OpenEdges(descent, stuck);
  if (IsOpening(descent, open)) return OpenNext(descent);
  if (open.empty()) return Step::kStuck;
  const Node& node = nodes_[descent.leaf()];
  std::vector<ChildFigures> figures;
  for (int edge : open) figures.push_back(FiguresOf(node, node.edges[edge]));
  const int chosen = open[ChooseChild(options_.selection, figures, rng_)];
  descent.edges.push_back(chosen);
  descent.nodes.push_back(node.edges[chosen].child);
  return Step::kGoesOn;
}

// Returns the edges that lead to something new, and not back.
std::vector<int> SearchTree::OpenEdges(const Descent& descent, const Ways& stuck) const {
  const Node& node = nodes_[descent.leaf()];
  std::vector<int> open;
  for (int i = 0; i < static_cast<int>(node.edges.size()); ++i) {
    const Edge& edge = node.edges[i];
    const Node& child = nodes_[edge.child];
    if (child.is_closed || (options_.closes && child.is_terminal && edge.pending > 0)) continue;
    if (stuck.contains({descent.leaf(), i})) continue;
    if (std::ranges::find(descent.nodes, edge.child) == descent.nodes.end()) open.push_back(i);
  }
  return open;
}

bool SearchTree::IsOpening(const Descent& descent, const std::vector<int>& open) const {
  const Node& node = nodes_[descent.leaf()];
  if (node.unopened.empty()) return false;
  if (open.empty()) return true;
  if (options_.selection.kind == SelectionKind::kPuct) {
    const double unopened = PromiseOfUnopened(node);
    return std::all_of(open.begin(), open.end(), [&](int edge) {
      return unopened > Promise(options_.selection, FiguresOf(node, node.edges[edge]));
    });
  }
  if (!options_.widening) return true;
  // Pending descents count, too: otherwise concurrent descents would all take one path.
  int64_t visits = node.visits;
  for (const Edge& edge : node.edges) visits += edge.pending;
  const double most = options_.widening->factor *
                      std::pow(static_cast<double>(visits), options_.widening->exponent);
  return static_cast<double>(node.edges.size()) < std::max(1.0, std::floor(most));
}

// A child that was never tried has its parent's value.
double SearchTree::PromiseOfUnopened(const Node& node) const {
  ChildFigures figures;
  figures.value = node.best ? Scaled(ValueOf(node)) : 0;
  figures.parent = static_cast<double>(std::max<int64_t>(node.visits, 1));
  figures.prior = node.priors[node.unopened.back()];
  return Promise(options_.selection, figures);
}

SearchTree::Step SearchTree::OpenNext(Descent& descent) {
  const int parent = descent.leaf();
  while (!nodes_[parent].unopened.empty()) {
    const int choice = nodes_[parent].unopened.back();
    nodes_[parent].unopened.pop_back();
    std::shared_ptr<const TreePlace> place = nodes_[parent].place->After(choice);
    if (!place) continue;
    const Key key = place->key();
    const auto is_here = [&](int node) { return nodes_[node].place->key() == key; };
    if (std::any_of(descent.nodes.begin(), descent.nodes.end(), is_here)) continue;
    const auto known = by_key_.find(key);
    const bool is_known = known != by_key_.end();
    const bool joins = options_.joins && is_known;
    const int child = joins ? known->second : AddNode(std::move(place));
    if (options_.joins || options_.drops) by_key_.emplace(key, child);
    if (options_.drops && is_known) nodes_[child].is_dropped = nodes_[child].is_closed = true;
    Node& node = nodes_[parent];
    node.edges.push_back({.choice = choice, .child = child, .prior = node.priors[choice]});
    descent.edges.push_back(static_cast<int>(node.edges.size()) - 1);
    descent.nodes.push_back(child);
    return joins ? Step::kCounts : Step::kAsks;
  }
  return Step::kGoesOn;
}

// Pending descents count as `virtual_loss` visits of the lowest value, as does a child without a
// value.
ChildFigures SearchTree::FiguresOf(const Node& parent, const Edge& edge) const {
  const Node& child = nodes_[edge.child];
  const bool is_cost = options_.selection.kind == SelectionKind::kMultiplicative;
  const double nothing = is_cost ? -1 : 0;  // of all alike, before anything has a value
  const double lowest = seen_.empty() ? nothing : Scaled(seen_.lowest());
  double value = lowest;
  if (child.best) value = Scaled(ValueOf(child));
  const double losses = static_cast<double>(options_.virtual_loss) * edge.pending;
  const auto visits = static_cast<double>(std::max<int64_t>(edge.visits, 1));
  return {.value = (visits * value + losses * lowest) / (visits + losses),
          .visits = visits + losses,
          .parent = static_cast<double>(std::max<int64_t>(parent.visits, 1)),
          .prior = edge.prior};
}

double SearchTree::ValueOf(const Node& node) const {
  switch (options_.value) {
    case NodeValue::kMean: return node.mean;
    case NodeValue::kBest: return *node.best;
    case NodeValue::kMixed: return (node.mean + *node.best) / 2;
  }
  return node.mean;
}

double SearchTree::Scaled(double value) const {
  switch (options_.scale) {
    case ValueScale::kNone: return value;
    case ValueScale::kRange: return seen_.InRange(value);
    case ValueScale::kHighest: return seen_.highest() > 0 ? value / seen_.highest() : 0;
  }
  return value;
}

void SearchTree::Pend(const Descent& descent, int by) {
  waiting_ += by;
  for (size_t i = 0; i < descent.edges.size(); ++i) {
    nodes_[descent.nodes[i]].edges[descent.edges[i]].pending += by;
  }
}

void SearchTree::Tell(const Descent& descent, std::optional<double> value, int sample) {
  Pend(descent, -1);
  Node& leaf = nodes_[descent.leaf()];
  leaf.own_samples.push_back(sample);
  TakeOwn(leaf, value, sample);
  Count(descent, 1);
}

void SearchTree::TakeOwn(Node& node, std::optional<double> value, int sample) {
  if (!value) {
    ++node.own_failures;
    return;
  }
  seen_.Add(*value);
  node.own_sum += *value;
  if (node.own_best && *value <= *node.own_best) return;
  node.own_best = value;
  node.own_sample = sample;
}

void SearchTree::Revise(const std::function<std::optional<double>(int sample)>& value_of) {
  seen_ = SeenValues(options_.floor);
  for (Node& node : nodes_) {
    node.own_failures = 0;
    node.own_sum = 0;
    node.own_best = std::nullopt;
    node.own_sample = std::nullopt;
    for (const int sample : node.own_samples) TakeOwn(node, value_of(sample), sample);
  }
  // A joined node may be older than its ancestors: repeats at most as often as there are nodes.
  bool changes = true;
  for (size_t pass = 0; changes && pass < nodes_.size(); ++pass) {
    changes = false;
    for (size_t i = nodes_.size(); i-- > 0;) {
      const auto before = std::tuple(nodes_[i].mean, nodes_[i].best, nodes_[i].best_sample);
      Recount(nodes_[i]);
      changes |= before != std::tuple(nodes_[i].mean, nodes_[i].best, nodes_[i].best_sample);
    }
  }
}

void SearchTree::Count(const Descent& descent, int visits) {
  Recount(nodes_[descent.leaf()]);
  for (size_t i = descent.edges.size(); i-- > 0;) {
    Node& node = nodes_[descent.nodes[i]];
    node.edges[descent.edges[i]].visits += visits;
    Recount(node);
  }
}

void SearchTree::Recount(Node& node) const {
  node.visits = std::ssize(node.own_samples);
  const double worst = seen_.empty() ? 0 : seen_.lowest();
  double sum = node.own_sum + static_cast<double>(node.own_failures) * worst;
  node.best = node.own_best;
  node.best_sample = node.own_sample;
  bool is_closed = node.unopened.empty();
  for (const Edge& edge : node.edges) {
    const Node& child = nodes_[edge.child];
    is_closed = is_closed && child.is_closed;
    node.visits += edge.visits;
    sum += static_cast<double>(edge.visits) * child.mean;
    if (!child.best || (node.best && *child.best <= *node.best)) continue;
    node.best = child.best;
    node.best_sample = child.best_sample;
  }
  if (node.visits > 0) node.mean = sum / static_cast<double>(node.visits);
  if (node.is_terminal) is_closed = options_.closes && !node.own_samples.empty();
  node.is_closed = node.is_dropped || is_closed;
}

const char* RootRuleName(RootRule rule) {
  switch (rule) {
    case RootRule::kBest: return "best";
    case RootRule::kMean: return "mean";
    case RootRule::kVisits: return "visits";
  }
  return "unknown";
}

std::optional<int> ChooseAtRoot(const SearchTree& tree, RootRule rule) {
  const std::vector<SearchTree::Edge>& edges = tree.root().edges;
  std::optional<int> chosen;
  double most = 0;
  for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
    const SearchTree::Node& child = tree.node(edges[i].child);
    if (edges[i].visits == 0 || !child.best) continue;
    double figure = static_cast<double>(edges[i].visits);
    if (rule == RootRule::kBest) figure = *child.best;
    if (rule == RootRule::kMean) figure = child.mean;
    if (chosen && figure <= most) continue;
    chosen = i;
    most = figure;
  }
  return chosen;
}

void SeenValues::Add(double value) {
  lowest_ = std::min(lowest_.value_or(value), value);
  highest_ = std::max(highest_.value_or(value), value);
  if (worse_.empty() || value < worse_.top()) {
    worse_.push(value);
  } else {
    rest_.push(value);
  }
  const size_t others = worse_.size() + rest_.size() - 1;
  const auto last = static_cast<size_t>(std::floor(floor_ * static_cast<double>(others)));
  while (worse_.size() > last + 1) {
    rest_.push(worse_.top());
    worse_.pop();
  }
  while (worse_.size() < last + 1) {
    worse_.push(rest_.top());
    rest_.pop();
  }
}

double SeenValues::InRange(double value) const {
  const double low = floor() < highest() ? floor() : lowest();
  return highest() > low ? std::max(0.0, (value - low) / (highest() - low)) : 0.5;
}

}  // namespace schedulegym
