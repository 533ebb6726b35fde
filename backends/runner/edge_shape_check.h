// EdgeShapeCheck: awkward shapes on which a schedule must also be correct to count as the best.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/verify_messages.h"
#include "env/measure/measurement.h"
#include "env/schedule/state.h"

namespace schedulegym {

// One shape: the checker's request, and the program to compile for it once. The compiled code is
// the request's `reference`; the naive program suffices, since it is verified and never timed.
struct EdgeShape {
  std::shared_ptr<const Task> task;
  PrepareRequest prepare;  // all but `reference`, `protocol` and `limits`
  CompileRequest reference;
};

// One candidate on one shape.
struct ShapeTrial {
  const EdgeShape* shape = nullptr;
  CompileRequest
      compile;  // its code goes to the checker as VerifyRequest{shape->prepare.key, code}
};

class EdgeShapeCheck {
 public:
  // At most four shapes; none if the task's form at other shapes is unknown.
  explicit EdgeShapeCheck(const Task& task);

  const std::vector<EdgeShape>& shapes() const { return shapes_; }
  // The first two shapes on which the schedule's trace replays and lowers to code that compiles in
  // a moment; if there is none, the shape with the least code. Empty if the trace lowers on no
  // shape: the schedule is for its own shape only, and is not checked further.
  std::vector<ShapeTrial> TrialsOf(const ScheduleState& state) const;

 private:
  std::vector<EdgeShape> shapes_;
};

// The candidate's measurement after a failed trial: the shape's outcome without a timing, with a
// message that names the shape. Unchanged if the trial passed. An unknown outcome in the reply
// becomes kCorruptResult.
Measurement AfterShape(Measurement measurement, const EdgeShape& shape, const VerifyReply& reply);

}  // namespace schedulegym
