// Reads XGBoost's JSON models and predicts with them. The reader checks the whole file: arrays of
// equal lengths, finite values, columns in range, children after the root, each node reached once,
// so that every walk ends in a leaf; at most 32 million values. A prediction is base + sum of
// leaves. A value below the threshold goes left; NaN takes the node's default. Stages are sums over
// the first half of the splitting trees and growing parts of the second half. Errors: InputError
// with tree and node. Cost: O(trees * depth) a row.
#include "agents/cost/forest.h"

#include <cmath>
#include <limits>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Ten arrays have an entry for each node: thousands of trees of hundreds of nodes.
constexpr int64_t kMostValues = 32'000'000;
constexpr int64_t kMostColumns = 1'000'000;

constexpr const char* kNoModel = "it is no model, or a torn one";

bool IsFinite(double value) { return std::abs(value) <= std::numeric_limits<float>::max(); }

// XGBoost writes the numbers of its parameters as strings.
double NumberOf(const Json& parameters, const char* name) {
  const std::string& text = parameters[name].Text();
  const std::optional<double> number = ParseDouble(text);
  if (number && IsFinite(*number)) return *number;
  throw InputError(std::string(name) + " is '" + text + "', expected a number");
}

// The arrays of one tree, an entry for each node.
struct TreeArrays {
  explicit TreeArrays(const Json& tree)
      : lefts(tree["left_children"].As<std::vector<int64_t>>()),
        rights(tree["right_children"].As<std::vector<int64_t>>()),
        columns(tree["split_indices"].As<std::vector<int64_t>>()),
        values(tree["split_conditions"].As<std::vector<double>>()),
        misses(tree["default_left"].As<std::vector<int64_t>>()) {}

  bool AreEqual() const {
    const size_t size = lefts.size();
    return size > 0 && rights.size() == size && columns.size() == size && values.size() == size &&
           misses.size() == size;
  }

  std::vector<int64_t> lefts, rights, columns;
  std::vector<double> values;
  std::vector<int64_t> misses;
};

}  // namespace

// Checks the whole file, so that each walk of Forest::Predict ends in a leaf.
class ForestReader {
 public:
  Forest Read(const std::string& json) {
    if (BeyondLimits(json, {.most_values = kMostValues})) throw InputError(kNoModel);
    const Result<Json> model = ParseJson(json);
    if (!model) throw InputError(kNoModel);
    try {
      ReadModel((*model)["learner"]);
    } catch (const JsonError&) {
      throw InputError(kNoModel);
    }
    return std::move(forest_);
  }

 private:
  void ReadModel(const Json& learner) {
    const Json& parameters = learner["learner_model_param"];
    const double columns = NumberOf(parameters, "num_feature");
    if (columns < 1 || columns > kMostColumns || columns != std::floor(columns)) {
      throw InputError("found " + FormatDouble(columns) + " features, expected 1 to " +
                       std::to_string(kMostColumns));
    }
    forest_.columns_ = static_cast<int>(columns);
    forest_.base_ = static_cast<float>(NumberOf(parameters, "base_score"));
    if (const Json* attributes = learner.Find("attributes")) {
      forest_.meaning_ = attributes->ValueOr(kMeaningAttribute, std::string());
    }
    for (const Json& tree : learner["gradient_booster"]["model"]["trees"].elements()) {
      ReadTree(tree);
    }
  }

  void ReadTree(const Json& tree) {
    const TreeArrays arrays(tree);
    node_ = 0;
    if (!arrays.AreEqual()) Refuse("found arrays of several lengths or none, expected equal ones");
    if (tree.Has("categories_nodes") && !tree["categories_nodes"].empty()) {
      Refuse("found a split by categories, expected numbers");
    }
    const auto first = static_cast<int32_t>(forest_.nodes_.size());
    for (; node_ < arrays.lefts.size(); ++node_) AddNode(arrays, first);
    CheckReached(first);
    forest_.roots_.push_back(first);
  }

  void AddNode(const TreeArrays& arrays, int32_t first) {
    const double value = arrays.values[node_];
    if (!IsFinite(value)) Refuse("its value is no number that can be added up");
    Forest::Node node = {.value = static_cast<float>(value)};
    const int64_t left = arrays.lefts[node_], right = arrays.rights[node_];
    if (left >= 0) {
      node.left = first + Child(left, arrays.lefts.size());
      node.right = first + Child(right, arrays.lefts.size());
      node.column = Column(arrays.columns[node_]);
      node.misses_left = arrays.misses[node_] != 0;
    }
    forest_.nodes_.push_back(node);
  }

  // The root must not be a child.
  int32_t Child(int64_t child, size_t count) const {
    if (child >= 1 && child < static_cast<int64_t>(count)) return static_cast<int32_t>(child);
    Refuse("its child is node " + std::to_string(child) + ", expected one of 1.." +
           std::to_string(count - 1));
  }

  int32_t Column(int64_t column) const {
    if (column >= 0 && column < forest_.columns_) return static_cast<int32_t>(column);
    Refuse("it asks for column " + std::to_string(column) + ", expected one of 0.." +
           std::to_string(forest_.columns_ - 1));
  }

  // Each node is reached at most once: then every walk ends.
  void CheckReached(int32_t root) {
    std::vector<bool> is_reached(forest_.nodes_.size() - root, false);
    std::vector<int32_t> waiting = {root};
    while (!waiting.empty()) {
      const int32_t at = waiting.back();
      waiting.pop_back();
      node_ = static_cast<size_t>(at - root);
      if (is_reached[node_]) Refuse("two nodes lead to it, expected one: no tree");
      is_reached[node_] = true;
      const Forest::Node& node = forest_.nodes_[at];
      if (node.column < 0) continue;
      waiting.push_back(node.left);
      waiting.push_back(node.right);
    }
  }

  [[noreturn]] void Refuse(const std::string& reason) const {
    throw InputError("tree " + std::to_string(forest_.roots_.size()) + ", node " +
                     std::to_string(node_) + ": " + reason);
  }

  Forest forest_;
  size_t node_ = 0;  // the current one, counted in its tree
};

Forest Forest::FromXgboost(const std::string& json) { return ForestReader().Read(json); }

float Forest::Predict(std::span<const float> row) const {
  SG_CHECK(row.size() >= static_cast<size_t>(columns_), "a row has all columns");
  float sum = base_;
  for (int tree = 0; tree < trees(); ++tree) sum += LeafOf(tree, row);
  return sum;
}

std::vector<int> Forest::SplitCounts() const {
  std::vector<int> counts(columns_);
  for (const Node& node : nodes_) {
    if (node.column >= 0) ++counts[node.column];
  }
  return counts;
}

void Forest::PredictStages(std::span<const float> row, std::span<float> stages) const {
  SG_CHECK(row.size() >= static_cast<size_t>(columns_), "a row has all columns");
  int64_t splitting = trees();
  while (splitting > 0 && nodes_[roots_[splitting - 1]].column < 0) --splitting;
  const int64_t first = splitting / 2, later = splitting - first;
  float sum = base_;
  int tree = 0;
  for (int64_t stage = 1; stage <= std::ssize(stages); ++stage) {
    const bool is_last = stage == std::ssize(stages);
    const int64_t end = is_last ? trees() : first + later * stage / std::ssize(stages);
    for (; tree < end; ++tree) sum += LeafOf(tree, row);
    stages[stage - 1] = sum;
  }
}

float Forest::LeafOf(int tree, std::span<const float> row) const {
  const Node* node = &nodes_[roots_[tree]];
  while (node->column >= 0) {
    const float value = row[node->column];
    const bool goes_left = std::isnan(value) ? node->misses_left : value < node->value;
    node = &nodes_[goes_left ? node->left : node->right];
  }
  return node->value;
}

}  // namespace schedulegym
