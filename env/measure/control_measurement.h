// ControlMeasurement: the reference timed against itself at intervals, to check whether the
// measurements since the last control can be trusted.
#pragma once

#include <cstdint>
#include <memory>

#include "env/measure/measurement.h"
#include "env/measure/protocol.h"

namespace schedulegym {

// A session's reference compared with itself, to detect disturbances of the machine. Applies to the
// session's measurements up to `sequence` and after the previous control measurement.
struct ControlMeasurement {
  std::shared_ptr<const MeasuringSession> session;  // never null
  int64_t sequence = 0;                             // of the last measurement before it
  RatioInterval ratio;
  bool good = true;  // false: the measurements it covers are suspect, and never the best

  // Sessions are compared by value.
  friend bool operator==(const ControlMeasurement& a, const ControlMeasurement& b) {
    return *a.session == *b.session && a.sequence == b.sequence && a.ratio == b.ratio &&
           a.good == b.good;
  }
};

// When the next control measurement is due: after control_candidates candidates or control_seconds.
class ControlSchedule {
 public:
  // `now` is in seconds of any one clock, here and below. The first control is due relative to it.
  ControlSchedule(const Protocol& protocol, double now) : protocol_(protocol), last_(now) {}

  void OnCandidate() { ++candidates_; }
  // False before the first candidate since the last control: there is nothing to check yet.
  bool IsDue(double now) const;
  // Call this after each control measurement.
  void OnControl(double now);

 private:
  Protocol protocol_;
  double last_;
  int64_t candidates_ = 0;
};

// Returns whether a reference differs so little from itself that its measurements are trusted.
//
// The published rule: bad if the 95 % interval excludes 1, or the median is off by more than the
// tolerance. By the meaning of 95 % it rejects one undisturbed control in twenty. The tolerant rule
// (default) lets the interval exclude 1 by up to half of the tolerance. That is far less than would
// mislead an agent, and more than chance causes on a machine fit for measuring.
bool IsGoodControl(const RatioInterval& ratio, ControlRule rule, double tolerance);

struct ControlEvaluation {
  // False: the measurements since the last good control measurement are suspect and must be
  // repeated.
  bool good = true;
  // The reference's seconds have moved away from the session's calibrated ones.
  bool recalibrate = false;

  bool operator==(const ControlEvaluation&) const = default;
};

// A machine that becomes slower or faster as a whole affects both sides of each pair alike: ratios
// stay valid, and nothing is suspect. (Medians of whole sessions lie up to 18 % apart on a shared
// machine.) Absolute seconds are ratios times the reference's calibrated seconds. The reference is
// therefore calibrated again once its seconds are off by more than control_drift. That threshold
// lies below 5 % by more than the error of a median of 51 samples, so the next control measurement
// detects a change of 5 %.
ControlEvaluation EvaluateControl(const RatioInterval& ratio, double reference_seconds,
                                  double calibrated_seconds, const Protocol& protocol);

}  // namespace schedulegym
