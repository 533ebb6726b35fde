// CandidateTrial: a candidate on its way through a measurer.
#pragma once

#include <optional>
#include <vector>

#include "backends/runner/checker_connection.h"
#include "backends/runner/compile_pool.h"
#include "backends/runner/edge_shape_check.h"
#include "backends/runner/wire/messages.h"
#include "env/base/hash.h"
#include "env/measure/measurement.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Checks at awkward shapes that a possible best still has to pass.
struct ShapeCheck {
  Measurement measurement;  // at its own shape
  std::vector<ShapeTrial> left;
  std::optional<Compiled> code;  // of the last of them
};

struct CandidateTrial {
  const Candidate* candidate = nullptr;
  Key key;
  Key task;
  CompileRequest request;
  std::optional<Compiled> compiled;
  WorkerSession* worker_session = nullptr;  // the session that has the request
  int attempt = 0;
  int corrupt_results = 0;           // how many attempts gave one
  int postponed = 0;                 // how often, for the machine was busy
  double not_before = 0;             // time of the next attempt
  bool has_waited = false;           // this was its last attempt
  std::vector<Measurement> finals;   // of a finalist, one of each process
  std::optional<ShapeCheck> shapes;  // once it was measured
  std::optional<Measurement> result;

  // Schedules another attempt after a pause, each twice as long as the one before; false after the
  // last.
  bool Postpone(double now) {
    constexpr int kMost = 4;
    constexpr double kFirstPauseSeconds = 0.1;
    has_waited = postponed == kMost;
    if (has_waited) return false;
    not_before = now + kFirstPauseSeconds * (1 << postponed++);
    return true;
  }
};

}  // namespace schedulegym
