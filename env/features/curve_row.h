// CurveRow: how much of each buffer a program's main statement touches, as curves over its loops.
#pragma once

#include <vector>

#include "env/features/loop_nests.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Places of the one row of a program.
struct CurveLayout {
  static constexpr int kBuffers = 4;   // the stored one, then those read as they first appear
  static constexpr int kCurves = 3;    // of a buffer
  static constexpr int kSamples = 30;  // of a curve
  static constexpr int kKnobs = 20;    // the last numbers of the trace, right-aligned
  static constexpr int kFirstKnob = kBuffers * kCurves * kSamples;
  static constexpr int kWidth = kFirstKnob + kKnobs;

  static constexpr int Curve(int buffer, int curve) {
    return (buffer * kCurves + curve) * kSamples;
  }
};

// Version of the rows, which is stored with models trained on them.
inline constexpr int kCurveVersion = 1;

// AutoTVM's curve samples (Chen et al., NeurIPS 2018), which One-Shot Tuner reads (Ryu et al., CC
// 2022: 24 curves of 30 samples, 20 numbers of knobs). Of the statement with most operations, by
// level of its loops: i iterations from the level on, t elements touched by these, o iterations of
// the loops outside. Sample s of a curve is the most over the levels whose key is at most 2^s:
// curve 0 log2(t) by key i; curve 1 log2(i) by key i / t, the reuse; curve 2 log2(t) by key o. The
// numbers of a trace are lengths of splits and values of pragmas, log2(1 + x). All are shares
// of 32.
std::vector<float> CurveRow(const ScheduleState& state, const LoopNests& nests);

}  // namespace schedulegym
