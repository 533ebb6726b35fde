#include "env/measure/timing/outlier_check.h"

#include <algorithm>
#include <vector>

#include "env/base/check.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr double kMostSpeedUp = 10;

template <typename T>
int64_t CountOf(const void* cells, int64_t count) {
  const auto* first = static_cast<const T*>(cells);
  return std::count(first, first + count, T{0});
}

constexpr size_t kMost = 200;
constexpr size_t kLeast = 8;  // fewer rounds decide nothing
constexpr double kSlow = 1.5;
constexpr double kPatienceSeconds = 60;

}  // namespace

int64_t CountZeros(DType type, const void* cells, int64_t count) {
  switch (type) {
    case DType::kF64: return CountOf<double>(cells, count);
    case DType::kF32: return CountOf<float>(cells, count);
    case DType::kI32: return CountOf<int32_t>(cells, count);
    case DType::kI8: return CountOf<int8_t>(cells, count);
    default: break;
  }
  SG_CHECK(false, "no output holds this type");
}

std::string OutlierReason(const Measurement& measurement, std::optional<double> best_ratio) {
  if (measurement.outcome == Outcome::kImpossibleTime) return measurement.message;
  if (!measurement.ok()) return "";
  const double known = std::max(best_ratio.value_or(1), 1.0);
  const double ratio = measurement.timing->ratio.median;
  if (ratio <= kMostSpeedUp * known) return "";
  return FormatDouble(ratio / known) + " times as fast as the best so far";
}

void RollingBaseline::Note(double seconds, double now) {
  SG_CHECK(seconds > 0, "a reference takes time");
  if (Slowdown(seconds) <= kSlow) {
    slow_.clear();
  } else {
    if (slow_.empty()) slow_since_ = now;
    slow_.push_back(seconds);
  }
  last_.push_back(seconds);
  if (last_.size() > kMost) last_.pop_front();
  if (slow_.size() < kLeast || now - slow_since_ < kPatienceSeconds) return;
  last_ = std::move(slow_);
  slow_.clear();
}

double RollingBaseline::Slowdown(double seconds) const {
  if (last_.size() < kLeast) return 1;
  std::vector<double> sorted(last_.begin(), last_.end());
  const auto quartile = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 4);
  std::nth_element(sorted.begin(), quartile, sorted.end());
  return seconds / *quartile;
}

}  // namespace schedulegym
