#include "agents/learned/policy/orthogonal.h"

#include <cmath>
#include <numbers>

#include "agents/learned/policy/torch_internal.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Box and Muller's.
double Normal(Rng& rng) {
  const double radius = std::sqrt(-2 * std::log(1 - rng.Uniform()));
  return radius * std::cos(2 * std::numbers::pi * rng.Uniform());
}

}  // namespace

at::Tensor OrthogonalWeights(int rows, int columns, double gain, Rng& rng) {
  SG_CHECK(rows >= 1 && columns >= 1, "weights between something");
  const bool is_wide = rows < columns;
  const int tall = is_wide ? columns : rows, narrow = is_wide ? rows : columns;
  at::Tensor drawn = at::empty({tall, narrow}, at::TensorOptions().dtype(at::kDouble));
  double* values = drawn.data_ptr<double>();
  for (int64_t i = 0; i < drawn.numel(); ++i) values[i] = Normal(rng);
  const auto [q, r] = at::linalg_qr(drawn);
  // Else the rotation would depend on how the library chooses signs.
  const at::Tensor turned = q * r.diagonal().sign() * gain;
  return (is_wide ? turned.t() : turned).to(at::kFloat).contiguous();
}

}  // namespace schedulegym
