#include "agents/learned/scorer/batch_order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Shuffles by Fisher and Yates.
template <typename T>
void Shuffle(std::vector<T>& items, Rng& rng) {
  for (size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[static_cast<size_t>(rng.Below(static_cast<int64_t>(i)))]);
  }
}

// Returns consecutive parts of at most `most` items.
std::vector<std::vector<int>> CutIn(const std::vector<int>& items, int most) {
  std::vector<std::vector<int>> parts;
  for (size_t first = 0; first < items.size(); first += static_cast<size_t>(most)) {
    const size_t end = std::min(items.size(), first + static_cast<size_t>(most));
    parts.emplace_back(items.begin() + static_cast<std::ptrdiff_t>(first),
                       items.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return parts;
}

std::vector<std::vector<int>> ListsOf(std::span<const int> tasks, int most, Rng& rng) {
  std::map<int, std::vector<int>> members;
  for (size_t i = 0; i < tasks.size(); ++i) members[tasks[i]].push_back(static_cast<int>(i));
  std::vector<std::vector<int>> lists;
  for (auto& [task, programs] : members) {
    Shuffle(programs, rng);
    std::ranges::move(CutIn(programs, most), std::back_inserter(lists));
  }
  Shuffle(lists, rng);
  return lists;
}

// Draws as many items as there are, by weight.
std::vector<int> DrawBalanced(std::span<const float> labels, int bins, Rng& rng) {
  std::vector<double> sums = BalanceWeights(labels, bins);
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  std::vector<int> drawn;
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto found = std::ranges::upper_bound(sums, rng.Uniform() * sums.back());
    drawn.push_back(
        static_cast<int>(std::min<std::ptrdiff_t>(found - sums.begin(), std::ssize(sums) - 1)));
  }
  return drawn;
}

}  // namespace

std::vector<double> BalanceWeights(std::span<const float> labels, int bins) {
  SG_CHECK(bins >= 1 && !labels.empty(), "a bin, and a label");
  const auto [least, most] = std::ranges::minmax(labels);
  std::vector<size_t> own;
  std::vector<double> counts(static_cast<size_t>(bins));
  for (const float label : labels) {
    const double share = most > least ? (label - least) / (most - least) : 0;
    own.push_back(static_cast<size_t>(std::min(bins - 1.0, share * bins)));
    ++counts[own.back()];
  }
  std::vector<double> weights;
  for (const size_t bin : own) weights.push_back(1 / counts[bin]);
  return weights;
}

std::vector<std::vector<int>> BatchesOf(std::span<const int> tasks, std::span<const float> labels,
                                        const BatchOrderOptions& options, Rng& rng) {
  SG_CHECK(options.batch >= 1 && options.list >= 1, "a program in each batch");
  if (!options.by_task && options.bins > 0 && !labels.empty()) {
    return CutIn(DrawBalanced(labels, options.bins, rng), options.batch);
  }
  if (options.by_tree) return ListsOf(tasks, options.batch, rng);
  if (!options.by_task) {
    std::vector<int> all(tasks.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    Shuffle(all, rng);
    return CutIn(all, options.batch);
  }
  std::vector<std::vector<int>> batches;
  for (const auto& list : ListsOf(tasks, std::min(options.list, options.batch), rng)) {
    const bool fits = !batches.empty() && std::ssize(batches.back()) + std::ssize(list) <=
                                              static_cast<std::ptrdiff_t>(options.batch);
    if (!fits) batches.emplace_back();
    batches.back().insert(batches.back().end(), list.begin(), list.end());
  }
  return batches;
}

}  // namespace schedulegym
