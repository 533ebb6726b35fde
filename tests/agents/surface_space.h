// SurfaceSpace: four knobs of sixteen values with given speeds, and searches of this space.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/builtin_agents.h"
#include "env/search/search_space.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {

inline constexpr int kSurfaceKnobs = 4, kSurfaceValues = 16;  // 65,536 places

inline std::shared_ptr<const Task> SurfaceTask() {
  return std::make_shared<const Task>(Task{DagOf("input X[64, 64, 64, 64]\n"
                                                 "Y[i:64, j:64, k:64, l:64] = X[i, j, k, l] + 1\n"),
                                           Target{}, "surface"});
}

// Each value is the length of a split, minus two.
class SurfaceBuilder : public KnobBuilder {
 public:
  explicit SurfaceBuilder(std::shared_ptr<const Task> task) : task_(std::move(task)) {}

  Result<ScheduleState> At(const KnobPoint& point, InvalidPointPolicy) const override {
    ScheduleState state = ScheduleState::Initial(task_);
    for (int i = 0; i < kSurfaceKnobs; ++i) {
      state = Apply(std::move(state), Split{{task_->dag.outputs().back()}, 2 * i, {point[i] + 2}})
                  .value();
    }
    return state;
  }
  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const override {
    KnobPoint point;
    for (const std::optional<int>& one : fixed) {
      point.push_back(one ? *one : static_cast<int>(rng.Below(kSurfaceValues)));
    }
    return At(point, InvalidPointPolicy::kRefuse);
  }
  std::optional<KnobPoint> Read(const ScheduleState& state) const override {
    KnobPoint point;
    for (int i = 0; i < kSurfaceKnobs; ++i) {
      point.push_back(static_cast<int>(std::get<Split>(state.step(i)).lengths[0]) - 2);
    }
    return point;
  }

 private:
  std::shared_ptr<const Task> task_;
};

class SurfaceSpace : public SearchSpace {
 public:
  explicit SurfaceSpace(const std::shared_ptr<const Task>& task) {
    std::vector<Knob> knobs;
    for (const char* name : {"a", "b", "c", "d"}) knobs.push_back({name, kSurfaceValues});
    knobs_ = std::make_shared<const KnobSpace>(task, std::move(knobs),
                                               std::make_shared<const SurfaceBuilder>(task));
  }

  std::string Name() const override { return "surface"; }
  Result<ScheduleState> Sample(const std::shared_ptr<const Task>&, Rng& rng) const override {
    return knobs_->Complete({}, rng);
  }
  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    KnobPoint point = knobs_->PointOf(state).value();
    point[rng.Below(kSurfaceKnobs)] = static_cast<int>(rng.Below(kSurfaceValues));
    return knobs_->At(point);
  }
  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>&) const override {
    return {{knobs_->At(knobs_->Origin()).value(), {"surface"}, knobs_}};
  }

  const KnobSpace& knobs() const { return *knobs_; }

 private:
  std::shared_ptr<const KnobSpace> knobs_;
};

// A valley along the first two knobs together; its minimum is 1, and 69 places are within 5 %.
inline double ValleySeconds(const KnobPoint& point) {
  constexpr double kEnd[kSurfaceKnobs] = {11, 6, 9, 4};
  double off[kSurfaceKnobs];
  for (int i = 0; i < kSurfaceKnobs; ++i) off[i] = point[i] - kEnd[i];
  return 1 + 0.015 * (off[0] * off[0] + off[1] * off[1] - off[0] * off[1] + off[2] * off[2] +
                      off[3] * off[3]);
}

// The least seconds found in `trials` trials, in batches of 16.
inline double SurfaceSearch(const std::string& agent, uint64_t seed, int trials,
                            std::vector<AgentEntry> others = {}) {
  const std::shared_ptr<const Task> task = SurfaceTask();
  const SurfaceSpace space(task);
  SingleTaskAgent searcher(ParseSpec(agent).value(), space, {task}, Rng(seed), Budget{trials},
                           std::move(others));
  double best = 1e9;
  for (int done = 0; done < trials;) {
    std::vector<Trial> told;
    for (const Proposal& one : searcher.Propose(0, std::min(16, trials - done))) {
      const double seconds = ValleySeconds(space.knobs().PointOf(one.state).value());
      best = std::min(best, seconds);
      told.push_back(TimedTrial(one, seconds));
    }
    if (told.empty()) break;
    done += static_cast<int>(told.size());
    searcher.Learn(told);
  }
  return best;
}

// Number of seeds, of `seeds`, with which 200 trials come within 5 % of the best.
inline int SurfaceSuccesses(const std::string& agent, int seeds,
                            const std::vector<AgentEntry>& others = {}) {
  int successes = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    successes += SurfaceSearch(agent, seed, 200, others) <= 1 / 0.95 ? 1 : 0;
  }
  return successes;
}

}  // namespace schedulegym
