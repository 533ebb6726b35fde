// Forest: regression trees as plain arrays, asked without their library.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace schedulegym {

// Asked by XGBoost itself, judging a state of tbs took 84 us, 52 of them to describe it; so, 62
// (evolution_benchmark).
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
