// SearchTree: the places that a tree search has opened, and what is known of each.
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

// The values that a search has seen, and where the worse part of them ends.
class SeenValues {
 public:
  // `floor`: the part of the values that counts as the worse one, at least 0 and below 1.
  explicit SeenValues(double floor = 0) : floor_(floor) {}

  void Add(double value);

  bool empty() const { return worse_.empty(); }
  // Of those seen, of which there are some.
  double lowest() const { return *lowest_; }
  double highest() const { return *highest_; }
  // The highest of the worse part, which has at least one value: of n values in their order the one
  // at floor (n - 1), rounded down.
  double floor() const { return worse_.top(); }
  // 0 to 1: from the floor to the highest, or, where these are one, from the lowest. What is below
  // counts as the low end; where all are alike, all are in the middle.
  double InRange(double value) const;

 private:
  double floor_;
  std::optional<double> lowest_, highest_;
  // Two heaps, so that a value costs the logarithm of their number.
  std::priority_queue<double> worse_;                                            // highest on top
  std::priority_queue<double, std::vector<double>, std::greater<double>> rest_;  // lowest on top
};

// Of each way on from a place, in their order: above 0 and together 1.
using PriorOf = std::function<std::vector<double>(const TreePlace& place)>;

class SearchTree {
 public:
  struct Edge {
    int choice = 0;
    int child = 0;  // node
    double prior = 1;
    int64_t visits = 0;
    int pending = 0;  // descents that were not told yet
  };
  struct Node {
    std::shared_ptr<const TreePlace> place;
    std::vector<Edge> edges;         // in order of opening
    std::vector<int> unopened;       // ways on, the next one last
    std::vector<double> priors;      // by way on; empty without a prior
    int64_t visits = 0;              // own ones and those of its edges
    double mean = 0;                 // of their values
    std::optional<double> best;      // value here or below; none before any
    std::optional<int> best_sample;  // what had it
    // Of the descents that ended here.
    std::vector<int> own_samples;  // in the order of telling
    int64_t own_failures = 0;      // of those: without a value
    double own_sum = 0;
    std::optional<double> own_best;
    std::optional<int> own_sample;
    bool is_terminal = false;  // nothing is left to decide
    bool is_dropped = false;   // what is below stands elsewhere, too
    bool is_closed = false;    // nothing new is below
  };
  // From the root to the node whose value is asked for; the edge taken at each but the last.
  struct Descent {
    std::vector<int> nodes;
    std::vector<int> edges;

    int leaf() const { return nodes.back(); }
  };

  // Ways on are opened in a drawn order, or by falling prior.
  SearchTree(std::shared_ptr<const TreePlace> root, const TreeOptions& options, Rng rng,
             PriorOf prior = nullptr);

  // Where a value is wanted next; none where nothing is open any more, or nothing more before those
  // that wait are told.
  std::optional<Descent> Select();
  // The value of a descent's end; `sample` names what had it. None: that draw led nowhere, which
  // counts as the lowest value seen so far, and as nothing before any.
  void Tell(const Descent& descent, std::optional<double> value, int sample);
  // What was told stands corrected: from now on each sample has the value that this says. Visits
  // stay what they are.
  void Revise(const std::function<std::optional<double>(int sample)>& value_of);
  // Nothing is found out about a descent's end: it is as if it had never been selected.
  void Withdraw(const Descent& descent) { Pend(descent, -1); }

  const Node& node(int index) const { return nodes_[index]; }
  const Node& root() const { return nodes_[0]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  const TreePlace& PlaceOf(const Descent& descent) const { return *nodes_[descent.leaf()].place; }

 private:
  // How a step from the end of a descent went: to a node that waits for its value, to one from
  // which the descent goes on, to one that is counted without asking, or nowhere.
  enum class Step : uint8_t { kAsks, kGoesOn, kCounts, kStuck };
  // Nodes, each with an edge of its own that leads nowhere at present.
  using Ways = std::set<std::pair<int, int>>;

  int AddNode(std::shared_ptr<const TreePlace> place);
  std::vector<int> OrderOf(const std::vector<double>& priors);
  std::vector<int> OpenEdges(const Descent& descent, const Ways& stuck) const;
  bool IsOpening(const Descent& descent, const std::vector<int>& open) const;
  Step Advance(Descent& descent, const Ways& stuck);
  Step OpenNext(Descent& descent);
  double PromiseOfUnopened(const Node& node) const;
  ChildFigures FiguresOf(const Node& parent, const Edge& edge) const;
  double ValueOf(const Node& node) const;  // of one that has a value
  double Scaled(double value) const;
  void Pend(const Descent& descent, int by);
  // What is known along it, anew; so many visits more of each of its edges.
  void Count(const Descent& descent, int visits);
  // A value of a descent that ended there; its visit is counted by the sample.
  void TakeOwn(Node& node, std::optional<double> value, int sample);
  // From what stands below and was told of itself.
  void Recount(Node& node) const;

  TreeOptions options_;
  Rng rng_;
  PriorOf prior_;
  std::vector<Node> nodes_;
  std::map<Key, int> by_key_;  // where nodes are joined or dropped
  SeenValues seen_;
  int waiting_ = 0;  // descents that were not told yet
};

// How the next decision is chosen from what was found below each way on.
enum class RootRule : uint8_t { kBest, kMean, kVisits };
// "best", "mean", "visits".
const char* RootRuleName(RootRule rule);
// The edge of the root that the rule prefers; none where none was visited.
std::optional<int> ChooseAtRoot(const SearchTree& tree, RootRule rule);

}  // namespace schedulegym
