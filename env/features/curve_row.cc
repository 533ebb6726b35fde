#include "env/features/curve_row.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

#include "env/features/scaled_numbers.h"

namespace schedulegym {
namespace {

using Place = CurveLayout;

double Flops(const LoopNest& nest) { return nest.operations.Flops() * nest.iterations; }

void Raise(double key, double value, std::span<float> curve) {
  const float share = Share(std::log2(std::max(1.0, value)), kMostLog2);
  for (int sample = 0; sample < Place::kSamples; ++sample) {
    float& own = curve[static_cast<size_t>(sample)];
    if (key <= std::exp2(sample)) own = std::max(own, share);
  }
}

void WriteCurves(const LoopNest& nest, const NestAccess& access, std::span<float> curves) {
  const auto curve = [&](int number) {
    return curves.subspan(static_cast<size_t>(number * Place::kSamples), Place::kSamples);
  };
  double inside = 1;
  for (size_t level = nest.loops.size(); level-- > 0;) {
    inside *= static_cast<double>(nest.loops[level].extent);
    const auto touched = static_cast<double>(access.touched[level]);
    Raise(inside, touched, curve(0));
    Raise(inside / std::max(1.0, touched), inside, curve(1));
    Raise(nest.iterations / inside, touched, curve(2));
  }
}

std::vector<int64_t> TraceNumbers(const ScheduleState& state) {
  std::vector<int64_t> numbers;
  for (int i = 0; i < state.trace_size(); ++i) {
    const Primitive& step = state.step(i);
    if (const auto* split = std::get_if<Split>(&step)) {
      numbers.insert(numbers.end(), split->lengths.begin(), split->lengths.end());
    } else if (const auto* pragma = std::get_if<Pragma>(&step)) {
      numbers.push_back(pragma->value);
    }
  }
  return numbers;
}

}  // namespace

std::vector<float> CurveRow(const ScheduleState& state, const LoopNests& nests) {
  std::vector<float> row(Place::kWidth);
  const auto main = std::ranges::max_element(
      nests.nests, [](const LoopNest& a, const LoopNest& b) { return Flops(a) < Flops(b); });
  if (main != nests.nests.end()) {
    const size_t count = std::min<size_t>(main->accesses.size(), Place::kBuffers);
    for (size_t i = 0; i < count; ++i) {
      WriteCurves(*main, main->accesses[i],
                  std::span(row).subspan(static_cast<size_t>(Place::Curve(static_cast<int>(i), 0)),
                                         Place::kCurves * Place::kSamples));
    }
  }
  const std::vector<int64_t> numbers = TraceNumbers(state);
  const size_t kept = std::min<size_t>(numbers.size(), Place::kKnobs);
  for (size_t i = 0; i < kept; ++i) {
    row[row.size() - 1 - i] = Log2Scaled(static_cast<double>(numbers[numbers.size() - 1 - i]));
  }
  return row;
}

}  // namespace schedulegym
