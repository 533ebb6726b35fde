#include "spaces/schedulegym/sketch_cache.h"

#include <gtest/gtest.h>

#include "spaces/schedulegym/decision_provider.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

constexpr char kRows[] =
    "input A[40, 64]\nB[i:40, j:64] = A[i, j] * 2\nS[i:40] = sum(j:64) B[i, j]\n";

// Makes the same decisions for all arguments, and counts the calls.
class FixedDecisionProvider : public HeuristicDecisionProvider {
 public:
  FixedDecisionProvider(bool inlines, int64_t lanes) : inlines_(inlines), lanes_(lanes) {}

  bool Inline(const ScheduleState&, int) override {
    ++asked_;
    return inlines_;
  }
  int64_t Lanes(const ScheduleState&, int, int64_t) override {
    ++asked_;
    return lanes_;
  }
  int asked() const { return asked_; }

 private:
  bool inlines_;
  int64_t lanes_;
  int asked_ = 0;
};

std::string TraceAfter(const SketchCache& sketch_cache, bool inlines, int64_t lanes) {
  FixedDecisionProvider decisions(inlines, lanes);
  const std::string trace = sketch_cache.Of(decisions)->state().TraceText();
  EXPECT_EQ(decisions.asked(), sketch_cache.rules().partial_sums ? 2 : 1);
  return trace;
}

TEST(SketchCacheTest, FollowsTheAnswers) {
  const SketchCache sketch_cache(DagTask(kRows, Avx2Target()), {});
  const std::string inlined = "compute_inline(stage=B)\n";
  const std::string sums =
      "split(stage=S, loop=1, lengths=[8])\nrfactor(stage=S, loop=2, axis=1)\n";
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_EQ(TraceAfter(sketch_cache, false, 1), "trace 1\n");
    EXPECT_EQ(TraceAfter(sketch_cache, true, 1), "trace 1\n" + inlined);
    EXPECT_EQ(TraceAfter(sketch_cache, false, 8), "trace 1\n" + sums);
    EXPECT_EQ(TraceAfter(sketch_cache, true, 8), "trace 1\n" + inlined + sums);
  }
}

TEST(SketchCacheTest, RemembersWhatItMade) {
  const SketchCache sketch_cache(DagTask(kRows, Avx2Target()), {});
  FixedDecisionProvider decisions(true, 8);
  const ScheduleState first = sketch_cache.Of(decisions)->state();
  const ScheduleState second = sketch_cache.Of(decisions)->state();
  EXPECT_EQ(&first.stage(1), &second.stage(1));
}

TEST(SketchCacheTest, KeepsNoSumsWithoutTheRule) {
  const SketchCache sketch_cache(DagTask(kRows, Avx2Target()), {.partial_sums = false});
  EXPECT_EQ(TraceAfter(sketch_cache, true, 8), "trace 1\ncompute_inline(stage=B)\n");
}

}  // namespace
}  // namespace schedulegym
