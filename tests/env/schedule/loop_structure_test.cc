#include "env/schedule/loop_structure.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "env/lower/lower.h"
#include "tests/fuzz/computations/random_computation.h"
#include "tests/fuzz/computations/random_schedule.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using Region = std::vector<int64_t>;

// The region of the stage that one execution computes.
Region RegionOf(const ScheduleState& state, std::string_view stage) {
  for (const StructureStage& entry : InferLoops(state).stages) {
    if (entry.stage == state.Find(stage)) return entry.region;
  }
  return {};
}
Region RegionOfP(std::string_view dag, std::string_view steps) {
  return RegionOf(StateAfter(dag, steps), "P");
}

TEST(InferLoopsTest, TellsPlacesAndLoops) {
  const ScheduleState state =
      StateAfter("input A[6, 8]\nP[i:6, k:8] = A[i, k] + 1\nC[i:6] = sum(k:8) P[i, k]\n",
                 "split(stage=C, loop=0, lengths=[2])\nparallel(stage=C, loop=0)\n"
                 "compute_at(stage=P, target=C, loop=1)");
  const LoopStructure structure = InferLoops(state);
  ASSERT_EQ(structure.stages.size(), 2u);  // A has no loops
  const StructureStage& p = structure.stages[0];
  EXPECT_EQ(p.stage, state.Find("P"));
  EXPECT_EQ(p.parent, state.Find("C"));
  EXPECT_EQ(p.parent_loop, 1);
  EXPECT_EQ(p.region, (Region{1, 8}));
  const StructureStage& c = structure.stages[1];
  EXPECT_EQ(c.parent, -1);
  EXPECT_EQ(c.region, (Region{6}));
  ASSERT_EQ(c.loops.size(), 3u);
  EXPECT_EQ(c.loops[0].extent, 3);
  EXPECT_EQ(c.loops[0].annotation, Annotation::kParallel);
  EXPECT_FALSE(c.loops[0].reduction);
  EXPECT_EQ(c.loops[1].extent, 2);
  EXPECT_EQ(c.loops[2].extent, 8);
  EXPECT_TRUE(c.loops[2].reduction);
}

TEST(InferLoopsTest, LeavesOutInlinedStages) {
  const ScheduleState state =
      StateAfter("input A[6]\nP[i:6] = A[i] + 1\nC[i:6] = P[i] * 2\n", "compute_inline(stage=P)");
  ASSERT_EQ(InferLoops(state).stages.size(), 1u);
  EXPECT_EQ(InferLoops(state).stages[0].stage, state.Find("C"));
}

// Windows over parts: (part - 1) * stride + (window - 1) * distance + 1, checked by enumeration.
TEST(InferLoopsTest, CountsWindows) {
  Rng rng(21);
  for (int trial = 0; trial < 100; ++trial) {
    const int64_t stride = 1 + rng.Below(3), distance = 1 + rng.Below(2), window = 1 + rng.Below(4);
    const int64_t part = 1 + rng.Below(4), extent = part * (1 + rng.Below(4));
    const int64_t width = (extent - 1) * stride + (window - 1) * distance + 1;
    std::set<int64_t> touched;
    for (int64_t i = 0; i < part; ++i) {
      for (int64_t r = 0; r < window; ++r) touched.insert(i * stride + r * distance);
    }
    const auto text = [](int64_t value) { return std::to_string(value); };
    const std::string dag = "input A[" + text(width) + "]\nP[x:" + text(width) +
                            "] = A[x] + 1\nC[i:" + text(extent) + "] = sum(r:" + text(window) +
                            ") P[i * " + text(stride) + " + r * " + text(distance) + "]\n";
    const std::string steps = "split(stage=C, loop=0, lengths=[" + text(part) +
                              "])\ncompute_at(stage=P, target=C, loop=0)";
    EXPECT_EQ(RegionOfP(dag, steps), (Region{*touched.rbegin() + 1})) << dag << steps;
  }
}

// Rows of 6: parts of 3 or 6 lie in one row, 12 are two rows, and 4 may lie in two.
TEST(InferLoopsTest, CountsQuotientsAndRemainders) {
  constexpr char kFlat[] = "input A[4, 6]\nP[i:4, j:6] = A[i, j] + 1\nC[f:24] = P[f // 6, f % 6]\n";
  const auto region = [&](const std::string& part) {
    return RegionOfP(kFlat, "split(stage=C, loop=0, lengths=[" + part +
                                "])\ncompute_at(stage=P, target=C, loop=0)");
  };
  EXPECT_EQ(region("1"), (Region{1, 1}));
  EXPECT_EQ(region("3"), (Region{1, 3}));
  EXPECT_EQ(region("6"), (Region{1, 6}));
  EXPECT_EQ(region("12"), (Region{2, 6}));
  EXPECT_EQ(region("4"), (Region{2, 6}));  // 4..7: the end of one row and the begin of the next
}

// Two values from any i on: they may lie on both sides of a multiple of 4.
TEST(InferLoopsTest, KnowsThatSeriesBeginAnywhere) {
  const auto region = [](const std::string& index) {
    return RegionOfP("input A[9]\nP[i:9] = A[i] + 1\nC[i:8, j:2] = P[" + index + "]\n",
                     "compute_at(stage=P, target=C, loop=0)");
  };
  EXPECT_EQ(region("(i + j) // 4"), (Region{2}));
  EXPECT_EQ(region("(i + j) % 4"), (Region{4}));
  EXPECT_EQ(region("(2 * i + j) // 4"), (Region{1}));
  EXPECT_EQ(region("(2 * i + j) % 4"), (Region{2}));
  EXPECT_EQ(region("(2 * i - j + 2) % 4"), (Region{4}));
  EXPECT_EQ(region("(2 * i + j * (-1) + 2) % 4"), (Region{4}));
}

// A remainder of a value that is always less than the divisor is the value itself.
TEST(InferLoopsTest, IgnoresRemaindersOfLess) {
  EXPECT_EQ(RegionOfP("input A[9]\nP[i:9] = A[i] + 1\nC[i:6] = P[i % 7]\n",
                      "split(stage=C, loop=0, lengths=[2])\ncompute_at(stage=P, target=C, loop=0)"),
            (Region{2}));
}

// At one i, i // 2 and i // 2 + 2 span at most three values; i // 2 and i // 3 span any number.
TEST(InferLoopsTest, CoversAllReads) {
  const auto region = [](const std::string& body) {
    return RegionOfP("input A[8]\nP[i:8] = A[i] + 1\nC[i:10] = " + body + "\n",
                     "compute_at(stage=P, target=C, loop=0)");
  };
  EXPECT_EQ(region("P[i // 2] * P[i // 2]"), (Region{1}));
  EXPECT_EQ(region("P[i // 2] + P[i // 2 + 2]"), (Region{3}));
  EXPECT_EQ(region("P[i // 2 + 3] + P[i // 2]"), (Region{4}));
  EXPECT_EQ(region("P[(i + 2) // 2] + P[(i + 2) // 2 - 1] + P[(i + 2) // 2 + 1]"), (Region{3}));
  EXPECT_EQ(region("P[i // 2] + P[i // 3]"), (Region{8}));
  EXPECT_EQ(region("P[i // 2] + P[3]"), (Region{8}));
  EXPECT_EQ(region("P[3] + P[i // 2]"), (Region{8}));
  EXPECT_EQ(region("P[7] + P[3]"), (Region{5}));
}

// Buffers after lowering are never larger than the printed loops.
TEST(InferLoopsTest, CoversWhatLoweringComputes) {
  Rng rng(22);
  int compared = 0, equal = 0;
  for (int trial = 0; trial < 1200; ++trial) {
    const ScheduleState state = RandomSchedule(TaskOf(RandomComputation(rng)), rng);
    const auto program = Lower(state);
    if (!program) continue;
    std::map<std::string, Region> regions;
    for (const StructureStage& entry : InferLoops(state).stages) {
      const StageOp& op = *state.stage(entry.stage).op;
      if (entry.parent >= 0 && op.layout.empty()) regions[op.name] = entry.region;
    }
    for (const Buffer& buffer : program->buffers) {
      const auto region = regions.find(buffer.name);
      if (region == regions.end()) continue;
      ++compared;
      equal += buffer.shape == region->second;
      for (size_t d = 0; d < buffer.shape.size(); ++d) {
        EXPECT_LE(buffer.shape[d], region->second[d])
            << buffer.name << "\n"
            << state.task().dag.ToText() << state.TraceText();
      }
    }
  }
  EXPECT_GT(compared, 200);
  EXPECT_GT(equal, compared * 3 / 4);
}

// All properties of a nest without its text: places, loops, memory, and the elements at some points
// of each nest.
std::string FingerprintOf(const ScheduleState& state) {
  std::string print;
  const auto add = [&](int64_t value) { print += std::to_string(value) + ","; };
  for (const StagePtr& stage : state.stages()) {
    print += stage->op->name + (stage->location == Location::kInlined ? "!" : ":");
  }
  for (const StructureStage& entry : InferLoops(state).stages) {
    const Stage& stage = state.stage(entry.stage);
    print += "|" + stage.op->name + "@";
    add(entry.parent);
    add(entry.parent_loop);
    add(static_cast<int64_t>(stage.op->scope));
    add(stage.auto_unroll_max_step);
    for (int64_t tile : stage.op->layout.tile) add(tile);
    for (int dimension : stage.op->layout.order) add(dimension);
    for (const StorageAlignment& alignment : stage.alignments) {
      add(alignment.axis);
      add(alignment.factor);
      add(alignment.offset);
    }
    print += "r";
    Region extents = entry.region;
    for (size_t i = stage.op->spatial; i < stage.op->axes.size(); ++i) {
      extents.push_back(stage.effective->axes[i].extent);
    }
    for (int64_t extent : extents) add(extent);
    print += "l";
    for (const StructureLoop& loop : entry.loops) {
      add(loop.extent);
      add(static_cast<int64_t>(loop.annotation));
      add(loop.reduction);
    }
    print += "v";
    const Region nodes = NodeExtents(stage, extents);
    for (size_t one = 0; one <= entry.loops.size(); ++one) {
      std::vector<Expr> values(stage.nodes.size());
      for (size_t i = 0; i < entry.loops.size(); ++i) {
        const int64_t last = entry.loops[i].extent - 1;
        const bool is_last = i == one || one == entry.loops.size();
        values[entry.loops[i].node] = IndexConstant(is_last ? last : last / 2);
      }
      ResolveNodeValues(stage, nodes, values);
      for (size_t axis = 0; axis < extents.size(); ++axis) add(values[axis]->integer);
    }
    add(static_cast<int64_t>(HashOf(stage.effective->body)));
  }
  return print;
}

constexpr char kMatmul[] =
    "input A[12, 10]\nweight B[10, 16]\ninput bias[16]\n"
    "P[i:12, k:10] = A[i, k] + 1\n"
    "C[i:12, j:16] = sum(k:10) P[i, k] * B[k, j]\n"
    "D[i:12, j:16] = max(C[i, j] + bias[j], 0)\n";

// Checks thousands of nests: two different ones have two keys.
TEST(StateKeyTest, NeverCollides) {
  Rng rng(23);
  const auto task = TaskOf(kMatmul);
  std::map<Key, std::string> seen;
  for (int trial = 0; trial < 4000; ++trial) {
    const ScheduleState state = RandomSchedule(task, rng);
    const std::string print = FingerprintOf(state);
    const auto [place, fresh] = seen.emplace(StateKey(state), print);
    ASSERT_EQ(place->second, print) << state.TraceText();
  }
  EXPECT_GT(seen.size(), 3000u);
}

// Two steps on two stages, in either order, lead to one state.
TEST(StateKeyTest, ForgetsWhichStageCameFirst) {
  Rng rng(24);
  const auto task = TaskOf(kMatmul);
  int compared = 0;
  const auto stage_of = [](const Primitive& primitive) {
    return std::visit([](const auto& p) { return p.stage.id; }, primitive);
  };
  // Steps that change one stage's loops and read no other's; following ones name trace positions.
  const std::set<std::string_view> own = {"split",  "fuse",   "reorder",      "vectorize",
                                          "unroll", "pragma", "storage_align"};
  for (int trial = 0; trial < 600; ++trial) {
    const ScheduleState state = RandomSchedule(task, rng, {.most_steps = 6});
    std::vector<Primitive> steps;
    for (size_t kind = 0; kind < kPrimitiveKinds; ++kind) {
      const auto step = ProposePrimitive(state, kind, rng);
      if (!step || !own.count(NameOf(*step)) || !Check(state, *step)) continue;
      steps.push_back(*step);
    }
    for (const Primitive& one : steps) {
      for (const Primitive& two : steps) {
        if (stage_of(one) == stage_of(two)) continue;
        const ScheduleState first = Apply(Apply(state, one).value(), two).value();
        const ScheduleState second = Apply(Apply(state, two).value(), one).value();
        EXPECT_EQ(StateKey(first), StateKey(second)) << first.TraceText();
        EXPECT_NE(StateKey(first), Key()) << first.TraceText();
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

// On one stage: steps that annotations and splits keep apart may change places.
TEST(StateKeyTest, ForgetsTheOrderOnOneStage) {
  constexpr char kDag[] = "input A[8, 12]\nC[i:8, j:12] = A[i, j] + 1\n";
  const std::vector<std::pair<const char*, const char*>> pairs = {
      {"parallel(stage=C, loop=0)\nvectorize(stage=C, loop=1)",
       "vectorize(stage=C, loop=1)\nparallel(stage=C, loop=0)"},
      {"split(stage=C, loop=0, lengths=[2])\nunroll(stage=C, loop=2)",
       "unroll(stage=C, loop=1)\nsplit(stage=C, loop=0, lengths=[2])"},
      {"reorder(stage=C, order=[1, 0])\nsplit(stage=C, loop=0, lengths=[4])",
       "split(stage=C, loop=1, lengths=[4])\nreorder(stage=C, order=[1, 2, 0])"},
      {"split(stage=C, loop=1, lengths=[2, 3])",
       "split(stage=C, loop=1, lengths=[3])\nsplit(stage=C, loop=1, lengths=[2])"},
      {"parallel(stage=C, loop=1)\nreorder(stage=C, order=[1, 0])",
       "reorder(stage=C, order=[1, 0])\nparallel(stage=C, loop=0)"},
  };
  for (const auto& [one, two] : pairs) {
    EXPECT_EQ(StateKey(StateAfter(kDag, one)), StateKey(StateAfter(kDag, two))) << one;
  }
  EXPECT_NE(StateKey(StateAfter(kDag, pairs[0].first)), StateKey(StateAfter(kDag, pairs[1].first)));
}

}  // namespace
}  // namespace schedulegym
