// MeasuredTask: what a measurer knows of a task whose candidates it times.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "backends/runner/shape_gate.h"
#include "env/base/hash.h"
#include "env/measure/measurement.h"
#include "env/measure/timing/usual_time.h"

namespace schedulegym {

struct MeasuredTask {
  std::unique_ptr<ShapeGate> shapes;
  std::optional<double> reference_seconds;  // the session's, once some checker has timed it
  std::optional<double> best_ratio;         // the lower end of the best one's interval
  std::optional<Measurement> best;          // that was right at awkward shapes, too
  std::map<Key, Measurement> known;         // by state
  UsualTime usual;                          // of the reference

  bool WouldBeBest(const Measurement& measurement) const;
  // A candidate's last word.
  void Note(const Key& state, const Measurement& measurement);
  // Whether the reference took so much longer than usual that the ratio compares with no other; of
  // what matters, such as what looks best, less is believed. Each timing is to be shown once.
  bool IsDisturbed(const Timing& timing, bool matters, double now);
};

}  // namespace schedulegym
