#include "env/measure/sentinel.h"

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Within a factor of 1 + tolerance of 1, on either side.
bool IsWithin(double ratio, double tolerance) {
  return ratio <= 1 + tolerance && ratio * (1 + tolerance) >= 1;
}

}  // namespace

bool SentinelSchedule::IsDue(double now) const {
  if (protocol_.sentinel_candidates == 0 || candidates_ == 0) return false;
  return candidates_ >= protocol_.sentinel_candidates || now - last_ >= protocol_.sentinel_seconds;
}

void SentinelSchedule::OnSentinel(double now) {
  candidates_ = 0;
  last_ = now;
}

bool IsGoodSentinel(const RatioInterval& ratio, SentinelRule rule, double tolerance) {
  const double excess = rule == SentinelRule::kPublished ? 0 : tolerance / 2;
  const bool includes_one = ratio.low <= 1 + excess && ratio.high * (1 + excess) >= 1;
  return includes_one && IsWithin(ratio.median, tolerance);
}

SentinelJudgement JudgeSentinel(const RatioInterval& ratio, double reference_seconds,
                                double calibrated_seconds, const Protocol& protocol) {
  SG_CHECK(reference_seconds > 0 && calibrated_seconds > 0, "a reference takes time");
  return {IsGoodSentinel(ratio, protocol.sentinel, protocol.sentinel_tolerance),
          !IsWithin(reference_seconds / calibrated_seconds, protocol.sentinel_drift)};
}

}  // namespace schedulegym
