// CurveFamily: the shapes that a search's best speed may follow over its trials.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace schedulegym {

// Over x >= 1, a trial's position, all rising within the bounds of their parameters: the nine that
// DynaTune combines (Zhang et al., ICLR 2021), from learning curves (Domhan, Springenberg and
// Hutter, IJCAI 2015), and the power law of its released least-squares predictor. Parameters are in
// the order in which the shape names them.
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

// Of the curve y / y's best so far, which is 1 now.
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
// The nine.
std::span<const CurveFamily> CombinedFamilies();
std::optional<CurveFamily> ParseCurveFamily(std::string_view name);

// Whether the parameters lie within the bounds, and a lower asymptote not above the upper one,
// which makes the curve rise: what DynaTune asks of the combined families at both ends (its "soft
// monotonicity") then holds everywhere.
bool IsPossible(CurveFamily family, std::span<const double> parameters);

// What a curve asks of a point.
template <class Real>
struct CurvePoint {
  Real x, log_x;
};

double CurveValue(CurveFamily family, std::span<const double> parameters, double x);
// At all of the points.
void CurveValues(CurveFamily family, std::span<const double> parameters,
                 std::span<const CurvePoint<double>> points, std::span<double> values);

// Where a fit may begin: at the table's values, and at what the points look like. x rises, y is
// scaled so that its largest is 1; at least one point.
std::vector<CurveParameters> CurveStarts(CurveFamily family, std::span<const double> x,
                                         std::span<const double> y);

}  // namespace schedulegym
