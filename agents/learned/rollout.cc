#include "agents/learned/rollout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

PolicySamples NoSamples(int inputs, int columns, int heads) {
  return {RowBatch(inputs), MaskBatch(columns), Batch<int64_t>(heads), {}, {}, {}};
}

template <typename Number, typename Source>
void Append(Batch<Number>& batch, const Source& row) {
  SG_CHECK(std::ssize(row) == batch.columns(), "a row of the batch's columns");
  batch.Resize(batch.rows() + 1);
  std::copy(row.begin(), row.end(), batch[batch.rows() - 1].begin());
}

}  // namespace

Rollout::Rollout(int inputs, const ActionHeads& heads)
    : samples_(NoSamples(inputs, heads.columns(), heads.heads())) {}

void Rollout::Add(int track, const TrackStep& step, double reward) {
  SG_CHECK(track >= 0, "a track");
  if (track >= std::ssize(paths_)) paths_.resize(static_cast<size_t>(track) + 1);
  Path& path = paths_[static_cast<size_t>(track)];
  path.samples.push_back(steps());
  path.rewards.push_back(reward);
  path.values.push_back(step.value);
  Append(samples_.rows, step.row);
  Append(samples_.masks, step.mask);
  Append(samples_.values, step.values);
  samples_.log_probabilities.push_back(static_cast<float>(step.log_probability));
  samples_.advantages.push_back(0);
  samples_.targets.push_back(0);
}

void Rollout::End(int track, double value_after, const AdvantageOptions& options) {
  if (track >= std::ssize(paths_)) return;
  Path path = std::exchange(paths_[static_cast<size_t>(track)], {});
  path.values.push_back(value_after);
  const TrackAdvantages found = AdvantagesOf(path.rewards, path.values, options);
  for (size_t i = 0; i < path.samples.size(); ++i) {
    const auto sample = static_cast<size_t>(path.samples[i]);
    samples_.advantages[sample] = static_cast<float>(found.advantages[i]);
    samples_.targets[sample] = static_cast<float>(found.targets[i]);
  }
}

PolicySamples Rollout::Take() {
  for (const Path& path : paths_) SG_CHECK(path.samples.empty(), "a path that has ended");
  return std::exchange(samples_, NoSamples(samples_.rows.columns(), samples_.masks.columns(),
                                           samples_.values.columns()));
}

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
  // A usual floor: equal numbers do not divide by 0, and their rounding is not magnified.
  constexpr double kLeast = 1e-8;
  const double scale = 1 / (std::sqrt(square) + kLeast);
  for (float& number : numbers) number = static_cast<float>((number - mean) * scale);
}

}  // namespace schedulegym
