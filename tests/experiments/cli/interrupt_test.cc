#include "experiments/cli/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>

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
  InterruptScope scope;
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
        InterruptScope scope;
        raise(SIGINT);
        raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
}

TEST(InterruptTest, ANewListenerBeginsAfresh) {
  InstallSignalHandlers();
  {
    InterruptScope scope;
    raise(SIGINT);
  }
  InterruptScope scope;
  EXPECT_FALSE(*scope.flag());
}

}  // namespace
}  // namespace schedulegym
