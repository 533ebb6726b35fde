// EdgeShapeCheck: the awkward shapes on which a schedule must be right too before it counts as the
// best.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/verify_messages.h"
#include "env/measure/measurement.h"
#include "env/schedule/state.h"

namespace schedulegym {

// One shape: what the checker must know of it, and what to compile for it once. The compiled code
// is the request's `reference`; the naive program will do, for it is verified and never timed.
struct EdgeShape {
  std::shared_ptr<const Task> task;
  PrepareRequest prepare;  // but for `reference`, `protocol` and `limits`
  CompileRequest reference;
};

// What one candidate is on one shape.
struct ShapeTrial {
  const EdgeShape* shape = nullptr;
  CompileRequest
      compile;  // whose code goes to the checker as VerifyRequest{shape->prepare.key, code}
};

class EdgeShapeCheck {
 public:
  // Four shapes at most; none where nothing tells how the task would look at others.
  explicit EdgeShapeCheck(const Task& task);

  const std::vector<EdgeShape>& shapes() const { return shapes_; }
  // The first two on which the schedule's trace replays and lowers to no more code than compiles
  // in a moment; where there is none, the one of the least code. Where the trace lowers on none,
  // the schedule is for its own shape only, and nothing more is asked of it.
  std::vector<ShapeTrial> TrialsOf(const ScheduleState& state) const;

 private:
  std::vector<EdgeShape> shapes_;
};

// What a failed trial makes of the candidate's measurement: the shape's outcome without a timing,
// its message naming the shape. Unchanged where the trial passed. A reply whose outcome does not
// exist is kCorruptResult.
Measurement AfterShape(Measurement measurement, const EdgeShape& shape, const VerifyReply& reply);

}  // namespace schedulegym
