// SearchTree: the places that a tree search has opened, with their statistics.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "agents/decisions/tree_place.h"
#include "agents/mcts/tree_options.h"
#include "env/base/rng.h"

namespace schedulegym {

// The values that a search has seen, and the upper end of the worse part of them.
class SeenValues {
 public:
  // `floor`: the share of the values in the worse part, at least 0 and below 1.
  explicit SeenValues(double floor = 0) : floor_(floor) {}

  void Add(double value);

  bool empty() const { return worse_.empty(); }
  // The extremes of the seen values; at least one value was added.
  double lowest() const { return *lowest_; }
  double highest() const { return *highest_; }
  // The highest of the worse part, which has at least one value: of n sorted values the one at
  // floor (n - 1), rounded down.
  double floor() const { return worse_.top(); }
  // Scales a value to 0 to 1, from the floor to the highest, or, if these are equal, from the
  // lowest. Lower values are clamped to 0. If all are equal, returns the middle.
  double InRange(double value) const;

 private:
  double floor_;
  std::optional<double> lowest_, highest_;
  // Two heaps, so that adding a value costs O(log n).
  std::priority_queue<double> worse_;                                            // highest on top
  std::priority_queue<double, std::vector<double>, std::greater<double>> rest_;  // lowest on top
};

// Returns the prior of each child of a place, in order: above 0, with sum 1.
using PriorOf = std::function<std::vector<double>(const TreePlace& place)>;

class SearchTree {
 public:
  struct Edge {
    int choice = 0;
    int child = 0;  // node
    double prior = 1;
    int64_t visits = 0;
    int pending = 0;  // descents without a value yet
  };
  struct Node {
    std::shared_ptr<const TreePlace> place;
    std::vector<Edge> edges;         // in order of opening
    std::vector<int> unopened;       // children, the next one last
    std::vector<double> priors;      // by child; empty without a prior
    int64_t visits = 0;              // own ones and those of its edges
    double mean = 0;                 // of their values
    std::optional<double> best;      // highest value here or below; nullopt before any
    std::optional<int> best_sample;  // the sample with that value
    // For the descents that ended here.
    std::vector<int> own_samples;  // in the order of Tell
    int64_t own_failures = 0;      // samples without a value
    double own_sum = 0;
    std::optional<double> own_best;
    std::optional<int> own_sample;
    bool is_terminal = false;  // nothing is left to decide
    bool is_dropped = false;   // another node has the same subtree
    bool is_closed = false;    // nothing new is below
  };
  // The nodes from the root to the node to evaluate, and the edge taken at each but the last.
  struct Descent {
    std::vector<int> nodes;
    std::vector<int> edges;

    int leaf() const { return nodes.back(); }
  };

  // Opens children in a drawn order, or by falling prior.
  SearchTree(std::shared_ptr<const TreePlace> root, const TreeOptions& options, Rng rng,
             PriorOf prior = nullptr);

  // Returns the next descent to evaluate. nullopt if nothing is open any more, or nothing until
  // pending descents have their values.
  std::optional<Descent> Select();
  // Sets the value of a descent's end; `sample` identifies its sample. nullopt: the draw failed. It
  // counts as the lowest value seen so far, or as nothing before any.
  void Tell(const Descent& descent, std::optional<double> value, int sample);
  // Corrects the values: from now on each sample has the value that `value_of` returns. Visits stay
  // the same.
  void Revise(const std::function<std::optional<double>(int sample)>& value_of);
  // Drops a descent without a value, as if it had never been selected.
  void Withdraw(const Descent& descent) { Pend(descent, -1); }

  const Node& node(int index) const { return nodes_[index]; }
  const Node& root() const { return nodes_[0]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  const TreePlace& PlaceOf(const Descent& descent) const { return *nodes_[descent.leaf()].place; }

 private:
  // The result of a step from the end of a descent: a node that needs a value, a node from which
  // the descent continues, a node that counts without a value, or nothing.
  enum class Step : uint8_t { kAsks, kGoesOn, kCounts, kStuck };
  // Edges that lead nowhere at present, as pairs of node and edge.
  using Ways = std::set<std::pair<int, int>>;

  int AddNode(std::shared_ptr<const TreePlace> place);
  std::vector<int> OrderOf(const std::vector<double>& priors);
  std::vector<int> OpenEdges(const Descent& descent, const Ways& stuck) const;
  bool IsOpening(const Descent& descent, const std::vector<int>& open) const;
  Step Advance(Descent& descent, const Ways& stuck);
  Step OpenNext(Descent& descent);
  double PromiseOfUnopened(const Node& node) const;
  ChildFigures FiguresOf(const Node& parent, const Edge& edge) const;
  double ValueOf(const Node& node) const;  // for a node that has a value
  double Scaled(double value) const;
  void Pend(const Descent& descent, int by);
  // Recomputes the nodes along the path and adds `visits` to each of its edges.
  void Count(const Descent& descent, int visits);
  // Adds a value of a descent that ended there; Recount counts its visit.
  void TakeOwn(Node& node, std::optional<double> value, int sample);
  // Recomputes a node from its children and its own values.
  void Recount(Node& node) const;

  TreeOptions options_;
  Rng rng_;
  PriorOf prior_;
  std::vector<Node> nodes_;
  std::map<Key, int> by_key_;  // where nodes are joined or dropped
  SeenValues seen_;
  int waiting_ = 0;  // descents without a value yet
};

// Chooses the next decision from the values below each child of the root.
enum class RootRule : uint8_t { kBest, kMean, kVisits };
// "best", "mean", "visits".
const char* RootRuleName(RootRule rule);
// The edge of the root that the rule prefers; nullopt if none was visited.
std::optional<int> ChooseAtRoot(const SearchTree& tree, RootRule rule);

}  // namespace schedulegym
