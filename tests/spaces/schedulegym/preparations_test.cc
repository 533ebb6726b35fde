#include "spaces/schedulegym/preparations.h"

#include <gtest/gtest.h>

#include "spaces/schedulegym/advice.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

constexpr char kRows[] =
    "input A[40, 64]\nB[i:40, j:64] = A[i, j] * 2\nS[i:40] = sum(j:64) B[i, j]\n";

// Answers alike whatever is asked, and counts how often.
class FixedAdvice : public HeuristicAdvice {
 public:
  FixedAdvice(bool inlines, int64_t lanes) : inlines_(inlines), lanes_(lanes) {}

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

std::string TraceAfter(const Preparations& preparations, bool inlines, int64_t lanes) {
  FixedAdvice advice(inlines, lanes);
  const std::string trace = preparations.Of(advice)->state().TraceText();
  EXPECT_EQ(advice.asked(), preparations.rules().partial_sums ? 2 : 1);
  return trace;
}

TEST(PreparationsTest, FollowsTheAnswers) {
  const Preparations preparations(DagTask(kRows, Avx2Target()), {});
  const std::string inlined = "compute_inline(stage=B)\n";
  const std::string sums =
      "split(stage=S, loop=1, lengths=[8])\nrfactor(stage=S, loop=2, axis=1)\n";
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_EQ(TraceAfter(preparations, false, 1), "trace 1\n");
    EXPECT_EQ(TraceAfter(preparations, true, 1), "trace 1\n" + inlined);
    EXPECT_EQ(TraceAfter(preparations, false, 8), "trace 1\n" + sums);
    EXPECT_EQ(TraceAfter(preparations, true, 8), "trace 1\n" + inlined + sums);
  }
}

TEST(PreparationsTest, RemembersWhatItMade) {
  const Preparations preparations(DagTask(kRows, Avx2Target()), {});
  FixedAdvice advice(true, 8);
  const ScheduleState first = preparations.Of(advice)->state();
  const ScheduleState second = preparations.Of(advice)->state();
  EXPECT_EQ(&first.stage(1), &second.stage(1));
}

TEST(PreparationsTest, KeepsNoSumsWithoutTheRule) {
  const Preparations preparations(DagTask(kRows, Avx2Target()), {.partial_sums = false});
  EXPECT_EQ(TraceAfter(preparations, true, 8), "trace 1\ncompute_inline(stage=B)\n");
}

}  // namespace
}  // namespace schedulegym
