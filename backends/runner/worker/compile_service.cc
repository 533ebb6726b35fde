// The process that compiles: reads a program from its channel, validates it (it may come from a
// foreign record) and translates it. Its address space is limited to 4 GiB more than at its
// start, messages to 16 MiB, so that a program which makes LLVM grow ends this process alone.
#include "backends/runner/worker/services.h"

#include <sys/resource.h>

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "backends/backend.h"
#include "backends/export_kernel.h"
#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/ipc/worker_process.h"
#include "env/lower/validate.h"
#include "env/measure/timing/clocks.h"
#include "env/schedule/state.h"

namespace schedulegym {
namespace {

// In addition to its memory at the start: its programs, and reservations of sanitizers.
constexpr int64_t kMostAddressBytes = int64_t{4} << 30;
constexpr int64_t kMostMessageBytes = int64_t{16} << 20;

void Limit(__rlimit_resource resource, int64_t value) {
  const rlimit limit = {static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
  setrlimit(resource, &limit);
}

class CompileService {
 public:
  CompileService(Descriptor socket, LowerFunction lower)
      : channel_(std::move(socket)), lower_(std::move(lower)) {}

  void Serve() {
    while (std::optional<Frame> frame = channel_.Receive()) {
      if (!channel_.Send(Answer(*frame))) return;
    }
  }

 private:
  Frame Answer(const Frame& frame) {
    return AnswerOrRefuse(frame, [&]() -> Frame {
      switch (static_cast<MessageType>(frame.type)) {
        case MessageType::kCompile: return {frame.type, frame.id, Compile(frame.payload)};
        case MessageType::kToolchain: return {frame.type, frame.id, Toolchain(frame.payload)};
        case MessageType::kExport: return {frame.type, frame.id, Export(frame.payload)};
        default: throw std::logic_error("a compile worker was asked for something else");
      }
    });
  }

  static std::string Toolchain(const std::string& payload) {
    const Result<ToolchainRequest> request = Decode<ToolchainRequest>(payload);
    if (!request) throw std::logic_error(request.error().message);
    const Result<Spec> target = ParseSpec(request->target);
    if (!target) throw std::logic_error(target.error().message);
    return Encode(ToolchainReply{{}, ToolchainName(MakeTarget(*target))});
  }

  std::string Compile(const std::string& payload) {
    const double begin = clock_.Now();
    CompileReply reply;
    Result<CompileRequest> request = Decode<CompileRequest>(payload);
    if (!request) throw std::logic_error(request.error().message);
    if (request->form < 0 || request->form > static_cast<int32_t>(CodeForm::kSource)) {
      throw std::logic_error("a form of code that does not exist");
    }
    Result<LoopProgram> program = LowerTrace(request->task, request->trace);
    if (program) {
      const Backend& backend = BackendOf(request->task);
      const auto form = static_cast<CodeForm>(request->form);
      Result<std::string> code = backend.Translate(*program, form, {});
      if (code) {
        if (form == CodeForm::kObject) reply.resources = ResourcesOf(*code, backend.target());
        reply.code = {*std::move(code), ContractOf(*program)};
      } else {
        reply.error = ToWire(code.error());
      }
    } else {
      reply.error = ToWire(program.error());
    }
    reply.seconds = clock_.Now() - begin;
    reply.resident_bytes = MemoryUseOfProcess().resident_bytes;
    return Encode(reply);
  }

  std::string Export(const std::string& payload) {
    Result<ExportRequest> request = Decode<ExportRequest>(payload);
    if (!request) throw std::logic_error(request.error().message);
    ExportReply reply;
    Result<LoopProgram> program = LowerTrace(request->task, request->trace);
    if (program) {
      const Target& target = TaskOf(request->task)->target;
      Result<std::string> object = ExportObject(*program, target, request->function);
      if (object) {
        reply.object = *std::move(object);
      } else {
        reply.error = ToWire(object.error());
      }
      reply.header = HeaderText(*program, request->function);
    } else {
      reply.error = ToWire(program.error());
    }
    return Encode(reply);
  }

  // A program that is not proved to stay within its buffers is refused.
  Result<LoopProgram> LowerTrace(const TaskText& text, const std::string& trace) {
    const Result<ScheduleState> state = ReplayText(TaskOf(text), trace);
    if (!state) return state.error();
    Result<LoopProgram> program = lower_(*state);
    if (!program) return program;
    if (auto valid = Validate(*program); !valid) return valid.error();
    return program;
  }

  const std::shared_ptr<const Task>& TaskOf(const TaskText& text) {
    if (!task_ || !(task_text_ == text)) {
      task_ = MakeTask(text);
      task_text_ = text;
    }
    return task_;
  }

  const Backend& BackendOf(const TaskText& text) {
    std::unique_ptr<Backend>& backend = backends_[text.target];
    if (!backend) backend = MakeBackend(TaskOf(text)->target);
    return *backend;
  }

  FrameChannel channel_;
  LowerFunction lower_;
  ProcessCpuClock clock_;
  TaskText task_text_;
  std::shared_ptr<const Task> task_;                          // of the last request
  std::map<std::string, std::unique_ptr<Backend>> backends_;  // by target
};

}  // namespace

void RunCompileService(Descriptor socket, LowerFunction lower) {
  Limit(RLIMIT_AS, MemoryUseOfProcess().mapped_bytes + kMostAddressBytes);
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_FSIZE, kMostMessageBytes);
  CompileService(std::move(socket), std::move(lower)).Serve();
}

}  // namespace schedulegym
