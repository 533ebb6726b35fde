// The measurers of this machine, by target: the interpreter in this process, all else through
// workers, with a compiler for each processor and two checkers where a kernel has one thread. A
// question about code goes to a worker of its own, so that a compiler may crash on a schedule.
#include "backends/runner/host_measurer.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "backends/object_code.h"
#include "backends/runner/device_target.h"
#include "backends/runner/in_process_measurer.h"
#include "backends/runner/verification/verifier.h"
#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "backends/runner/worker_measurer.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/ipc/worker_process.h"
#include "env/measure/gpu_protocol.h"
#include "env/program/targets/host.h"

namespace schedulegym {
namespace {

std::unique_ptr<Measurer> MakeInterpreting(HostMeasurerOptions host) {
  InProcessOptions options;
  options.protocol = host.protocol;
  options.seed = host.seed;
  options.reference = std::move(host.reference);
  options.make_backend = std::move(host.make_interpreter);
  return MakeInProcessMeasurer(std::move(options));
}

// Sends one question to a worker of its own; if the worker dies, the answer is a fault of the
// schedule.
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

// "13.0" of "nvrtc 13.0 sm_90a, generator 1". Throws MachineError without NVRTC.
std::string NvrtcRelease(const Target& target) {
  const std::string toolchain = ToolchainInWorker(FindWorkerProgram(), target);
  const size_t begin = toolchain.find(' ') + 1;
  return toolchain.substr(begin, toolchain.find(' ', begin) - begin);
}

}  // namespace

void CheckMeasurable(const Target& target) {
  if (target.backend == BackendKind::kInterpreter) return;
  if (target.backend == BackendKind::kCuda) {
    const CudaDevices devices = FindCudaDevices();  // throws an error that names the missing part
    CheckCudaDevice(devices, target, NvrtcRelease(target));
    return;
  }
  if (target.backend == BackendKind::kOpenCl) {
    OpenClTargets();  // throws an error that names the missing part
    FindWorkerProgram();
    return;
  }
  if (!HasLlvm()) throw MachineError(kNoLlvm);
  const std::vector<std::string> offered = HostFeatures();
  for (const std::string& feature : target.features) {
    if (std::binary_search(offered.begin(), offered.end(), feature)) continue;
    throw MachineError("this machine lacks '" + feature + "' of target " + target.ToText() +
                       ": expected some of " + Join(offered, ","));
  }
  FindWorkerProgram();
}

std::unique_ptr<Measurer> MakeHostMeasurer(const Target& target, HostMeasurerOptions host) {
  CheckMeasurable(target);
  if (target.backend == BackendKind::kInterpreter) return MakeInterpreting(std::move(host));
  WorkerOptions options;
  options.program = FindWorkerProgram();
  options.protocol = target.backend == BackendKind::kCuda ? GpuProtocolText(host.protocol)
                                                          : ProtocolText(host.protocol);
  options.seed = host.seed;
  options.reference = std::move(host.reference);
  options.warn = std::move(host.warn);
  const auto processors = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  // They rest while something is timed.
  options.compile_workers = std::max(1, processors);
  if (!HasLlvm()) options.most_checked_flops = kMostInterpretedFlops;
  options.checkers = target.cores == 1 && !target.IsGpu() && processors > 1 ? 2 : 1;
  return MakeWorkerMeasurer(std::move(options));
}

std::string MeasuringToolchain(const Target& target) {
  CheckMeasurable(target);
  if (target.backend == BackendKind::kInterpreter) return "";
  return ToolchainInWorker(FindWorkerProgram(), target);
}

Result<std::string> TranslateInWorker(const std::string& program, const ScheduleState& state,
                                      CodeForm form) {
  const CompileRequest request = {TextOf(state.task()), state.TraceText(),
                                  static_cast<int32_t>(form)};
  auto reply = Ask<CompileReply>(program, MessageType::kCompile, request);
  if (!reply) return reply.error();
  return std::move(reply->code.object);
}

std::string ToolchainInWorker(const std::string& program, const Target& target) {
  const ToolchainRequest request = {target.ToText()};
  auto reply = Ask<ToolchainReply>(program, MessageType::kToolchain, request);
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
