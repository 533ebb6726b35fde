#include "backends/runner/worker/services.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "backends/backend.h"
#include "backends/runner/measured_task.h"
#include "backends/runner/verification/verifier.h"
#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "backends/runner/wire/verify_messages.h"
#include "backends/runner/worker/measuring_lock.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/measure/timing/clocks.h"

namespace schedulegym {
namespace {

// Lowest priority, as the search waits for candidates that are compiled and verified meanwhile.
constexpr int kLeastPriority = 19;
// How often the lock is looked at: a timing begins with some milliseconds of warming up, and is not
// to be woken beside.
constexpr useconds_t kFreeMicroseconds = 2000;
constexpr useconds_t kHeldMicroseconds = 20000;

ReferenceReply Check(const PrepareRequest& request) {
  const ProcessCpuClock clock;
  const double begin = clock.Now();
  const std::shared_ptr<const Task> measured = MakeTask(request.task);
  const std::shared_ptr<const Task> task = JudgingTask(measured);
  const std::unique_ptr<Backend> backend = MakeBackend(task->target);
  Target interpreted = task->target;
  interpreted.backend = BackendKind::kInterpreter;
  const std::unique_ptr<Backend> interpreter = MakeBackend(interpreted);
  const ReferenceFunction reference = ReferenceOf(request);
  ReferenceCheckMeans means = {*backend, *interpreter, reference};
  // The request's code is the device's, so the reference of the processor is compiled here.
  if (!measured->target.IsGpu()) means.code = request.reference;
  const Result<void> checked = CheckReference(task, means, request.seed);
  return {checked ? "" : checked.error().message, ToolchainName(measured->target),
          clock.Now() - begin};
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

void Serve(Descriptor socket) {
  FrameChannel channel(std::move(socket));
  while (std::optional<Frame> frame = channel.Receive()) {
    if (!channel.Send(Answer(*frame))) return;
  }
}

// In a child, so that the socket has one owner and its end is seen at once when that dies.
[[noreturn]] void ServeAsChild(Descriptor socket, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  setpriority(PRIO_PROCESS, 0, kLeastPriority);
  try {
    Serve(std::move(socket));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(70);
  }
  _exit(0);
}

// Runs until the child has ended. Signals are repeated, as another process may have stopped or
// continued both.
void KeepOutOfTimings(pid_t child) {
  MeasuringLock lock(MeasuringLockPath());
  bool stopped = false;
  while (waitpid(child, nullptr, WNOHANG) == 0) {
    const bool is_timed = lock.IsHeldByOther();
    if (is_timed) kill(child, SIGSTOP);
    if (!is_timed && stopped) kill(child, SIGCONT);
    stopped = is_timed;
    usleep(is_timed ? kHeldMicroseconds : kFreeMicroseconds);
  }
}

}  // namespace

void RunReferenceService(Descriptor socket) {
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child < 0) throw MachineError(std::string("cannot fork: ") + std::strerror(errno));
  if (child == 0) ServeAsChild(std::move(socket), self);
  socket = Descriptor();
  KeepOutOfTimings(child);
}

}  // namespace schedulegym
