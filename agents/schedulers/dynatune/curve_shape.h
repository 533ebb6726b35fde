// The formulas of the curve families, for numbers of one point and for loops over many.
#pragma once

#include <cmath>

#include "agents/schedulers/dynatune/curve_family.h"
#include "agents/schedulers/dynatune/lane_math.h"

namespace schedulegym {

// A logarithm of a scale that many points share is taken once: kappa becomes ln kappa.
inline CurveParameters Prepared(CurveFamily family, std::span<const double> parameters) {
  CurveParameters p = {};
  for (size_t i = 0; i < parameters.size(); ++i) p[i] = parameters[i];
  const bool has_scale = family == CurveFamily::kWeibull || family == CurveFamily::kMmf ||
                         family == CurveFamily::kHill3;
  if (has_scale) p[2] = std::log(p[2]);
  return p;
}

// `p`: prepared parameters. Powers of x are exponentials of its logarithm. Exp and Log are those of
// the kind of number.
template <CurveFamily kFamily, class Real>
SG_LANE Real CurveShape(const Real* p, const CurvePoint<Real>& at) {
  using enum CurveFamily;
  if constexpr (kFamily == kWeibull) {
    return p[0] - (p[0] - p[1]) * Exp(-Exp(p[3] * (p[2] + at.log_x)));
  } else if constexpr (kFamily == kPow4) {
    return p[0] - Exp(-p[3] * Log(p[1] * at.x + p[2]));
  } else if constexpr (kFamily == kMmf) {
    return p[0] - (p[0] - p[1]) / (1 + Exp(p[3] * (p[2] + at.log_x)));
  } else if constexpr (kFamily == kPow3) {
    return p[0] - p[1] * Exp(-p[2] * at.log_x);
  } else if constexpr (kFamily == kLogLog) {
    return Log(p[0] * at.log_x + p[1]);
  } else if constexpr (kFamily == kJanoschek) {
    return p[0] - (p[0] - p[1]) * Exp(-p[2] * Exp(p[3] * at.log_x));
  } else if constexpr (kFamily == kHill3) {
    return p[0] / (1 + Exp(p[1] * (p[2] - at.log_x)));
  } else if constexpr (kFamily == kLogPower) {
    return p[0] / (1 + Exp(p[2] * (at.log_x - p[1])));
  } else if constexpr (kFamily == kExp4) {
    return p[0] - Exp(p[2] - p[1] * Exp(p[3] * at.log_x));
  } else {
    return p[0] * Exp(-p[1] * at.log_x);
  }
}

// Calls `visit.template operator()<family>()`, so that a loop is compiled for each family. Where
// the caller is compiled for a newer machine a lambda would not be; a struct with SG_LANE is.
template <class Visit>
SG_LANE void ForFamily(CurveFamily family, const Visit& visit) {
  using enum CurveFamily;
  switch (family) {
    case kWeibull: return visit.template operator()<kWeibull>();
    case kPow4: return visit.template operator()<kPow4>();
    case kMmf: return visit.template operator()<kMmf>();
    case kPow3: return visit.template operator()<kPow3>();
    case kLogLog: return visit.template operator()<kLogLog>();
    case kJanoschek: return visit.template operator()<kJanoschek>();
    case kHill3: return visit.template operator()<kHill3>();
    case kLogPower: return visit.template operator()<kLogPower>();
    case kExp4: return visit.template operator()<kExp4>();
    case kPow2: return visit.template operator()<kPow2>();
  }
}

}  // namespace schedulegym
