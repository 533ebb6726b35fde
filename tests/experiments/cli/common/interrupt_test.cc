#include "experiments/cli/common/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace schedulegym {
namespace {

TEST(InterruptTest, WithoutAListenerTheProgramEnds) {
  EXPECT_EXIT(
      {
        InstallSignalHandlers();
        raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
  EXPECT_EXIT(
      {
        InstallSignalHandlers();
        raise(SIGTERM);
      },
      testing::ExitedWithCode(143), "");
}

TEST(InterruptTest, AListenerIsToldWhichSignalCame) {
  InstallSignalHandlers();
  const InterruptScope scope;
  scope.Promise(kThinkingSeconds);
  EXPECT_FALSE(*scope.flag());
  EXPECT_EQ(scope.exit_code(), std::nullopt);
  raise(SIGTERM);
  EXPECT_TRUE(*scope.flag());
  EXPECT_EQ(scope.exit_code(), 143);
}

TEST(InterruptTest, TheSecondSignalEndsTheProgram) {
  EXPECT_EXIT(
      {
        InstallSignalHandlers();
        const InterruptScope scope;
        scope.Promise(kThinkingSeconds);
        raise(SIGINT);
        raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
}

// As in a command that is still parsing its input.
TEST(InterruptTest, WhereNobodyPromisedToLookTheProgramEnds) {
  EXPECT_EXIT(
      {
        InstallSignalHandlers();
        const InterruptScope scope;
        raise(SIGTERM);
      },
      testing::ExitedWithCode(143), "");
}

TEST(InterruptTest, APromiseThatIsNotKeptEndsTheProgram) {
  EXPECT_EXIT(
      {
        InstallSignalHandlers();
        const InterruptScope scope;
        scope.Promise(1);
        raise(SIGTERM);
        while (true) pause();
      },
      testing::ExitedWithCode(143), "");
}

TEST(InterruptTest, EachPromiseTakesThePlaceOfTheLast) {
  InstallSignalHandlers();
  {
    const InterruptScope scope;
    scope.Promise(1);
    raise(SIGINT);
    scope.Promise(100);
    EXPECT_GT(alarm(100), 90u);
  }
  EXPECT_EQ(alarm(0), 0u) << "the end of the scope takes it back";
  const InterruptScope scope;
  scope.Promise(100);
  EXPECT_EQ(alarm(0), 0u) << "without a signal there is nothing to wait for";
}

TEST(InterruptTest, ANewListenerBeginsAfresh) {
  InstallSignalHandlers();
  {
    const InterruptScope scope;
    scope.Promise(kThinkingSeconds);
    raise(SIGINT);
  }
  const InterruptScope scope;
  EXPECT_FALSE(*scope.flag());
}

}  // namespace
}  // namespace schedulegym
