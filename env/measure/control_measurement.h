// ControlMeasurement: the reference timed against itself now and then, which tells whether the
// measurements since the last time can be trusted.
#pragma once

#include <cstdint>
#include <memory>

#include "env/measure/measurement.h"
#include "env/measure/protocol.h"

namespace schedulegym {

// A session's reference compared with itself: whether the machine was at peace. It judges the
// session's measurements up to its `sequence`, back to the control measurement before it.
struct ControlMeasurement {
  std::shared_ptr<const MeasuringSession> session;  // never null
  int64_t sequence = 0;                             // of the last measurement before it
  RatioInterval ratio;
  bool good = true;  // if not, what it judges is suspect, and never the best

  // Sessions are compared by value.
  friend bool operator==(const ControlMeasurement& a, const ControlMeasurement& b) {
    return *a.session == *b.session && a.sequence == b.sequence && a.ratio == b.ratio &&
           a.good == b.good;
  }
};

// When the next control measurement is due: after control_candidates candidates or control_seconds.
class ControlSchedule {
 public:
  // `now` in seconds of any one clock, as below; the first one counts from here.
  ControlSchedule(const Protocol& protocol, double now) : protocol_(protocol), last_(now) {}

  void OnCandidate() { ++candidates_; }
  // Never without a candidate in between: there would be nothing to judge.
  bool IsDue(double now) const;
  // A control measurement has just been timed.
  void OnControl(double now);

 private:
  Protocol protocol_;
  double last_;
  int64_t candidates_ = 0;
};

// Whether a reference differs so little from itself that the stretch is trusted.
//
// The published rule (bad if the 95 % interval excludes 1, or the median is off by more than the
// tolerance) condemns one undisturbed stretch in twenty, for that is what 95 % means. The tolerant
// one, the default, lets an interval exclude 1 by up to half of the tolerance, far less than what
// would mislead an agent and more than chance does on a machine fit for measuring.
bool IsGoodControl(const RatioInterval& ratio, ControlRule rule, double tolerance);

struct ControlEvaluation {
  // Not: whatever was measured since the last good control measurement is suspect, and is to be
  // measured again.
  bool good = true;
  // The reference itself now takes another time than the session's calibrated one.
  bool recalibrate = false;

  bool operator==(const ControlEvaluation&) const = default;
};

// A machine that as a whole became slower or faster hits both sides of each pair alike: ratios stay
// valid, and nothing is suspect. (Medians of whole sessions lie up to 18 % apart on a shared
// machine.) But absolute seconds are ratios times the reference's calibrated seconds, so these are
// taken anew once they are off by more than control_drift, which lies below 5 % by more than the
// error of a median of 51 samples, so that a change of 5 % is noticed by the next control
// measurement.
ControlEvaluation EvaluateControl(const RatioInterval& ratio, double reference_seconds,
                                  double calibrated_seconds, const Protocol& protocol);

}  // namespace schedulegym
