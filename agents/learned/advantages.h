// Advantages: how much better the steps of a track were than the critic expected.
#pragma once

#include <span>
#include <vector>

namespace schedulegym {

struct AdvantageOptions {
  double discount = 0.9;  // HARL (ICPP 2022), from recollection
  // 0 is HARL's one-step advantage, from recollection; Schulman et al. ("High-dimensional
  // continuous control using generalized advantage estimation", ICLR 2016) use 0.95 and more.
  double lambda = 0;

  bool operator==(const AdvantageOptions&) const = default;
};

struct TrackAdvantages {
  std::vector<double> advantages;
  std::vector<double> targets;  // what the critic should have said of the states
};

// Generalized advantage estimation over consecutive steps of one track: of `rewards`, one for each
// step, and `values`, the critic's of the state before each step and, last, of the state after all.
// A track that ends there for good has nothing to expect: that value is 0.
//   d[t] = r[t] + discount v[t+1] - v[t],  a[t] = d[t] + discount lambda a[t+1],  target = a + v.
TrackAdvantages AdvantagesOf(std::span<const double> rewards, std::span<const double> values,
                             const AdvantageOptions& options);

// To mean 0 and variance 1, in place; equal numbers to 0.
void Normalise(std::span<float> numbers);

}  // namespace schedulegym
