// Forest: regression trees as plain arrays, asked without their library.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace schedulegym {

// XGBoost looks at rows one call at a time, at several times the cost of walking down their trees:
// of a search's 150 us for a state of eight statements 30 were its own.
class Forest {
 public:
  Forest() = default;
  // From a model of XGBoost in JSON, as it writes it.
  static Forest FromXgboost(const std::string& json);

  // The same as XGBoost says, to the bit. A value that is no number goes where the trees send what
  // is missing.
  float Predict(std::span<const float> row) const;

 private:
  struct Node {
    float value = 0;              // a smaller one goes left; of a leaf what it adds
    int32_t column = -1;          // none of a leaf
    int32_t left = 0, right = 0;  // positions of the children
    bool misses_left = false;
  };

  std::vector<Node> nodes_;
  std::vector<int32_t> roots_;
  float base_ = 0;
};

}  // namespace schedulegym
