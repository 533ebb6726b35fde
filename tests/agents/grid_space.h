// GridSpace: schedules that are points of a square grid, with searches on given costs.
#pragma once

#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "agents/builtin_agents.h"
#include "env/search/search_space.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {

// Two loops of 64.
inline std::shared_ptr<const Task> GridTask(const std::string& value = "X[i, j] + 1") {
  return std::make_shared<const Task>(
      Task{DagOf("input X[64, 64]\nY[i:64, j:64] = " + value + "\n"), Target{}, "grid"});
}

struct GridPlace {
  int x = 0;
  int y = 0;

  bool operator==(const GridPlace&) const = default;
  bool operator<(const GridPlace& other) const {
    return std::pair(x, y) < std::pair(other.x, other.y);
  }
  friend std::ostream& operator<<(std::ostream& out, const GridPlace& place) {
    return out << "(" << place.x << ", " << place.y << ")";
  }
};

inline int DistanceOf(const GridPlace& a, const GridPlace& b) {
  return std::abs(a.x - b.x) + std::abs(a.y - b.y);
}

// Each coordinate is the length of a split of at least two elements, so that no two states have the
// same loops.
inline ScheduleState GridState(const std::shared_ptr<const Task>& task, const GridPlace& place) {
  const StageRef stage = {task->dag.outputs().back()};
  const ScheduleState state =
      Apply(ScheduleState::Initial(task), Split{stage, 0, {place.x + 2}}).value();
  return Apply(state, Split{stage, 2, {place.y + 2}}).value();
}
inline GridPlace PlaceOf(const ScheduleState& state) {
  return {static_cast<int>(std::get<Split>(state.step(0)).lengths[0]) - 2,
          static_cast<int>(std::get<Split>(state.step(1)).lengths[0]) - 2};
}

// One knob for each coordinate.
class GridBuilder : public KnobBuilder {
 public:
  GridBuilder(std::shared_ptr<const Task> task, int side) : task_(std::move(task)), side_(side) {}

  Result<ScheduleState> At(const KnobPoint& point, InvalidPointPolicy) const override {
    return GridState(task_, {point[0], point[1]});
  }
  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const override {
    KnobPoint point;
    for (const std::optional<int>& one : fixed) {
      point.push_back(one ? *one : static_cast<int>(rng.Below(side_)));
    }
    return At(point, InvalidPointPolicy::kRefuse);
  }
  std::optional<KnobPoint> Read(const ScheduleState& state) const override {
    const GridPlace place = PlaceOf(state);
    return KnobPoint{place.x, place.y};
  }

 private:
  std::shared_ptr<const Task> task_;
  int side_;
};

inline Sketch GridSketch(const std::shared_ptr<const Task>& task, int side) {
  std::vector<Knob> knobs = {{"x", side}, {"y", side}};
  return {GridState(task, {}),
          {"grid"},
          std::make_shared<const KnobSpace>(task, std::move(knobs),
                                            std::make_shared<const GridBuilder>(task, side))};
}

class GridSpace : public SearchSpace {
 public:
  explicit GridSpace(int side, bool knows_limit = false) : side_(side), knows_limit_(knows_limit) {}

  std::string Name() const override { return "grid"; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    ++draws_;
    const int x = static_cast<int>(rng.Below(side_));
    return GridState(task, {x, static_cast<int>(rng.Below(side_))});
  }

  Result<void> Admit(const ScheduleState& state) const override {
    if (!admits || admits(PlaceOf(state))) return {};
    return InvalidSchedule("as the test says");
  }

  // One step along one coordinate; an error beyond the border.
  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    GridPlace place = PlaceOf(state);
    int& moved = rng.Chance(0.5) ? place.x : place.y;
    moved += rng.Chance(0.5) ? 1 : -1;
    if (moved < 0 || moved >= side_) return InvalidSchedule("beyond the border");
    return GridState(state.shared_task(), place);
  }

  std::optional<int64_t> Limit(const std::shared_ptr<const Task>&) const override {
    if (!knows_limit_) return std::nullopt;
    return int64_t{side_} * side_;
  }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    if (!has_sketch) return {};
    return {GridSketch(task, side_)};
  }

  int draws() const { return draws_; }

  bool has_sketch = false;
  std::function<bool(const GridPlace&)> admits;

 private:
  int side_;
  bool knows_limit_;
  mutable int draws_ = 0;
};

// Seconds; nullopt: failure.
using GridCost = std::function<std::optional<double>(const GridPlace&)>;

inline GridCost AwayFrom(const GridPlace& best) {
  return [best](const GridPlace& place) { return 1.0 + DistanceOf(place, best); };
}
inline GridCost AllFail() {
  return [](const GridPlace&) { return std::optional<double>(); };
}

// An agent for GridTask().
inline std::unique_ptr<Agent> GridAgent(const std::string& spec, const SearchSpace& space,
                                        uint64_t seed = 1, std::optional<Budget> budget = {}) {
  return std::make_unique<SingleTaskAgent>(ParseSpec(spec).value(), space, std::vector{GridTask()},
                                           Rng(seed), budget);
}
// The same for two tasks.
inline std::unique_ptr<Agent> TwoGridsAgent(const std::string& spec, const SearchSpace& space) {
  return std::make_unique<SingleTaskAgent>(
      ParseSpec(spec).value(), space, std::vector{GridTask(), GridTask("X[i, j] * 2")}, Rng(1));
}

// Proposes once for a task and reports the results; returns the proposals.
inline std::vector<GridPlace> GridRound(Agent& agent, int task, int count, const GridCost& cost) {
  std::vector<Trial> trials;
  std::vector<GridPlace> places;
  for (const Proposal& one : agent.Propose(task, count)) {
    places.push_back(PlaceOf(one.state));
    trials.push_back(TimedTrial(one, cost(places.back()), task));
  }
  if (!trials.empty()) agent.Learn(trials);
  return places;
}

// Measures `trials` places, or fewer if none are left; returns them in order.
inline std::vector<GridPlace> GridSearch(Agent& agent, int trials, int batch,
                                         const GridCost& cost) {
  std::vector<GridPlace> all;
  while (std::ssize(all) < trials) {
    const int count = std::min(batch, trials - static_cast<int>(all.size()));
    const std::vector<GridPlace> some = GridRound(agent, 0, count, cost);
    if (some.empty()) break;
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace schedulegym
