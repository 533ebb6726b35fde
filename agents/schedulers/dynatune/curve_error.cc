// Weighted squared error of a sum of curves at all points, in f32, for sampling:
//   sum_i w_i (sum_k weight_k f_k(x_i) - y_i)^2
// Points are padded to blocks of 16 with weight 0 and summed lane by lane, so that the result is
// the same for every vector width; the same code is compiled for SSE2, AVX2 and AVX-512, and the
// widest that the processor has is called. exp and log are those of lane_math.h. Cost: O(curves *
// points).
#include "agents/schedulers/dynatune/curve_error.h"

#include <algorithm>
#include <cmath>

#include "agents/schedulers/dynatune/curve_shape.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Floats of the widest vector.
constexpr size_t kBlock = 16;

struct Curve {
  CurveFamily family;
  float weight;
  float prepared[kMostCurveParameters];
};

struct Points {
  size_t count;  // a multiple of kBlock
  const float* x;
  const float* log_x;
  const float* y;
  const float* weights;
};

// Adds the curve to the residuals of each point.
struct AddCurve {
  const Curve& curve;
  const Points& points;
  float* residuals;

  template <CurveFamily kFamily>
  SG_LANE void operator()() const {
    const Curve c = curve;
    const float* __restrict x = points.x;
    const float* __restrict log_x = points.log_x;
    float* __restrict sum = residuals;
    for (size_t i = 0; i < points.count; ++i) {
      sum[i] += c.weight * CurveShape<kFamily>(c.prepared, CurvePoint<float>{x[i], log_x[i]});
    }
  }
};

SG_LANE double SquaredError(const Curve* curves, size_t count, const Points& points,
                            float* __restrict residuals) {
  for (size_t i = 0; i < points.count; ++i) residuals[i] = -points.y[i];
  for (size_t i = 0; i < count; ++i) {
    ForFamily(curves[i].family, AddCurve{curves[i], points, residuals});
  }
  float sums[kBlock] = {};
  for (size_t begin = 0; begin < points.count; begin += kBlock) {
    for (size_t i = 0; i < kBlock; ++i) {
      const float residual = residuals[begin + i];
      sums[i] += points.weights[begin + i] * (residual * residual);
    }
  }
  double sum = 0;
  for (float each : sums) sum += static_cast<double>(each);
  return sum;
}

using SquaredErrorFunction = double(const Curve*, size_t, const Points&, float*);

double SquaredErrorAnywhere(const Curve* curves, size_t count, const Points& points,
                            float* residuals) {
  return SquaredError(curves, count, points, residuals);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) double SquaredErrorAvx2(const Curve* curves, size_t count,
                                                        const Points& points, float* residuals) {
  return SquaredError(curves, count, points, residuals);
}

__attribute__((target("avx512f,avx512dq"))) double SquaredErrorAvx512(const Curve* curves,
                                                                      size_t count,
                                                                      const Points& points,
                                                                      float* residuals) {
  return SquaredError(curves, count, points, residuals);
}

SquaredErrorFunction* Widest(int most_bits) {
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
  if (most_bits >= 512 && avx512) return SquaredErrorAvx512;
  if (most_bits >= 256 && __builtin_cpu_supports("avx2")) return SquaredErrorAvx2;
  return SquaredErrorAnywhere;
}

#else

SquaredErrorFunction* Widest(int) { return SquaredErrorAnywhere; }

#endif

}  // namespace

CurveError::CurveError(std::span<const double> x, std::span<const double> y,
                       std::span<const double> weights, int most_bits)
    : most_bits_(most_bits) {
  SG_CHECK(x.size() == y.size() && x.size() == weights.size(), "as many values as points");
  const size_t padded = (x.size() + kBlock - 1) / kBlock * kBlock;
  x_.assign(padded, 1);
  log_x_.assign(padded, 0);
  y_.assign(padded, 0);
  weights_.assign(padded, 0);
  residuals_.resize(padded);
  for (size_t i = 0; i < x.size(); ++i) {
    x_[i] = static_cast<float>(x[i]);
    log_x_[i] = static_cast<float>(std::log(x[i]));
    y_[i] = static_cast<float>(y[i]);
    weights_[i] = static_cast<float>(weights[i]);
  }
}

double CurveError::Of(std::span<const WeightedCurve> curves) {
  Curve prepared[kMostCurves];
  SG_CHECK(curves.size() <= kMostCurves, "no more curves than families");
  for (size_t i = 0; i < curves.size(); ++i) {
    const WeightedCurve& from = curves[i];
    const CurveParameters parameters = Prepared(from.family, from.parameters);
    prepared[i].family = from.family;
    prepared[i].weight = static_cast<float>(from.weight);
    std::copy(parameters.begin(), parameters.end(), prepared[i].prepared);
  }
  const Points points = {x_.size(), x_.data(), log_x_.data(), y_.data(), weights_.data()};
  return Widest(most_bits_)(prepared, curves.size(), points, residuals_.data());
}

}  // namespace schedulegym
