// A worker whose compiler is wrong at one shape: all its matrix products but those of 37 x 53 x 29
// are right, and its naive program is right there, too. SCHEDULEGYM_LIES makes its checker report
// results as corrupt: "first" those of candidates that are not measured again, "all" any. Or the
// checker makes times up. After eight measurements the machine is six times as slow, and candidates
// look better than they are, for three ("busy") or for ever ("overrun"). In the first two processes
// the reference is five times as slow ("slowed"), or in each process twice as slow as in the one
// before ("unlike"). "one_core" changes no result: the first two processes have one core for all
// their threads. Everything else is forwarded to the real worker.
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "backends/runner/wire/messages.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/ipc/worker_process.h"
#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

constexpr const char* kWhole = "sum(r:29)";
constexpr const char* kShort = "sum(r:28)";

// Leaves out the last term of a sum.
void Lie(Frame& frame) {
  Result<CompileRequest> request = Decode<CompileRequest>(frame.payload);
  if (!request || request->trace == "trace 1\n") return;
  const size_t at = request->task.dag.find(kWhole);
  if (at == std::string::npos) return;
  request->task.dag.replace(at, std::string(kWhole).size(), kShort);
  frame.payload = Encode(*request);
}

void CompileWrongly() {
  FrameChannel front{Descriptor(WorkerProcess::kSocket)};
  WorkerProcess worker(SG_WORKER, "compile");
  FrameChannel compiler(worker.TakeSocket());
  while (std::optional<Frame> request = front.Receive()) {
    Lie(*request);
    compiler.Send(*request);
    const std::optional<Frame> reply = compiler.Receive();
    if (!reply || !front.Send(*reply)) return;
  }
}

// Returns false if the other side is gone. Frames that `answer` handles are not forwarded.
bool Forward(FrameChannel& from, FrameChannel& to,
             const std::function<std::optional<Frame>(const Frame&)>& answer) {
  while (const std::optional<Frame> frame = from.Poll()) {
    const std::optional<Frame> reply = answer(*frame);
    if (!(reply ? from.Send(*reply) : to.Send(*frame))) return false;
  }
  return !from.is_closed();
}

bool IsMeasuring(const Frame& frame) {
  return frame.type == static_cast<uint16_t>(MessageType::kMeasure);
}

std::optional<Frame> Mistrust(const Frame& frame, bool all) {
  if (!IsMeasuring(frame)) return std::nullopt;
  const Result<MeasureRequest> request = Decode<MeasureRequest>(frame.payload);
  if (!request || (request->fresh && !all)) return std::nullopt;
  MeasureReply reply;
  reply.outcome = "corrupt_result";
  reply.message = "a lie";
  return Frame{frame.type, frame.id, Encode(reply)};
}

WireTiming MadeUp(double reference, double ratio) {
  WireTiming timing;
  timing.seconds = reference / ratio;
  timing.ratio = timing.ratio_low = timing.ratio_high = ratio;
  timing.first_call_seconds = timing.seconds;
  timing.calls = timing.reference_calls = 1;
  timing.samples.assign(15, static_cast<float>(timing.seconds));
  timing.reference_samples.assign(15, static_cast<float>(reference));
  return timing;
}

// The timing of measurement `number`, counted from 1.
WireTiming TimingOf(const std::string& lies, int number) {
  if (lies == "slowed") return number <= 2 ? MadeUp(5e-3, 5.5) : MadeUp(1e-3, 1.1);
  if (lies == "unlike") return MadeUp(1e-3 * (1 << number), 1.1);
  const bool is_slow = number > 8 && (lies != "busy" || number <= 11);
  return is_slow ? MadeUp(6e-3, 1.6) : MadeUp(1e-3, number > 8 ? 1.1 : 1);
}

std::optional<Frame> MakeUp(const Frame& frame, const std::string& lies, int number) {
  if (!IsMeasuring(frame)) return std::nullopt;
  MeasureReply reply;
  reply.outcome = "ok";
  reply.timing = TimingOf(lies, number);
  return Frame{frame.type, frame.id, Encode(reply)};
}

constexpr int kConfined = 2;

// Limits a process, its descendants and those that they start from now on to these cores.
void Confine(pid_t process, const cpu_set_t& cores) {
  for (pid_t one : DescendantsOf(process)) sched_setaffinity(one, sizeof cores, &cores);
  sched_setaffinity(process, sizeof cores, &cores);
}

cpu_set_t OwnCores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);
  return cores;
}

cpu_set_t FirstOf(const cpu_set_t& cores) {
  cpu_set_t first;
  CPU_ZERO(&first);
  int core = 0;
  while (!CPU_ISSET(core, &cores)) ++core;
  CPU_SET(core, &first);
  return first;
}

// Changes the messages on their way to a checker, or answers them.
class Between {
 public:
  Between(std::string lies, pid_t checker) : lies_(std::move(lies)), checker_(checker) {}

  std::optional<Frame> Asked(const Frame& frame) {
    if (lies_ == "all" || lies_ == "first") return Mistrust(frame, lies_ == "all");
    measured_ += IsMeasuring(frame) ? 1 : 0;
    if (lies_ != "one_core") return MakeUp(frame, lies_, measured_);
    Confine(checker_, measured_ <= kConfined ? FirstOf(OwnCores()) : OwnCores());
    return std::nullopt;
  }

 private:
  std::string lies_;
  pid_t checker_;
  int measured_ = 0;
};

void CheckWrongly(const std::string& lies) {
  FrameChannel front{Descriptor(WorkerProcess::kSocket)};
  WorkerProcess worker(SG_WORKER, "check");
  FrameChannel checker(worker.TakeSocket());
  Between between(lies, worker.pid());
  const auto lie = [&](const Frame& frame) { return between.Asked(frame); };
  const auto tell = [](const Frame&) { return std::optional<Frame>(); };
  while (Forward(front, checker, lie) && Forward(checker, front, tell)) {
    std::array<pollfd, 2> both = {pollfd{front.descriptor(), POLLIN, 0},
                                  pollfd{checker.descriptor(), POLLIN, 0}};
    poll(both.data(), both.size(), -1);
  }
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  const std::string role = argc == 3 ? argv[1] : "";
  if (role == "compile") {
    schedulegym::CompileWrongly();
    return 0;
  }
  if (const char* lies = std::getenv("SCHEDULEGYM_LIES"); lies != nullptr && role == "check") {
    schedulegym::CheckWrongly(lies);
    return 0;
  }
  setenv("SCHEDULEGYM_WORKER", SG_WORKER, /*overwrite=*/1);
  execv(SG_WORKER, argv);
  return 127;
}
