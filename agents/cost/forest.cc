#include "agents/cost/forest.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "env/base/check.h"

namespace schedulegym {
namespace {

using Json = nlohmann::json;

}  // namespace

Forest Forest::FromXgboost(const std::string& json) {
  const Json learner = Json::parse(json).at("learner");
  Forest forest;
  forest.base_ =
      std::stof(learner.at("learner_model_param").at("base_score").get_ref<const std::string&>());
  for (const Json& tree : learner.at("gradient_booster").at("model").at("trees")) {
    const auto lefts = tree.at("left_children").get<std::vector<int32_t>>();
    const auto rights = tree.at("right_children").get<std::vector<int32_t>>();
    const auto columns = tree.at("split_indices").get<std::vector<int32_t>>();
    const auto values = tree.at("split_conditions").get<std::vector<float>>();
    const auto misses = tree.at("default_left").get<std::vector<int>>();
    const auto first = static_cast<int32_t>(forest.nodes_.size());
    forest.roots_.push_back(first);
    for (size_t i = 0; i < lefts.size(); ++i) {
      Node node = {.value = values.at(i)};
      if (lefts[i] >= 0) {
        node = {values.at(i), columns.at(i), first + lefts[i], first + rights.at(i),
                misses.at(i) != 0};
      }
      forest.nodes_.push_back(node);
    }
  }
  return forest;
}

float Forest::Predict(std::span<const float> row) const {
  float sum = base_;
  for (int32_t root : roots_) {
    const Node* node = &nodes_[root];
    while (node->column >= 0) {
      const float value = row[node->column];
      const bool goes_left = std::isnan(value) ? node->misses_left : value < node->value;
      node = &nodes_[goes_left ? node->left : node->right];
    }
    sum += node->value;
  }
  return sum;
}

}  // namespace schedulegym
