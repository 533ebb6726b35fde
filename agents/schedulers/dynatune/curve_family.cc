// Ten families of learning curves (Domhan, Springenberg and Hutter, IJCAI 2015, and pylrpredictor),
// with the bounds and starts of their parameters. Starts are those of the released code; bounds are
// this project's: every curve is finite and rising, and no search ends ten times faster than its
// best so far, which is 1. Families with two asymptotes need lower <= upper. A second start is
// taken from the points: first value, 1.1 as the end, half of the way at the middle point. Cost:
// O(points) to evaluate.
#include "agents/schedulers/dynatune/curve_family.h"

#include <algorithm>

#include "agents/schedulers/dynatune/curve_shape.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Starts as in the code that Domhan et al. and DynaTune released, which has almost no bounds. The
// bounds here keep every curve finite and rising and a prior proper: no search ends ten times
// faster than its best so far, which is 1.
constexpr double kTop = 10;
// Lower bound of positive parameters.
constexpr double kTiny = 1e-6;

constexpr CurveParameter kWeibullParameters[] = {{"alpha", 0, kTop, 0.7},
                                                 {"beta", 0, kTop, 0.1},
                                                 {"kappa", kTiny, 10, 0.01},
                                                 {"delta", 0.01, 10, 1}};
constexpr CurveParameter kPow4Parameters[] = {
    {"c", 0, kTop, 0.8}, {"a", kTiny, 1000, 200}, {"b", 0, 1000, 0}, {"alpha", 0, 10, 0.1}};
constexpr CurveParameter kMmfParameters[] = {{"alpha", 0, kTop, 0.7},
                                             {"beta", 0, kTop, 0.1},
                                             {"kappa", kTiny, 10, 0.01},
                                             {"delta", 0.01, 10, 5}};
constexpr CurveParameter kPow3Parameters[] = {
    {"c", 0, kTop, 0.84}, {"a", 0, kTop, 0.52}, {"alpha", 0, 10, 0.01}};
constexpr CurveParameter kLogLogParameters[] = {{"a", 0, 10, 1}, {"b", 0.01, 20, 1}};
constexpr CurveParameter kJanoschekParameters[] = {
    {"a", 0, kTop, 0.73}, {"beta", 0, kTop, 0.07}, {"k", 0, 10, 0.355}, {"delta", 0.01, 5, 0.46}};
constexpr CurveParameter kHill3Parameters[] = {
    {"theta", 0, kTop, 0.77232}, {"eta", 0.01, 10, 0.586449}, {"kappa", kTiny, 1e4, 2.460843}};
constexpr CurveParameter kLogPowerParameters[] = {
    {"a", 0, kTop, 0.77}, {"b", -20, 20, 2.98}, {"c", -10, -0.01, -0.51}};
constexpr CurveParameter kExp4Parameters[] = {
    {"c", 0, kTop, 0.7}, {"a", 0, 10, 0.8}, {"b", -10, 5, -0.8}, {"alpha", 0.01, 5, 0.3}};
constexpr CurveParameter kPow2Parameters[] = {{"a", 0, kTop, 0.1}, {"alpha", -5, 0, -0.3}};

constexpr CurveFamilyEntry kFamilies[] = {
    {CurveFamily::kWeibull, "weibull", kWeibullParameters},
    {CurveFamily::kPow4, "pow4", kPow4Parameters},
    {CurveFamily::kMmf, "mmf", kMmfParameters},
    {CurveFamily::kPow3, "pow3", kPow3Parameters},
    {CurveFamily::kLogLog, "loglog", kLogLogParameters},
    {CurveFamily::kJanoschek, "janoschek", kJanoschekParameters},
    {CurveFamily::kHill3, "hill3", kHill3Parameters},
    {CurveFamily::kLogPower, "log_power", kLogPowerParameters},
    {CurveFamily::kExp4, "exp4", kExp4Parameters},
    {CurveFamily::kPow2, "pow2", kPow2Parameters},
};

constexpr CurveFamily kCombined[] = {
    CurveFamily::kWeibull, CurveFamily::kPow4,     CurveFamily::kMmf,
    CurveFamily::kPow3,    CurveFamily::kLogLog,   CurveFamily::kJanoschek,
    CurveFamily::kHill3,   CurveFamily::kLogPower, CurveFamily::kExp4};

// Families with an upper and a lower asymptote, in this order.
bool HasTwoAsymptotes(CurveFamily family) {
  return family == CurveFamily::kWeibull || family == CurveFamily::kMmf ||
         family == CurveFamily::kJanoschek;
}

// Returns a start from the first value to a little above the best, half of the way at the middle.
CurveParameters LookingLike(CurveFamily family, double first, double middle, double last) {
  constexpr double kAbove = 1.1;
  const double gain = kAbove - first;
  const double log_last = std::max(std::log(last), kTiny);
  switch (family) {
    case CurveFamily::kWeibull:
    case CurveFamily::kMmf: return {kAbove, first, 1 / middle, 1};
    case CurveFamily::kPow4: return {kAbove, std::pow(gain, -2), 0, 0.5};
    case CurveFamily::kPow3: return {kAbove, gain, 0.5};
    case CurveFamily::kLogLog: return {(std::exp(1) - std::exp(first)) / log_last, std::exp(first)};
    case CurveFamily::kJanoschek: return {kAbove, first, 1 / std::sqrt(middle), 0.5};
    case CurveFamily::kHill3: return {kAbove, 1, middle};
    case CurveFamily::kLogPower: return {kAbove, std::log(middle), -1};
    case CurveFamily::kExp4: return {kAbove, 1 / std::sqrt(middle), std::log(gain), 0.5};
    case CurveFamily::kPow2: return {first, std::min(std::log(first), 0.0) / log_last};
  }
  return {};
}

}  // namespace

std::span<const CurveFamilyEntry> CurveFamilies() { return kFamilies; }

const CurveFamilyEntry& EntryOf(CurveFamily family) {
  return kFamilies[static_cast<size_t>(family)];
}

std::span<const CurveFamily> CombinedFamilies() { return kCombined; }

std::optional<CurveFamily> ParseCurveFamily(std::string_view name) {
  for (const CurveFamilyEntry& entry : kFamilies) {
    if (entry.name == name) return entry.family;
  }
  return std::nullopt;
}

bool IsPossible(CurveFamily family, std::span<const double> parameters) {
  const std::span<const CurveParameter> bounds = EntryOf(family).parameters;
  for (size_t i = 0; i < bounds.size(); ++i) {
    // NaN is in no bounds.
    if (!(parameters[i] >= bounds[i].low && parameters[i] <= bounds[i].high)) return false;
  }
  return !HasTwoAsymptotes(family) || parameters[1] <= parameters[0];
}

double CurveValue(CurveFamily family, std::span<const double> parameters, double x) {
  const CurvePoint<double> point = {x, std::log(x)};
  double value = 0;
  CurveValues(family, parameters, {&point, 1}, {&value, 1});
  return value;
}

void CurveValues(CurveFamily family, std::span<const double> parameters,
                 std::span<const CurvePoint<double>> points, std::span<double> values) {
  const size_t size = EntryOf(family).parameters.size();
  SG_CHECK(parameters.size() >= size, "each parameter of the curve");
  SG_CHECK(points.size() == values.size(), "a value for each point");
  const CurveParameters p = Prepared(family, parameters.first(size));
  ForFamily(family, [&]<CurveFamily kFamily>() {
    for (size_t i = 0; i < points.size(); ++i) {
      values[i] = CurveShape<kFamily>(p.data(), points[i]);
    }
  });
}

std::vector<CurveParameters> CurveStarts(CurveFamily family, std::span<const double> x,
                                         std::span<const double> y) {
  SG_CHECK(!x.empty() && x.size() == y.size(), "as many values as points, and at least one");
  const std::span<const CurveParameter> parameters = EntryOf(family).parameters;
  const double first = std::clamp(y[0], 0.01, 1.0);
  const double half = (first + 1) / 2;
  const auto rises = std::find_if(y.begin(), y.end(), [&](double each) { return each >= half; });
  const double middle = rises == y.end() ? x.back() : x[static_cast<size_t>(rises - y.begin())];
  CurveParameters published = {};
  CurveParameters seen = LookingLike(family, first, middle, x.back());
  for (size_t i = 0; i < parameters.size(); ++i) {
    published[i] = parameters[i].start;
    seen[i] = std::clamp(seen[i], parameters[i].low, parameters[i].high);
  }
  return {published, seen};
}

}  // namespace schedulegym
