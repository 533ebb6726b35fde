// CurveFamily: the functions that can model a search's best speed over its trials.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace schedulegym {

// Functions of x >= 1, the number of a trial. All rise within the bounds of their parameters. Nine
// are those that DynaTune combines (Zhang et al., ICLR 2021), from learning curves (Domhan,
// Springenberg and Hutter, IJCAI 2015). The tenth is the power law of its released least-squares
// predictor. Parameters are in the order of their first use in the formula.
enum class CurveFamily : uint8_t {
  kWeibull,    // alpha - (alpha - beta) exp(-(kappa x)^delta); beta <= alpha
  kPow4,       // c - (a x + b)^-alpha
  kMmf,        // alpha - (alpha - beta) / (1 + (kappa x)^delta); beta <= alpha
  kPow3,       // c - a x^-alpha
  kLogLog,     // ln(a ln x + b)
  kJanoschek,  // a - (a - beta) exp(-k x^delta); beta <= a
  kHill3,      // theta x^eta / (kappa^eta + x^eta)
  kLogPower,   // a / (1 + (x / e^b)^c)
  kExp4,       // c - exp(-a x^alpha + b)
  kPow2,       // a x^-alpha
};

inline constexpr int kMostCurveParameters = 4;
using CurveParameters = std::array<double, kMostCurveParameters>;

// A parameter of the curve y over its best so far, which is 1 now.
struct CurveParameter {
  const char* name;
  double low, high;  // of the uniform prior
  double start;      // of a fit
};

struct CurveFamilyEntry {
  CurveFamily family;
  const char* name;
  std::span<const CurveParameter> parameters;
};

// In the order of the enum.
std::span<const CurveFamilyEntry> CurveFamilies();
const CurveFamilyEntry& EntryOf(CurveFamily family);
// The nine families that DynaTune combines.
std::span<const CurveFamily> CombinedFamilies();
std::optional<CurveFamily> ParseCurveFamily(std::string_view name);

// Returns whether the parameters lie within the bounds, and a lower asymptote not above the upper
// one, so that the curve rises. DynaTune requires this of the combined families only at both ends
// (its "soft monotonicity").
bool IsPossible(CurveFamily family, std::span<const double> parameters);

// A point, with the values that the formulas use.
template <class Real>
struct CurvePoint {
  Real x, log_x;
};

double CurveValue(CurveFamily family, std::span<const double> parameters, double x);
// Computes the curve at all points.
void CurveValues(CurveFamily family, std::span<const double> parameters,
                 std::span<const CurvePoint<double>> points, std::span<double> values);

// Start parameters of a fit: the table's values, and estimates from the points. x rises; y is
// scaled so that its largest is 1. There is at least one point.
std::vector<CurveParameters> CurveStarts(CurveFamily family, std::span<const double> x,
                                         std::span<const double> y);

}  // namespace schedulegym
