#include "backends/runner/code_client.h"

#include <utility>

#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame_channel.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {
namespace {

// One question to a worker of its own; a worker that dies of it answers with the schedule's fault.
template <typename Reply, typename Request>
Result<Reply> Ask(const std::string& program, MessageType type, const Request& request) {
  WorkerProcess worker(program, "compile");
  FrameChannel channel(worker.TakeSocket());
  channel.Send({static_cast<uint16_t>(type), 1, Encode(request)});
  const std::optional<Frame> frame = channel.Receive();
  if (!frame) {
    const std::string end = ExitText(worker.Kill());
    return Error{ErrorKind::kCompile, "the compiler ended: " + end + " " + worker.StderrTail()};
  }
  if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
  Result<Reply> reply = Decode<Reply>(frame->payload);
  if (reply && reply->error) return FromWire(*reply->error);
  return reply;
}

}  // namespace

Result<std::string> TranslateInWorker(const std::string& program, const ScheduleState& state,
                                      CodeForm form) {
  const CompileRequest request = {TextOf(state.task()), state.TraceText(),
                                  static_cast<int32_t>(form)};
  auto reply = Ask<CompileReply>(program, MessageType::kCompile, request);
  if (!reply) return reply.error();
  return std::move(reply->code.object);
}

std::string ToolchainInWorker(const std::string& program) {
  auto reply = Ask<ToolchainReply>(program, MessageType::kToolchain, ToolchainRequest());
  if (!reply) throw MachineError(reply.error().message);
  return std::move(reply->name);
}

Result<ExportedCode> ExportInWorker(const std::string& program, const ScheduleState& state,
                                    const std::string& name) {
  const ExportRequest request = {TextOf(state.task()), state.TraceText(), name};
  auto reply = Ask<ExportReply>(program, MessageType::kExport, request);
  if (!reply) return reply.error();
  return ExportedCode{std::move(reply->object), std::move(reply->header)};
}

}  // namespace schedulegym
