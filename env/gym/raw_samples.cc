#include "env/gym/raw_samples.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "env/base/check.h"
#include "env/measure/paired_statistics.h"

namespace schedulegym {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr double kSteps = 65536;  // of a logarithm of 1
constexpr unsigned kBits = 5;
constexpr uint64_t kMore = 1U << kBits;  // set where further digits follow
// No ratio of two times has a larger logarithm.
constexpr int64_t kMostSteps = int64_t{200} * 65536;
constexpr size_t kMostSamples = 4096;

void AppendInteger(int64_t value, std::string& text) {
  uint64_t left =
      value < 0 ? (static_cast<uint64_t>(-value) << 1) | 1 : static_cast<uint64_t>(value) << 1;
  do {
    const uint64_t digit = left % kMore;
    left >>= kBits;
    text += kDigits[digit | (left > 0 ? kMore : 0)];
  } while (left > 0);
}

// Takes it from the front of the text.
std::optional<int64_t> TakeInteger(std::string_view& text) {
  uint64_t value = 0;
  for (unsigned shift = 0; !text.empty() && shift <= 6 * kBits; shift += kBits) {
    const size_t digit = kDigits.find(text.front());
    if (digit == std::string_view::npos) return std::nullopt;
    text.remove_prefix(1);
    value |= (digit % kMore) << shift;
    if (digit >= kMore) continue;
    const auto size = static_cast<int64_t>(value >> 1);
    return (value & 1) != 0 ? -size : size;
  }
  return std::nullopt;
}

}  // namespace

std::string SamplesText(std::span<const float> samples, double middle) {
  std::string text;
  for (const float sample : samples) {
    SG_CHECK(sample > 0 && middle > 0, "samples are times");
    AppendInteger(std::llround(std::log(static_cast<double>(sample) / middle) * kSteps), text);
  }
  return text;
}

std::optional<std::vector<float>> ParseSamples(std::string_view text, double middle) {
  std::vector<float> samples;
  while (!text.empty()) {
    const std::optional<int64_t> steps = TakeInteger(text);
    if (!steps || std::abs(*steps) > kMostSteps || samples.size() == kMostSamples) {
      return std::nullopt;
    }
    const double sample = middle * std::exp(static_cast<double>(*steps) / kSteps);
    samples.push_back(static_cast<float>(sample));
    if (!std::isnormal(samples.back()) || samples.back() < 0) return std::nullopt;
  }
  if (samples.empty()) return std::nullopt;
  return samples;
}

Timing DrawAnew(const RawSamples& samples, double reference_seconds, IntervalRule rule, Rng& rng) {
  const auto count = std::ssize(samples.candidate);
  SG_CHECK(count > 0 && std::ssize(samples.reference) == count, "a sample of each for each round");
  Timing timing;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const auto round = static_cast<size_t>(rng.Below(count));
    timing.samples.push_back(samples.candidate[round]);
    timing.reference_samples.push_back(samples.reference[round]);
  }
  timing.ratio = MedianRatio(timing.reference_samples, timing.samples, rule);
  timing.seconds = reference_seconds / timing.ratio.median;
  timing.first_call_seconds = timing.seconds;
  return timing;
}

}  // namespace schedulegym
