#include "agents/learned/advantages.h"

#include <cmath>

#include "env/base/check.h"

namespace schedulegym {

TrackAdvantages AdvantagesOf(std::span<const double> rewards, std::span<const double> values,
                             const AdvantageOptions& options) {
  SG_CHECK(values.size() == rewards.size() + 1, "a value before each step and one after all");
  TrackAdvantages result = {std::vector<double>(rewards.size()),
                            std::vector<double>(rewards.size())};
  double later = 0;
  for (size_t t = rewards.size(); t-- > 0;) {
    const double difference = rewards[t] + options.discount * values[t + 1] - values[t];
    later = difference + options.discount * options.lambda * later;
    result.advantages[t] = later;
    result.targets[t] = later + values[t];
  }
  return result;
}

void Normalise(std::span<float> numbers) {
  if (numbers.empty()) return;
  const double count = static_cast<double>(numbers.size());
  double mean = 0, square = 0;
  for (const float number : numbers) mean += number / count;
  for (const float number : numbers) square += (number - mean) * (number - mean) / count;
  // As usual, so that equal numbers do not divide by 0 and their rounding is not blown up.
  constexpr double kLeast = 1e-8;
  const double scale = 1 / (std::sqrt(square) + kLeast);
  for (float& number : numbers) number = static_cast<float>((number - mean) * scale);
}

}  // namespace schedulegym
