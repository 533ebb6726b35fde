// Kernel Tuner's portfolios of acquisitions (strategies/bayes_opt.py).
// multi: an acquisition that names duplicates five times in a row may be skipped; of several such
//   the one with the least sum, discounted by 0.65, stays and starts afresh.
// advanced: sums discounted by 0.95 are compared after each round: more than 10 % above their mean
//   counts worse, as much below better. At five worse the worst one is dropped, at five better
//   the best one stays alone; counters start afresh when one is dropped.
#include "agents/plan/portfolio.h"

#include <algorithm>
#include <map>

namespace schedulegym {
namespace {

constexpr double kMultiDiscount = 0.65, kAdvancedDiscount = 0.95;
constexpr int kMostDuplicates = 5, kMostVerdicts = 5;

struct TurnRecord {
  std::vector<double> values;
  int duplicates = 0;  // in a row
  int worse = 0, better = 0;
};
using Records = std::map<Acquisition, TurnRecord>;

double SumOf(const TurnRecord& record, double discount) {
  return DiscountedSum(record.values, discount);
}

void SkipDuplicates(Records& active, double discount) {
  std::vector<Acquisition> candidates;
  for (const auto& [acquisition, record] : active) {
    if (record.duplicates >= kMostDuplicates) candidates.push_back(acquisition);
  }
  if (candidates.size() < 2) return;
  const Acquisition least = *std::ranges::min_element(
      candidates, {}, [&](Acquisition one) { return SumOf(active.at(one), discount); });
  for (const Acquisition one : candidates) {
    if (one != least) active.erase(one);
  }
  active.at(least) = {};
}

void WeighSums(Records& active, double discount, double margin) {
  double mean = 0;
  for (const auto& [acquisition, record] : active) mean += SumOf(record, discount);
  mean /= static_cast<double>(active.size());
  for (auto& [acquisition, record] : active) {
    const double sum = SumOf(record, discount);
    record.worse += sum > (1 + margin) * mean ? 1 : 0;
    record.better += sum < (1 - margin) * mean ? 1 : 0;
  }
  const auto by_sum = [discount](const auto& a, const auto& b) {
    return SumOf(a.second, discount) < SumOf(b.second, discount);
  };
  const auto has = [&](int TurnRecord::*counter) {
    return std::ranges::any_of(
        active, [&](const auto& one) { return one.second.*counter >= kMostVerdicts; });
  };
  if (has(&TurnRecord::better)) {
    const Acquisition best = std::ranges::min_element(active, by_sum)->first;
    std::erase_if(active, [&](const auto& one) { return one.first != best; });
  } else if (has(&TurnRecord::worse)) {
    active.erase(std::ranges::max_element(active, by_sum));
    for (auto& [acquisition, record] : active) record.worse = record.better = 0;
  }
}

}  // namespace

double DiscountedSum(std::span<const double> values, double discount) {
  double sum = 0;
  for (const double value : values) sum = sum * discount + value;
  return sum;
}

std::vector<Acquisition> ActiveAfter(PortfolioRule rule, std::span<const NamedRound> rounds,
                                     const PortfolioOptions& options) {
  Records active = {{Acquisition::kImprovement, {}},
                    {Acquisition::kProbability, {}},
                    {Acquisition::kLowerBound, {}}};
  for (const NamedRound& round : rounds) {
    if (rule == PortfolioRule::kFast || active.size() == 1) break;
    for (const NamedValue& one : round) {
      const auto record = active.find(one.acquisition);
      if (record == active.end()) continue;
      record->second.values.push_back(one.value);
      record->second.duplicates = one.is_duplicate ? record->second.duplicates + 1 : 0;
    }
    if (rule == PortfolioRule::kMulti) {
      SkipDuplicates(active, options.discount.value_or(kMultiDiscount));
    } else {
      WeighSums(active, options.discount.value_or(kAdvancedDiscount), options.margin);
    }
  }
  std::vector<Acquisition> names;
  for (const auto& [acquisition, record] : active) names.push_back(acquisition);
  return names;
}

}  // namespace schedulegym
