#include "agents/droplet/better_timing.h"

#include <cmath>
#include <numeric>

#include "agents/droplet/distributions.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

double Mean(std::span<const float> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double SquaresAround(std::span<const float> samples, double mean) {
  double sum = 0;
  for (float sample : samples) sum += (sample - mean) * (sample - mean);
  return sum;
}

// Returns the half-width of an interval of level 1 - p, relative to the known 95 % interval's.
double Reach(double p) {
  constexpr double kKnown = 0.05;
  return NormalQuantile(p / 2) / NormalQuantile(kKnown / 2);
}

// Returns an end of the ratio's interval of that reach; the known end itself at 1.
double EndAt(double end, double median, double reach) {
  return end * std::pow(end / median, reach - 1);
}

}  // namespace

bool DifferByStudent(std::span<const float> a, std::span<const float> b, double p) {
  if (a.size() < 2 || b.size() < 2) return true;
  const double mean_a = Mean(a);
  const double mean_b = Mean(b);
  const auto freedom = static_cast<double>(a.size() + b.size() - 2);
  const double variance = (SquaresAround(a, mean_a) + SquaresAround(b, mean_b)) / freedom;
  if (variance == 0) return mean_a != mean_b;
  const double share = 1.0 / static_cast<double>(a.size()) + 1.0 / static_cast<double>(b.size());
  const double t = std::abs(mean_a - mean_b) / std::sqrt(variance * share);
  return 2 * StudentTail(t, freedom) <= p;
}

bool IsBetter(const BetterRule& rule, const Timing& timing, const Timing& best) {
  switch (rule.test) {
    case BetterTest::kStudent:
      return Mean(timing.samples) < Mean(best.samples) &&
             DifferByStudent(timing.samples, best.samples, rule.p);
    case BetterTest::kVerdict: {
      const double reach = Reach(rule.p);
      return EndAt(timing.ratio.low, timing.ratio.median, reach) >
             EndAt(best.ratio.high, best.ratio.median, reach);
    }
    case BetterTest::kNone: return timing.ratio.median > best.ratio.median;
  }
  return false;
}

void ReadLevel(SpecReader& reader, const std::string& who, BetterRule& rule) {
  rule.p = reader.Number("p", rule.p);
  if (rule.p <= 0 || rule.p > 1) {
    throw InputError(who + ": p=" + FormatDouble(rule.p) + ", expected above 0 and at most 1");
  }
  if (rule.p == 1) rule.test = BetterTest::kNone;
}

}  // namespace schedulegym
