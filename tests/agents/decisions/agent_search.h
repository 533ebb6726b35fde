// Contracts of every agent that searches decisions.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/builtin_agents.h"
#include "env/features/analytical_cost.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/agents/timed_record.h"
#include "tests/support/input_fault.h"

namespace schedulegym {

using MadeUpSeconds = std::function<std::optional<double>(const ScheduleState&)>;

inline std::optional<double> EstimatedSeconds(const ScheduleState& state) {
  return EstimateCost(state).Seconds();
}

// An agent to be made for a task.
struct SearchOf {
  std::string spec;
  const SearchSpace& space;
  uint64_t seed = 1;
};

// Proposes 16 at once and reports their results, until there are no more or `most` are proposed.
inline std::vector<Proposal> SearchBy(const SearchOf& search,
                                      const std::shared_ptr<const Task>& task, int most,
                                      const MadeUpSeconds& seconds) {
  SingleTaskAgent agent(ParseSpec(search.spec).value(), search.space, {task}, Rng(search.seed));
  std::vector<Proposal> all;
  while (std::ssize(all) < most) {
    const auto proposals = agent.Propose(0, 16);
    EXPECT_LE(proposals.size(), 16u);
    if (proposals.empty()) break;
    std::vector<Trial> trials;
    for (const Proposal& one : proposals) {
      trials.push_back(TimedTrial(one, seconds(one.state)));
      all.push_back(one);
    }
    agent.Learn(trials);
  }
  return all;
}

inline std::vector<Key> KeysOf(const std::vector<Proposal>& proposals) {
  std::vector<Key> keys;
  for (const Proposal& one : proposals) keys.push_back(one.key);
  return keys;
}

inline void ExpectEachOnce(const std::string& spec) {
  const TwoSketchSpace space;
  const auto all = SearchBy({spec, space}, TwoSketchSpace::SmallTask(), 100, TwoSketchSeconds);
  EXPECT_GE(all.size(), 100u) << spec;
  const std::vector<Key> keys = KeysOf(all);
  EXPECT_EQ(std::set<Key>(keys.begin(), keys.end()).size(), keys.size()) << spec;
}

inline void ExpectRepeats(const std::string& spec) {
  const TwoSketchSpace space;
  const auto keys = [&](uint64_t seed) {
    return KeysOf(SearchBy({spec, space, seed}, TwoSketchSpace::SmallTask(), 80, TwoSketchSeconds));
  };
  EXPECT_EQ(keys(3), keys(3)) << spec;
  EXPECT_NE(keys(3), keys(4)) << spec;
}

inline void ExpectSurvivesFailures(const std::string& spec) {
  const TwoSketchSpace space;
  const auto all = SearchBy({spec, space}, TwoSketchSpace::SmallTask(), 60,
                            [](const ScheduleState&) { return std::nullopt; });
  EXPECT_GE(all.size(), 60u) << spec;
}

// In a space that rejects all but 24 schedules.
inline void ExpectEnds(const std::string& spec) {
  const TwoSketchSpace space([](const ScheduleState& state) {
    return state.TraceText().find("split(stage=A") != std::string::npos;
  });
  const auto all = SearchBy({spec, space}, TwoSketchSpace::SmallTask(), 1000, TwoSketchSeconds);
  EXPECT_LE(all.size(), 24u) << spec;
  EXPECT_GE(all.size(), 8u) << spec;
}

// A space with one schedule.
class OneSchedule : public TwoSketchSpace {
 public:
  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng&) const override {
    return ScheduleState::Initial(task);
  }
  Result<ScheduleState> Mutate(const ScheduleState&, Rng&) const override {
    return InvalidSchedule("found no decision that could be another");
  }
  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    auto knobs = std::make_shared<const KnobSpace>(task, std::vector<TraceSegment>());
    return {{ScheduleState::Initial(task), {}, std::move(knobs)}};
  }
};

inline void ExpectOneOfOne(const std::string& spec) {
  const OneSchedule space;
  const auto all = SearchBy({spec, space}, TwoSketchSpace::SmallTask(), 10, TwoSketchSeconds);
  EXPECT_EQ(all.size(), 1u) << spec;
}

inline void ExpectAllThatHolds(const std::string& spec) {
  ExpectEachOnce(spec);
  ExpectRepeats(spec);
  ExpectSurvivesFailures(spec);
  ExpectEnds(spec);
  ExpectOneOfOne(spec);
}

// The error with which a spec is rejected.
inline std::string RefusalOf(const std::string& spec) {
  const TwoSketchSpace space;
  return InputFaultOf([&] {
    SingleTaskAgent(ParseSpec(spec).value(), space, {TwoSketchSpace::SmallTask()}, Rng(1));
  });
}

}  // namespace schedulegym
