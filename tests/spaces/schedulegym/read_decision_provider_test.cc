#include "spaces/schedulegym/read_decision_provider.h"

#include <gtest/gtest.h>

#include <set>

#include "env/program/workloads/suite.h"
#include "env/schedule/loop_structure.h"
#include "spaces/schedulegym/build.h"
#include "tests/spaces/awkward_dags.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

const char* const kWorkloads[] = {
    "matmul(m=512,n=512,k=512)",
    "conv2d(h=14,w=14,ci=256,co=256,k=3,p=1)",
    "depthwise(h=112,w=112,c=32,k=3,p=1)",
    "conv2d_transpose(h=8,w=8,ci=256,co=128,k=4,s=2,p=1)",
    "conv2d_transpose(h=32,w=32,ci=64,co=3,k=4,s=2,p=1)",
    "conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)",
    "tbs(l=128,heads=12,size=64)",
    "softmax(n=256,m=256)",
    "norm(n=1024,m=1024)",
};

std::vector<std::shared_ptr<const Task>> Tasks() {
  std::vector<std::shared_ptr<const Task>> tasks;
  for (const char* workload : kWorkloads) tasks.push_back(WorkloadTask(workload, Avx512Target()));
  for (const char* dag : kAwkwardDags) tasks.push_back(DagTask(dag, Avx2Target()));
  return tasks;
}

// Draws schedules of one task, and reads their decisions.
struct Maker {
  std::shared_ptr<const Task> task;
  RandomTileOptions options;
  BestTiles best;
  Rng rng{3};

  Result<ScheduleState> Draw() {
    RandomDecisionProvider decisions(options, best, rng);
    return BuildSchedule(task, decisions, LoopDetail::kAll);
  }
  Result<ScheduleState> Again(const ScheduleState& state, std::optional<OpenDecision> anew) {
    ReadDecisionProvider decisions(state, anew, options, best, rng);
    return BuildSchedule(task, decisions, LoopDetail::kAll);
  }
};

// The loops show every decision: reading and repeating them gives the same trace.
TEST(ReadDecisionProviderTest, MakesTheSameScheduleAgain) {
  for (const auto& task : Tasks()) {
    Maker maker{task};
    int drawn = 0;
    for (int i = 0; i < 60; ++i) {
      const Result<ScheduleState> state = maker.Draw();
      if (!state) continue;
      ++drawn;
      const Result<ScheduleState> again = maker.Again(*state, std::nullopt);
      ASSERT_TRUE(again.ok()) << again.error().message << "\n" << state->TraceText();
      EXPECT_EQ(again->TraceText(), state->TraceText()) << task->dag.ToText();
    }
    EXPECT_GE(drawn, 20) << task->dag.ToText();
  }
}

// Most new decisions lead to another schedule; few to none.
TEST(ReadDecisionProviderTest, ChangesOneDecision) {
  for (const char* workload : kWorkloads) {
    Maker maker{WorkloadTask(workload, Avx512Target())};
    int changed = 0, failed = 0, drawn = 0;
    while (drawn < 100) {
      const Result<ScheduleState> state = maker.Draw();
      if (!state) continue;
      ++drawn;
      const std::optional<OpenDecision> anew = DrawDecision(*state, maker.rng);
      ASSERT_TRUE(anew.has_value());
      const Result<ScheduleState> other = maker.Again(*state, anew);
      if (!other) ++failed;
      if (other && StateKey(*other) != StateKey(*state)) ++changed;
    }
    EXPECT_GE(changed, 60) << workload;
    EXPECT_LE(failed, 10) << workload;
  }
}

// A new tile keeps the decisions about other stages.
TEST(ReadDecisionProviderTest, LeavesTheOtherStages) {
  Maker maker{WorkloadTask("conv2d(h=14,w=14,ci=256,co=256,k=3,p=1)", Avx512Target())};
  const ScheduleState state = maker.Draw().value();
  const int padding = state.Find("P"), result = state.Find("Y");
  for (int i = 0; i < 20; ++i) {
    const Result<ScheduleState> other =
        maker.Again(state, OpenDecision{OpenDecision::Kind::kTile, result});
    ASSERT_TRUE(other.ok());
    EXPECT_EQ(other->stage(padding).location, state.stage(padding).location);
  }
  const Result<ScheduleState> flipped =
      maker.Again(state, OpenDecision{OpenDecision::Kind::kInline, padding});
  ASSERT_TRUE(flipped.ok());
  EXPECT_NE(flipped->stage(padding).location, state.stage(padding).location);
}

// Decisions of a schedule from elsewhere are read as far as possible.
TEST(ReadDecisionProviderTest, TakesSchedulesOfOthers) {
  Maker maker{WorkloadTask("matmul(m=512,n=512,k=512)", Avx512Target())};
  const ScheduleState plain = ScheduleState::Initial(maker.task);
  EXPECT_TRUE(maker.Again(plain, std::nullopt).ok());
  const ScheduleState split =
      ReplayText(maker.task, "trace 1\nsplit(stage=C, loop=0, lengths=[4, 4, 4, 2])\n").value();
  EXPECT_TRUE(maker.Again(split, std::nullopt).ok());
}

TEST(ReadDecisionProviderTest, DrawsEveryKindOfDecision) {
  std::set<OpenDecision::Kind> kinds;
  for (const char* workload : kWorkloads) {
    Maker maker{WorkloadTask(workload, Avx512Target())};
    for (int i = 0; i < 40; ++i) {
      const Result<ScheduleState> state = maker.Draw();
      if (!state) continue;
      const std::optional<OpenDecision> drawn = DrawDecision(*state, maker.rng);
      if (drawn) kinds.insert(drawn->kind);
    }
  }
  EXPECT_EQ(kinds.size(), 6u);
}

}  // namespace
}  // namespace schedulegym
