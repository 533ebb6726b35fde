#include "agents/learned/scorer/pair_accuracy.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace schedulegym {

std::optional<double> PairAccuracy(std::span<const float> scores, std::span<const float> labels) {
  int64_t pairs = 0;
  double right = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    for (size_t j = 0; j < scores.size(); ++j) {
      if (!(labels[i] > labels[j])) continue;
      ++pairs;
      right += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
    }
  }
  if (pairs == 0) return std::nullopt;
  return right / static_cast<double>(pairs);
}

std::optional<double> MeanPairAccuracy(std::span<const float> scores, std::span<const float> labels,
                                       std::span<const int> tasks) {
  std::map<int, std::pair<std::vector<float>, std::vector<float>>> members;
  for (size_t i = 0; i < scores.size(); ++i) {
    members[tasks[i]].first.push_back(scores[i]);
    members[tasks[i]].second.push_back(labels[i]);
  }
  double sum = 0;
  int64_t counted = 0;
  for (const auto& [task, own] : members) {
    const std::optional<double> share = PairAccuracy(own.first, own.second);
    if (!share) continue;
    sum += *share;
    ++counted;
  }
  if (counted == 0) return std::nullopt;
  return sum / static_cast<double>(counted);
}

}  // namespace schedulegym
