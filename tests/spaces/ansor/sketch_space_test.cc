#include "spaces/ansor/sketch_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "env/schedule/loop_structure.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

std::unique_ptr<SearchSpace> Ansor(const std::string& spec = "ansor") {
  return MakeAnsorSpace(ParseSpec(spec).value());
}

// With weights unchanged, and rewritten.
class AnsorSamplesTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Layouts, AnsorSamplesTest, testing::Values("ansor", "ansor(layout=true)"),
                         [](const auto& info) { return info.index == 0 ? "plain" : "rewritten"; });

TEST_P(AnsorSamplesTest, LowerToProvenPrograms) {
  const auto space = Ansor(GetParam());
  for (const char* workload :
       {"matmul(m=32,n=48,k=64)", "matmul(m=8,n=8,k=512)", "softmax(n=16,m=64)",
        "conv2d(h=14,w=14,ci=8,co=8,k=3,p=1)", "depthwise(h=14,w=14,c=8,k=3,p=1)",
        "conv2d_transpose(h=4,w=4,ci=8,co=8,k=4,s=2,p=1)", "capsule(h=4,w=4,ci=4,co=4,k=3,p=1)",
        "norm(n=64,m=64)", "tbs(l=16,heads=2,size=8)", "layernorm(n=16,m=64)",
        "conv_layer(h=14,w=14,ci=8,co=8,k=3,p=1)", "attention(heads=2,t=16,d=8)"}) {
    const auto task = WorkloadTask(workload, Avx2Target(2));
    Rng rng(3);
    int admitted = 0;
    for (int i = 0; i < 50; ++i) {
      const Result<ScheduleState> state = space->Sample(task, rng);
      // Some draws have no valid completion.
      if (!state || !space->Admit(*state)) continue;
      ++admitted;
      const auto program = Lower(*state);
      ASSERT_TRUE(program.ok()) << program.error().message << "\n" << state->TraceText();
      EXPECT_TRUE(Validate(*program).ok()) << state->TraceText();
    }
    EXPECT_GT(admitted, 25) << workload;
  }
}

TEST(AnsorSpaceTest, WhatIsFarTooLongIsNotAdmitted) {
  const auto task = WorkloadTask("matmul(m=512,n=512,k=512)", Avx2Target(2));
  const ScheduleState unrolled = ReplayText(task,
                                            "trace 1\n"
                                            "split(stage=C, loop=0, lengths=[256])\n"
                                            "split(stage=C, loop=2, lengths=[256])\n"
                                            "unroll(stage=C, loop=1)\n"
                                            "unroll(stage=C, loop=3)\n")
                                     .value();
  const auto admitted = Ansor()->Admit(unrolled);
  ASSERT_FALSE(admitted.ok());
  EXPECT_THAT(admitted.error().message, HasSubstr("expected at most 10000"));
}

TEST(AnsorSpaceTest, SameSeedSameSchedules) {
  const auto task = WorkloadTask("matmul(m=32,n=48,k=64)", Avx2Target(2));
  Rng one(5), two(5);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Ansor()->Sample(task, one)->TraceText(), Ansor()->Sample(task, two)->TraceText());
  }
}

TEST(AnsorSpaceTest, DrawsOfEverySketch) {
  const auto task = WorkloadTask("matmul(m=32,n=48,k=64)", Avx2Target(2));
  const auto space = Ansor();
  EXPECT_EQ(space->Sketches(task).size(), 3u);
  int cached = 0;
  std::set<Key> states;
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const ScheduleState state = *space->Sample(task, rng);
    cached += state.Find("C.local") >= 0;
    states.insert(StateKey(state));
  }
  EXPECT_GT(cached, 40);
  EXPECT_LT(cached, 90);
  EXPECT_GT(states.size(), 95u);
}

TEST(AnsorSpaceTest, RulesAreSwitches) {
  const auto task = WorkloadTask("matmul(m=32,n=48,k=64)", Avx2Target(2));
  EXPECT_EQ(Ansor("ansor(cache_write=false)")->Sketches(task).size(), 1u);
  EXPECT_EQ(Ansor("ansor(cache_write=false)")->Name(), "ansor(cache_write=false)");
}

TEST(AnsorSpaceTest, ARuleThatIsMissedIsNamed) {
  const auto task = WorkloadTask("matmul(m=32,n=48,k=64)", Avx2Target(2));
  Rng rng(1);
  try {
    const auto state = Ansor("ansor(skip=false)")->Sample(task, rng);
    FAIL() << "expected a refusal, found " << state.ok();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("ansor(skip=false)"));
    EXPECT_THAT(error.what(), HasSubstr("expected rule skip"));
  }
}

// As published, the limit is 16, so that rows of 64 are not vectorised; draws and knobs agree.
TEST(AnsorSpaceTest, VectorsMayBeLonger) {
  const auto task = DagTask("input X[64, 64]\nA[i:64, j:64] = exp(X[i, j])\n", Avx2Target(2));
  const auto has_vectors = [&](const std::string& spec) {
    const auto space = Ansor(spec);
    Rng rng(1);
    const bool drawn = space->Sample(task, rng)->TraceText().find("vectorize") != std::string::npos;
    bool decided = false;
    const Sketch sketch = space->Sketches(task).front();
    for (int i = 0; i < sketch.knobs->dimensions(); ++i) {
      decided |= sketch.knobs->knob(i).kind == KnobKind::kVector;
    }
    EXPECT_EQ(drawn, decided) << spec;
    return drawn;
  };
  EXPECT_FALSE(has_vectors("ansor"));
  EXPECT_FALSE(has_vectors("ansor(vector=63)"));
  EXPECT_TRUE(has_vectors("ansor(vector=64)"));
}

TEST(AnsorSpaceTest, BadOptionsAreRefused) {
  EXPECT_THROW(Ansor("ansor(vector=0)"), InputError);
  EXPECT_THROW(Ansor("ansor(warps=0)"), InputError);
  EXPECT_THROW(Ansor("ansor(warps=33)"), InputError);
  EXPECT_THROW(Ansor("ansor(pack=true)"), InputError);
  EXPECT_THROW(Ansor("ansor(tile=3)"), InputError);
  EXPECT_THROW(Ansor("ansor(code=0)"), InputError);
}

}  // namespace
}  // namespace schedulegym
