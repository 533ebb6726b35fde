// TwoSketchSpace: two sketches of a small computation, for searches that can cover all of it.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "env/program/language/parser.h"
#include "env/search/factorization.h"
#include "env/search/search_space.h"

namespace schedulegym {

// A, which B reads, both of 24 elements. Sketch 0: A is split twice by divisors of 24 (30 ways),
// and unrolled or not; B may be unrolled, or parallel. Sketch 1: B is split once and unrolled or
// not.
class TwoSketchSpace : public SearchSpace {
 public:
  using Refuses = std::function<bool(const ScheduleState&)>;

  explicit TwoSketchSpace(Refuses refuses = nullptr) : refuses_(std::move(refuses)) {}

  static std::shared_ptr<const Task> SmallTask() {
    return std::make_shared<const Task>(
        Task{*ParseDag("input X[24]\nA[i:24] = X[i] + 1\nB[i:24] = A[i] * 2\n", "test"), Target(),
             "small"});
  }

  std::string Name() const override { return "two_sketches"; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    const std::vector<Sketch> sketches = Sketches(task);
    return sketches[rng.Below(std::ssize(sketches))].knobs->Complete({}, rng);
  }

  Result<void> Admit(const ScheduleState& state) const override {
    if (refuses_ && refuses_(state)) return InvalidSchedule("refused");
    return {};
  }

  // Changes one knob to another value.
  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    for (const Sketch& sketch : Sketches(state.shared_task())) {
      std::optional<KnobPoint> point = sketch.knobs->PointOf(state);
      if (!point) continue;
      const auto knob = static_cast<int>(rng.Below(std::ssize(*point)));
      const int size = sketch.knobs->size_of(knob);
      (*point)[knob] = static_cast<int>(((*point)[knob] + 1 + rng.Below(size - 1)) % size);
      return sketch.knobs->At(*point);
    }
    return InvalidSchedule("no state of the grid");
  }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    const Variants unroll_a = {
        "A: unroll", UnrollSteps(1), KnobKind::kUnroll, 1, {"0", "16", "64"}};
    const Variants unroll_b = {
        "B: unroll", UnrollSteps(2), KnobKind::kUnroll, 2, {"0", "16", "64"}};
    const Variants parallel = {"B: parallel", {{}, {Parallel{{2}, 0}}}, KnobKind::kParallel, 2};
    const std::vector<int64_t> lengths = Divisors(24);
    const OpenLengths tile_a = {"A", {{1}, 0, {1, 1}}, 24, LengthsFit::kDivide, {lengths, lengths}};
    const OpenLengths tile_b = {"B", {{2}, 0, {1}}, 24, LengthsFit::kDivide, {lengths}};
    return {SketchOf(task, {tile_a, unroll_a, unroll_b, parallel}, {"A: tile"}),
            SketchOf(task, {tile_b, unroll_b}, {"B: tile"})};
  }

  static constexpr int kSchedules = 30 * 3 * 3 * 2 + 8 * 3;

 private:
  static std::vector<Trace> UnrollSteps(int stage) {
    return {{},
            {Pragma{{stage}, "auto_unroll_max_step", 16}},
            {Pragma{{stage}, "auto_unroll_max_step", 64}}};
  }

  static Sketch SketchOf(const std::shared_ptr<const Task>& task,
                         const std::vector<TraceSegment>& segments,
                         std::vector<std::string> rules) {
    auto knobs = std::make_shared<const KnobSpace>(task, segments);
    ScheduleState origin = knobs->At(knobs->Origin()).value();
    return {std::move(origin), std::move(rules), std::move(knobs)};
  }

  Refuses refuses_;
};

// Made up. The best is A in lengths of 4 and 6, both unrolled by 64 and B parallel.
inline double TwoSketchSeconds(const ScheduleState& state) {
  double seconds = 100;
  for (const Primitive& step : state.trace()) {
    if (const auto* split = std::get_if<Split>(&step)) {
      if (split->lengths.size() == 1) seconds -= split->lengths[0] == 8 ? 5 : 1;
      if (split->lengths.size() != 2) continue;
      seconds -= 20 - 2.0 * static_cast<double>(std::abs(split->lengths[1] - 6)) -
                 static_cast<double>(std::abs(split->lengths[0] - 4));
    }
    if (const auto* pragma = std::get_if<Pragma>(&step)) {
      seconds -= 0.1 * static_cast<double>(pragma->value);
    }
    if (std::get_if<Parallel>(&step) != nullptr) seconds -= 30;
  }
  return seconds;
}
constexpr double kBestTwoSketchSeconds = 100 - 20 - 2 * 6.4 - 30;

}  // namespace schedulegym
