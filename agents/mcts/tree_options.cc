#include "agents/mcts/tree_options.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "env/base/check.h"

namespace schedulegym {
namespace {

double Multiplicative(const ChildFigures& child) {
  SG_CHECK(child.value < 0, "values of the multiplicative form are minus a cost");
  return -1 / child.value * (1 + std::sqrt(std::log(child.parent + 1) / child.visits));
}

double Additive(double constant, const ChildFigures& child) {
  return child.value + constant * std::sqrt(std::log(std::max(child.parent, 1.0)) / child.visits);
}

size_t Draw(std::span<const double> weights, Rng& rng) {
  double sum = 0;
  for (double weight : weights) sum += weight;
  double left = rng.Uniform() * sum;
  for (size_t i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return weights.size() - 1;
}

}  // namespace

const char* SelectionKindName(SelectionKind kind) {
  switch (kind) {
    case SelectionKind::kMultiplicative: return "multiplicative";
    case SelectionKind::kAdditive: return "additive";
    case SelectionKind::kPuct: return "puct";
    case SelectionKind::kSoftmax: return "softmax";
  }
  return "unknown";
}

double Promise(const SelectionRule& rule, const ChildFigures& child) {
  switch (rule.kind) {
    case SelectionKind::kMultiplicative: return Multiplicative(child);
    case SelectionKind::kAdditive:
    case SelectionKind::kSoftmax: return Additive(rule.constant, child);
    case SelectionKind::kPuct:
      return child.value +
             rule.constant * child.prior * std::sqrt(child.parent) / (1 + child.visits);
  }
  return 0;
}

size_t ChooseChild(const SelectionRule& rule, std::span<const ChildFigures> children, Rng& rng) {
  SG_CHECK(!children.empty(), "children to choose from");
  std::vector<double> promises;
  for (const ChildFigures& child : children) promises.push_back(Promise(rule, child));
  const auto best = std::max_element(promises.begin(), promises.end());
  if (rule.kind != SelectionKind::kSoftmax) return best - promises.begin();
  const double most = *best;
  for (double& promise : promises) promise = std::exp((promise - most) / rule.temperature);
  return Draw(promises, rng);
}

}  // namespace schedulegym
