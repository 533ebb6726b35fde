#include "agents/learned/action_heads.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

template <typename Number>
std::span<const Number> Part(const ActionHeads& heads, std::span<const Number> row, int head) {
  SG_CHECK(std::ssize(row) == heads.columns(), "a row has a column for each value");
  return row.subspan(static_cast<size_t>(heads.first(head)),
                     static_cast<size_t>(heads.choices(head)));
}

std::vector<int> LegalValues(std::span<const uint8_t> mask) {
  std::vector<int> legal;
  for (size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] != 0) legal.push_back(static_cast<int>(i));
  }
  SG_CHECK(!legal.empty(), "a head has a legal value");
  return legal;
}

// Divides by the sum over legal values, so that rounding leaves no gap at the end.
int DrawValue(std::span<const float> logs, std::span<const uint8_t> mask, Rng& rng) {
  const std::vector<int> legal = LegalValues(mask);
  std::vector<double> weights;
  double whole = 0;
  for (const int value : legal) {
    weights.push_back(std::exp(static_cast<double>(logs[static_cast<size_t>(value)])));
    whole += weights.back();
  }
  double left = rng.Uniform() * whole;
  for (size_t i = 0; i < legal.size(); ++i) {
    left -= weights[i];
    if (left < 0) return legal[i];
  }
  return legal.back();
}

}  // namespace

ActionHeads::ActionHeads(std::vector<int> choices) : choices_(std::move(choices)) {
  SG_CHECK(!choices_.empty(), "an action has a head");
  for (const int count : choices_) {
    SG_CHECK(count >= 1, "a head has values");
    firsts_.push_back(columns_);
    columns_ += count;
  }
}

bool ActionHeads::IsOpen(std::span<const uint8_t> mask) const {
  for (int head = 0; head < heads(); ++head) {
    const auto part = Part(*this, mask, head);
    if (std::all_of(part.begin(), part.end(), [](uint8_t legal) { return legal == 0; })) {
      return false;
    }
  }
  return true;
}

HeadValues DrawValues(const ActionHeads& heads, std::span<const float> log_probabilities,
                      std::span<const uint8_t> mask, Rng& rng) {
  HeadValues values;
  for (int head = 0; head < heads.heads(); ++head) {
    values.push_back(DrawValue(Part(heads, log_probabilities, head), Part(heads, mask, head), rng));
  }
  return values;
}

HeadValues LikeliestValues(const ActionHeads& heads, std::span<const float> log_probabilities,
                           std::span<const uint8_t> mask) {
  HeadValues values;
  for (int head = 0; head < heads.heads(); ++head) {
    const auto logs = Part(heads, log_probabilities, head);
    const std::vector<int> legal = LegalValues(Part(heads, mask, head));
    values.push_back(*std::max_element(legal.begin(), legal.end(), [&](int a, int b) {
      return logs[static_cast<size_t>(a)] < logs[static_cast<size_t>(b)];
    }));
  }
  return values;
}

HeadValues UniformValues(const ActionHeads& heads, std::span<const uint8_t> mask, Rng& rng) {
  HeadValues values;
  for (int head = 0; head < heads.heads(); ++head) {
    const std::vector<int> legal = LegalValues(Part(heads, mask, head));
    values.push_back(legal[static_cast<size_t>(rng.Below(std::ssize(legal)))]);
  }
  return values;
}

double LogProbability(const ActionHeads& heads, std::span<const float> log_probabilities,
                      const HeadValues& values) {
  SG_CHECK(std::ssize(values) == heads.heads(), "an action has a value of each head");
  double sum = 0;
  for (int head = 0; head < heads.heads(); ++head) {
    const int value = values[static_cast<size_t>(head)];
    SG_CHECK(value >= 0 && value < heads.choices(head), "a value of the head");
    const int column = heads.first(head) + value;
    sum += log_probabilities[static_cast<size_t>(column)];
  }
  return sum;
}

}  // namespace schedulegym
