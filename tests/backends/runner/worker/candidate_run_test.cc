#include "backends/runner/worker/candidate_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

TEST(CandidateRunTest, WithoutAServerNothingIsSaidOfTheCandidate) {
  ZygoteLink zygote("/bin/false");
  EXPECT_FALSE(zygote.channel().Receive().has_value());
  EXPECT_TRUE(zygote.is_gone());
  const SteadyClock clock;
  const TensorNames names;
  CandidateRun run(zygote, {}, 1, names, clock);
  const std::optional<Failure> failure = run.AwaitReady(1);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->outcome, Outcome::kInfra);
  EXPECT_THAT(failure->message, HasSubstr("the server of candidates ended: exit 1"));
}

TEST(ZygoteLinkTest, AServerThatIsToldNonsenseEnds) {
  for (const Frame& nonsense : {Frame{77, 1, ""}, Frame{1, 1, "no setup"}, Frame{2, 1, ""}}) {
    ZygoteLink zygote(SG_WORKER);
    EXPECT_TRUE(zygote.channel().Send(nonsense));
    EXPECT_FALSE(zygote.channel().Receive().has_value());
    EXPECT_THAT(zygote.ExitReason(), HasSubstr("exit 0"));
  }
}

TEST(ZygoteLinkTest, ASetupOfMoreFilesThanCameIsNoSetup) {
  ZygoteLink zygote(SG_WORKER);
  TaskSetup setup;
  setup.target = "llvm(cores=1)";
  setup.placements = {0, 0, 0};
  EXPECT_TRUE(zygote.SetUp(setup, {}));
  EXPECT_FALSE(zygote.channel().Receive().has_value());
}

}  // namespace
}  // namespace schedulegym
