#include "env/measure/control_measurement.h"

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Within a factor of 1 + tolerance of 1, on either side.
bool IsWithin(double ratio, double tolerance) {
  return ratio <= 1 + tolerance && ratio * (1 + tolerance) >= 1;
}

}  // namespace

bool ControlSchedule::IsDue(double now) const {
  if (protocol_.control_candidates == 0 || candidates_ == 0) return false;
  return candidates_ >= protocol_.control_candidates || now - last_ >= protocol_.control_seconds;
}

void ControlSchedule::OnControl(double now) {
  candidates_ = 0;
  last_ = now;
}

bool IsGoodControl(const RatioInterval& ratio, ControlRule rule, double tolerance) {
  const double excess = rule == ControlRule::kPublished ? 0 : tolerance / 2;
  const bool includes_one = ratio.low <= 1 + excess && ratio.high * (1 + excess) >= 1;
  return includes_one && IsWithin(ratio.median, tolerance);
}

ControlEvaluation EvaluateControl(const RatioInterval& ratio, double reference_seconds,
                                  double calibrated_seconds, const Protocol& protocol) {
  SG_CHECK(reference_seconds > 0 && calibrated_seconds > 0, "a reference takes time");
  return {IsGoodControl(ratio, protocol.control, protocol.control_tolerance),
          !IsWithin(reference_seconds / calibrated_seconds, protocol.control_drift)};
}

}  // namespace schedulegym
