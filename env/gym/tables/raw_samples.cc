#include "env/gym/tables/raw_samples.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>

#include "env/base/check.h"
#include "env/measure/timing/paired_statistics.h"

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
// As far from the middle as a reference of which the protocol says that others had the machine, and
// times again what was timed beside it: three times its usual time. A table keeps such rounds.
constexpr double kMostDisturbance = 3;

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

// Those that nobody disturbed; all where none is near the middle, for then nothing tells which.
std::vector<size_t> UndisturbedRounds(const RawSamples& samples) {
  std::vector<double> logs(samples.candidate.size());
  for (size_t i = 0; i < logs.size(); ++i) {
    logs[i] = std::log(static_cast<double>(samples.reference[i]) / samples.candidate[i]);
  }
  const double middle = Median(logs);
  std::vector<size_t> all(logs.size()), undisturbed;
  std::iota(all.begin(), all.end(), size_t{0});
  std::ranges::copy_if(all, std::back_inserter(undisturbed), [&](size_t round) {
    return std::abs(logs[round] - middle) <= std::log(kMostDisturbance);
  });
  return undisturbed.empty() ? all : undisturbed;
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
  SG_CHECK(!samples.empty() && samples.reference.size() == samples.candidate.size(),
           "a sample of each for each round");
  const std::vector<size_t> rounds = UndisturbedRounds(samples);
  Timing timing;
  for (size_t i = 0; i < rounds.size(); ++i) {
    const size_t round = rounds[static_cast<size_t>(rng.Below(std::ssize(rounds)))];
    timing.samples.push_back(samples.candidate[round]);
    timing.reference_samples.push_back(samples.reference[round]);
  }
  timing.ratio = MedianRatio(timing.reference_samples, timing.samples, rule);
  timing.seconds = reference_seconds / timing.ratio.median;
  timing.first_call_seconds = timing.seconds;
  return timing;
}

}  // namespace schedulegym
