#include "env/gym/tables/table_noise.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "env/measure/timing/paired_statistics.h"

namespace schedulegym {
namespace {

constexpr size_t kBest = 10;
constexpr size_t kChosenFrom = 100;
constexpr size_t kLeastRounds = 2;

double SpeedBy(const RawSamples& samples, size_t begin, size_t count) {
  const auto part = [&](const std::vector<float>& all) {
    return std::span<const float>(all).subspan(begin, count);
  };
  return MedianRatio(part(samples.reference), part(samples.candidate), IntervalRule::kSign).median;
}

std::vector<size_t> BestBy(const std::vector<double>& speeds) {
  std::vector<size_t> places(std::min(speeds.size(), kChosenFrom));
  std::iota(places.begin(), places.end(), size_t{0});
  std::ranges::stable_sort(places, [&](size_t a, size_t b) { return speeds[a] > speeds[b]; });
  places.resize(kBest);
  return places;
}

double SumOf(const std::vector<double>& speeds, const std::vector<size_t>& places) {
  double sum = 0;
  for (const size_t place : places) sum += speeds[place];
  return sum;
}

double WorthOf(const std::vector<double>& choosing, const std::vector<double>& judging) {
  return SumOf(judging, BestBy(choosing)) / SumOf(judging, BestBy(judging));
}

}  // namespace

HalvedSpeeds HalvedSpeedsOf(const Table& table, int64_t most) {
  std::vector<std::pair<double, int64_t>> ranked;
  for (int64_t i = 0; i < table.size(); ++i) {
    const TableRow& row = table.row(i);
    if (row.samples.candidate.size() < kLeastRounds) continue;
    ranked.push_back({-row.evaluation.speed.median, i});
  }
  std::ranges::sort(ranked);
  HalvedSpeeds speeds;
  std::set<std::vector<float>> seen;  // points of one schedule share its samples
  for (const auto& [speed, row] : ranked) {
    if (std::ssize(speeds.rows) == most) break;
    const RawSamples& samples = table.row(row).samples;
    if (!seen.insert(samples.candidate).second) continue;
    const size_t rounds = samples.candidate.size();
    speeds.rows.push_back(row);
    speeds.first.push_back(SpeedBy(samples, 0, rounds / 2));
    speeds.second.push_back(SpeedBy(samples, rounds / 2, rounds - rounds / 2));
  }
  return speeds;
}

std::optional<double> NoiseCeilingOf(const HalvedSpeeds& speeds) {
  if (speeds.rows.size() < kBest) return std::nullopt;
  return (WorthOf(speeds.first, speeds.second) + WorthOf(speeds.second, speeds.first)) / 2;
}

}  // namespace schedulegym
