#include "spaces/ansor/rewrite_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/search/knob_space.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kProduct =
    "input X[6, 8]\nweight W[8, 32]\nC[y:6, o:32] = sum(k:8) X[y, k] * W[k, o]\n";

// y in 3 x 2, o in 4 x 2 x 4, k in 2 x 4: y.0 o.0 | k.0 | y.1 o.1 | k.1 | o.2.
constexpr const char* kTiled =
    "trace 1\n"
    "split(stage=C, loop=0, lengths=[2])\n"
    "split(stage=C, loop=2, lengths=[2, 4])\n"
    "split(stage=C, loop=5, lengths=[4])\n"
    "reorder(stage=C, order=[0, 2, 5, 1, 3, 6, 4])\n";

std::string Rewritten(const std::string& dag, const std::string& trace) {
  return RewriteWeights(ScheduledDag(dag, trace))->TraceText();
}

std::unique_ptr<SearchSpace> Ansor() {
  return MakeAnsorSpace(ParseSpec("ansor(layout=true)").value());
}

TEST(RewriteWeightsTest, StoresTilesInTheOrderOfTheirReading) {
  // Parts of W: k // 4, k % 4, o // 8, o % 8. Outside of the tile o comes before k.
  EXPECT_EQ(Rewritten(kProduct, kTiled),
            std::string(kTiled) + "pack(stage=W, readers=[C], tile=[4, 8], order=[2, 0, 1, 3])\n");
}

TEST(RewriteWeightsTest, LeavesWhatIsReadInOrder) {
  // y.0 k | y.1 o: whole rows of W, one after another.
  const std::string in_order =
      "trace 1\n"
      "split(stage=C, loop=0, lengths=[2])\n"
      "reorder(stage=C, order=[0, 3, 1, 2])\n";
  EXPECT_EQ(Rewritten(kProduct, in_order), in_order);
}

TEST(RewriteWeightsTest, LeavesInputsAndWhatIsNotTiled) {
  EXPECT_EQ(Rewritten(kProduct, "trace 1\n"), "trace 1\n");
  const std::string inputs =
      "input X[6, 8]\ninput W[8, 32]\nC[y:6, o:32] = sum(k:8) X[y, k] * W[k, o]\n";
  EXPECT_EQ(Rewritten(inputs, kTiled), kTiled);
}

TEST(RewriteWeightsTest, LeavesAWeightOfTwoReaders) {
  const std::string twice = std::string(kProduct) + "D[k:8, o:32] = W[k, o] * 2\n";
  EXPECT_EQ(Rewritten(twice, kTiled), kTiled);
}

TEST(RewriteWeightsTest, CutsNothingThatTilesDoNotDivide) {
  // o in 7 x 5 with a tail: W's rows are not split, and are outside of the tile.
  const std::string tail =
      "trace 1\n"
      "split(stage=C, loop=1, lengths=[5])\n"
      "reorder(stage=C, order=[0, 1, 3, 2])\n";
  EXPECT_EQ(Rewritten(kProduct, tail),
            tail + "pack(stage=W, readers=[C], tile=[1, 1], order=[1, 0])\n");
}

TEST(RewriteWeightsTest, CanBeTakenBack) {
  const ScheduleState rewritten = *RewriteWeights(ScheduledDag(kProduct, kTiled));
  const Trace plain = WithoutRewrites(rewritten);
  EXPECT_EQ(Replay(rewritten.shared_task(), plain)->TraceText(), kTiled);
}

// A mutation moves tiles, so that weights need another layout.
TEST(RewriteWeightsTest, MutationsRewriteAnew) {
  const auto task = WorkloadTask("conv2d(h=14,w=14,ci=16,co=32,k=3,p=1)", Avx2Target(2));
  const auto space = Ansor();
  Rng rng(4);
  ScheduleState state = *space->Sample(task, rng);
  int rewritten = 0;
  for (int i = 0; i < 200; ++i) {
    const Result<ScheduleState> next = space->Mutate(state, rng);
    if (!next) continue;
    state = *next;
    const ScheduleState plain = *Replay(task, WithoutRewrites(state));
    EXPECT_THAT(plain.TraceText(), Not(HasSubstr("pack(")));
    EXPECT_EQ(RewriteWeights(plain)->TraceText(), state.TraceText());
    rewritten += plain.trace_size() < state.trace_size();
  }
  EXPECT_GT(rewritten, 20);
}

// Agents that search on knobs find the same schedules.
TEST(RewriteWeightsTest, KnobsEndWithIt) {
  const auto task = WorkloadTask("conv2d(h=14,w=14,ci=16,co=32,k=3,p=1)", Avx2Target(2));
  const std::vector<Sketch> sketches = Ansor()->Sketches(task);
  ASSERT_FALSE(sketches.empty());
  Rng rng(5);
  int rewritten = 0;
  for (const Sketch& sketch : sketches) {
    const KnobSpace knobs = WithWholeTiles(*sketch.knobs);
    for (int i = 0; i < 40; ++i) {
      const Result<ScheduleState> state =
          knobs.At(knobs.PointOf(static_cast<KnobIndex>(rng.Next()) % knobs.size()));
      rewritten += state && std::holds_alternative<Pack>(state->trace().back());
    }
  }
  EXPECT_GT(rewritten, 20);
}

}  // namespace
}  // namespace schedulegym
