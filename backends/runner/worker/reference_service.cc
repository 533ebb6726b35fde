#include "backends/runner/worker/reference_service.h"

#include <sys/resource.h>

#include <memory>
#include <optional>
#include <utility>

#include "backends/backend.h"
#include "backends/runner/prepare_request.h"
#include "backends/runner/process/frame_channel.h"
#include "backends/runner/process/refusal.h"
#include "backends/runner/reference_check.h"
#include "backends/runner/wire/encoding.h"
#include "backends/runner/wire/reference_messages.h"
#include "backends/runner/wire/task_text.h"
#include "env/measure/clocks.h"

namespace schedulegym {
namespace {

// Candidates are compiled and verified meanwhile, which somebody waits for.
constexpr int kLeastPriority = 19;

ReferenceReply Check(const PrepareRequest& request) {
  const ProcessCpuClock clock;
  const double begin = clock.Now();
  const std::shared_ptr<const Task> task = MakeTask(request.task);
  const std::unique_ptr<Backend> backend = MakeBackend(task->target);
  Target interpreted = task->target;
  interpreted.backend = BackendKind::kInterpreter;
  const std::unique_ptr<Backend> interpreter = MakeBackend(interpreted);
  const ReferenceFunction reference = ReferenceOf(request);
  const Result<void> checked =
      CheckReference(task, {*backend, *interpreter, reference, request.reference}, request.seed);
  return {checked ? "" : checked.error().message, ToolchainName(), clock.Now() - begin};
}

Frame Answer(const Frame& frame) {
  return AnswerOrRefuse(frame, [&]() -> Frame {
    if (frame.type != static_cast<uint16_t>(MessageType::kReference)) {
      throw std::logic_error("a checker of references was asked for something else");
    }
    const Result<PrepareRequest> request = Decode<PrepareRequest>(frame.payload);
    if (!request) throw std::logic_error(request.error().message);
    return {frame.type, frame.id, Encode(Check(*request))};
  });
}

}  // namespace

void RunReferenceService(Descriptor socket) {
  setpriority(PRIO_PROCESS, 0, kLeastPriority);
  FrameChannel channel(std::move(socket));
  while (std::optional<Frame> frame = channel.Receive()) {
    if (!channel.Send(Answer(*frame))) return;
  }
}

}  // namespace schedulegym
