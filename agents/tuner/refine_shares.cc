#include "agents/tuner/refine_shares.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {
namespace {

// A choice.
constexpr int64_t kLeastShare = 8;

}  // namespace

std::vector<RefineShare> DealTrials(std::span<const double> parts, int64_t trials) {
  std::vector<int> order;
  double rest = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] > 0) order.push_back(static_cast<int>(i));
    rest += parts[i];
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return parts[a] > parts[b]; });
  std::vector<RefineShare> shares;
  for (int task : order) {
    const double part = std::min(parts[task] / rest, 1.0);
    const auto due = static_cast<int64_t>(std::ceil(part * static_cast<double>(trials)));
    const int64_t share = std::min(std::max(due, kLeastShare), trials);
    if (share == 0) break;
    shares.push_back({task, share});
    trials -= share;
    rest -= parts[task];
  }
  return shares;
}

}  // namespace schedulegym
