#include <gtest/gtest.h>

#include <cstdlib>

#include "backends/runner/worker/measuring_lock.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/hostile/checker_place.h"

namespace schedulegym {
namespace {

// A reference check tests the lock by taking it for a moment. If it were stopped in that moment, it
// would hold the lock for ever and block the checker.
TEST(TimingNoticeTest, ReferencesStandStillExactlyWhileTheCheckerHoldsTheLock) {
  const TemporaryFolder folder;
  setenv("SCHEDULEGYM_LOCK", folder.Path("lock").c_str(), 1);
  CheckerPlace place(2, PatientLimits());
  MeasuringLock lock(MeasuringLockPath());
  int notices = 0, ahead = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    place.MeasureParallel(CandidateObject("good_threads"), [&](const TimingNotice& notice) {
      ++notices;
      EXPECT_EQ(lock.IsHeldByOther(), notice.references);
      // Compilers are also stopped for the verification.
      if (notice.compilers && !notice.references) ++ahead;
    });
  }
  EXPECT_GE(notices, 3 * 4);
  EXPECT_GE(ahead, 3);
  unsetenv("SCHEDULEGYM_LOCK");
}

}  // namespace
}  // namespace schedulegym
