#include "spaces/schedulegym/draw_schedule.h"

#include <optional>

#include "env/lower/code_limit.h"

namespace schedulegym {
namespace {

constexpr int kTries = 16;
// The quick estimate is off by a factor of ten or so either way.
constexpr double kQuickSlack = 16;

}  // namespace

Result<ScheduleState> DrawSchedule(const Preparations& preparations, double most_code, Rng& rng,
                                   const std::function<std::unique_ptr<Advice>(Rng&)>& make) {
  std::optional<Error> reason;
  for (int i = 0; i < kTries; ++i) {
    Rng stream = rng.Split();
    const std::unique_ptr<Advice> advice = make(stream);
    Result<ScheduleState> state = BuildSchedule(preparations, *advice, LoopDetail::kAll);
    if (!state) {
      reason = state.error();
      continue;
    }
    const double code = QuickCodeSize(*state);
    if (code <= kQuickSlack * most_code || i >= kTries / 2) return state;
  }
  return reason ? *reason : InvalidSchedule("found no schedule");
}

}  // namespace schedulegym
