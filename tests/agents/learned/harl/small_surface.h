// SmallSurface: the schedules of one loop of 24, with a speed that has a single maximum.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "agents/learned/harl/track_round.h"
#include "env/gym/actions/modify_space.h"
#include "tests/env/gym/split_sketches.h"

namespace schedulegym {

// In three levels, with four unroll limits or none: 150 points; fastest are 3 x 2 x 4, unrolled by
// 16.
class SmallSurface {
 public:
  SmallSurface() {
    const auto unroll = [](int64_t steps) {
      return Primitive(Pragma{{1}, "auto_unroll_max_step", steps});
    };
    sketches_.push_back(With(SplitSketch(task_, 3), KnobKind::kUnroll,
                             {unroll(16), unroll(64), unroll(128), unroll(512)}));
    space_ = MakeModifySpace("modify", FixedSketches(sketches_), {task_});
  }

  const std::shared_ptr<const Task>& task() const { return task_; }
  const std::vector<Sketch>& sketches() const { return sketches_; }
  const ActionSpace& actions() const { return *space_; }

  // Greater than 0, at most 1.
  static double SpeedOf(const ScheduleState& state) {
    double distance = 4;  // if nothing is unrolled
    for (const Primitive& step : state.trace()) {
      if (const auto* split = std::get_if<Split>(&step)) {
        distance += std::abs(std::log2(static_cast<double>(split->lengths[0]) / 2)) +
                    std::abs(std::log2(static_cast<double>(split->lengths[1]) / 4));
      }
      if (const auto* pragma = std::get_if<Pragma>(&step)) {
        distance += std::abs(std::log2(static_cast<double>(pragma->value) / 16)) / 2 - 4;
      }
    }
    return std::exp(-distance / 2);
  }

  static std::vector<std::optional<double>> Evaluate(const std::vector<ScheduleState>& states) {
    std::vector<std::optional<double>> scores;
    for (const ScheduleState& state : states) scores.emplace_back(SpeedOf(state));
    return scores;
  }

  std::vector<std::unique_ptr<EpisodeState>> Starts(int count, Rng& rng) const {
    std::vector<std::unique_ptr<EpisodeState>> episodes;
    for (int i = 0; i < count; ++i) episodes.push_back(space_->Start(task_, rng));
    return episodes;
  }

  // `count` different points of the first sketch, one a step, with the given scores and gain.
  template <typename ScoreOf>
  std::vector<TrackVisit> Visits(int count, ScoreOf score_of, double gain) const {
    std::vector<TrackVisit> visits;
    const KnobSpace& knobs = *sketches_[0].knobs;
    for (KnobIndex index = 0; std::ssize(visits) < count; ++index) {
      const KnobPoint point = knobs.PointOf(index);
      const auto episode = space_->From(task_, 0, point);
      const auto step = static_cast<int>(visits.size());
      if (episode) visits.push_back({0, point, PlaceKey(**episode), score_of(step), step, gain});
    }
    return visits;
  }

 private:
  std::shared_ptr<const Task> task_ = Loop24Task();
  std::vector<Sketch> sketches_;
  std::unique_ptr<ActionSpace> space_;
};

}  // namespace schedulegym
