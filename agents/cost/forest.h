// Forest: regression trees as plain arrays, asked without their library.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace schedulegym {

// The attribute of a model that tells what its columns mean.
inline constexpr const char* kMeaningAttribute = "schedulegym_features";

// Asked by XGBoost itself, judging a state of tbs took 84 us, 52 of them to describe it; so, 62
// (evolution_benchmark).
class Forest {
 public:
  Forest() = default;
  // From a model of XGBoost in JSON, as it writes it; a stranger may have written it. Throws
  // InputError, one line: for trees that do not end or lead nowhere with the tree and the node.
  static Forest FromXgboost(const std::string& json);

  int trees() const { return static_cast<int>(roots_.size()); }
  int columns() const { return columns_; }                 // of the rows it is asked of
  const std::string& meaning() const { return meaning_; }  // of the columns; "" unknown

  // How many nodes split by each column.
  std::vector<int> SplitCounts() const;

  // The same as XGBoost says, to the bit. A value that is no number goes where the trees send what
  // is missing.
  float Predict(std::span<const float> row) const;
  // What it said after each of some equal parts of its later half of trees, as many as `stages`
  // has; the last is Predict. Trees at the end that split nothing are left out of the halves.
  void PredictStages(std::span<const float> row, std::span<float> stages) const;

 private:
  struct Node {
    float value = 0;              // a smaller one goes left; of a leaf what it adds
    int32_t column = -1;          // none of a leaf
    int32_t left = 0, right = 0;  // positions of the children
    bool misses_left = false;
  };

  friend class ForestReader;

  float LeafOf(int tree, std::span<const float> row) const;

  std::vector<Node> nodes_;
  std::vector<int32_t> roots_;
  float base_ = 0;
  int columns_ = 0;
  std::string meaning_;
};

}  // namespace schedulegym
