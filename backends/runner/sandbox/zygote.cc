// Starts a process for each candidate by fork, which takes less than an exec: one spare is forked
// ahead, and the candidate is sent to it over a channel. A candidate's whole process group is
// killed at its end. An end near the memory limit (above 0.8 of it) counts as its cause, and the
// address of a fault names the tensor beside which it lies.
#include "backends/runner/sandbox/zygote.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "backends/runner/sandbox/candidate_process.h"
#include "env/base/check.h"
#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/ipc/worker_process.h"
#include "env/program/targets/target.h"

namespace schedulegym {
namespace {

// A candidate that used this share of its memory limit, beyond its tensors, died for lack of
// memory.
constexpr double kNearLimit = 0.8;
// Time for a process to end by itself before it is killed.
constexpr double kEndSeconds = 0.1;
// Descriptor of a spare process's socket; candidates have the ones around it.
constexpr int kSpareDescriptor = 5;

// A candidate's process that was not yet waited for.
struct Child {
  uint64_t id = 0;
  pid_t pid = -1;
  Descriptor end;                   // readable once it has ended
  std::optional<double> killed_at;  // when it was asked to end; it is killed after kEndSeconds
};

// A process that was forked ahead and is ready for a candidate, which comes over the channel.
struct Spare {
  pid_t pid = -1;
  FrameChannel channel;
};

// Makes this process the first to be killed when the machine runs out of memory, if the system
// allows to set that.
void VolunteerForMemory() {
  const Descriptor score(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  const ssize_t written = write(score.number(), "1000", 4);
  (void)written;
}

class Zygote {
 public:
  explicit Zygote(Descriptor socket)
      : channel_(std::move(socket)), filter_(MakeSystemCallFilter()), parent_(getpid()) {}

  void Serve() {
    while (true) {
      while (std::optional<Frame> frame = channel_.Poll()) {
        if (!Handle(*frame)) return;
      }
      if (channel_.is_closed()) return;
      WaitForSomething();
      if (child_ && HasEnded()) {
        Reap();
      } else if (child_ && child_->killed_at && clock_.Now() >= *child_->killed_at) {
        KillChild();
      }
    }
  }

  ~Zygote() {
    if (getpid() == parent_ && child_) {
      KillChild();
      waitpid(child_->pid, nullptr, 0);
    }
    if (getpid() == parent_) DropSpare();
  }
  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;

 private:
  bool Handle(const Frame& frame) {
    switch (static_cast<ZygoteMessage>(frame.type)) {
      case ZygoteMessage::kSetup: return SetUp(frame);
      case ZygoteMessage::kRun: return Run(frame);
      case ZygoteMessage::kKill:
        if (child_ && child_->id == frame.id) KillChild();
        return true;
      case ZygoteMessage::kDismiss:
        if (child_ && child_->id == frame.id) child_->killed_at = clock_.Now() + kEndSeconds;
        return true;
      default: return false;
    }
  }

  bool SetUp(const Frame& frame) {
    Result<TaskSetup> setup = Decode<TaskSetup>(frame.payload);
    if (!setup) return false;
    const size_t count = setup->placements.size() + 3;
    std::vector<Descriptor> files = channel_.TakeDescriptors(count);
    if (files.size() != count) return false;
    stderr_ = std::move(files[0]);
    files.erase(files.begin());
    DropSpare();
    memory_.reset();
    setup_ = *std::move(setup);
    memory_ = std::make_unique<TaskMemory>(setup_, std::move(files));
    const Result<Spec> target = ParseSpec(setup_.target);
    if (!target) return false;
    reference_.reset();
    backend_ = MakeBackend(MakeTarget(*target));
    LinkReference();
    own_bytes_ = BytesOfOwn();
    MakeSpare();
    return true;
  }

  // Linked once for all children, with the linker's caches. If it fails, each child links again and
  // reports the error.
  void LinkReference() {
    const auto packs = static_cast<int>(setup_.reference.contract.packs.size());
    Result<std::unique_ptr<Kernel>> linked = backend_->Load(setup_.reference.object, packs);
    if (linked) reference_ = *std::move(linked);
  }

  bool Run(const Frame& frame) {
    const std::vector<Descriptor> sockets = channel_.TakeDescriptors(2);
    if (sockets.size() != 2 || !memory_ || child_) return false;
    const int theirs[] = {sockets[0].number(), sockets[1].number()};
    // A spare that was killed meanwhile, for example for lack of memory, is replaced.
    if (!spare_ || !spare_->channel.Send(frame, theirs)) {
      DropSpare();
      if (!MakeSpare() || !spare_->channel.Send(frame, theirs)) return false;
    }
    const pid_t pid = spare_->pid;
    child_ =
        Child{frame.id, pid, Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))), {}};
    spare_.reset();
    return channel_.Send({static_cast<uint16_t>(ZygoteMessage::kStarted), frame.id, ""});
  }

  bool MakeSpare() {
    auto [ours, theirs] = MakeSocketPair(/*keeps_messages=*/false);
    const pid_t pid = fork();
    if (pid == 0) BecomeSpare(theirs);
    if (pid < 0) return false;
    setpgid(pid, pid);
    spare_.emplace(Spare{pid, FrameChannel(std::move(ours))});
    return true;
  }

  void DropSpare() {
    if (!spare_) return;
    kill(spare_->pid, SIGKILL);
    waitpid(spare_->pid, nullptr, 0);
    spare_.reset();
  }

  [[noreturn]] void BecomeSpare(const Descriptor& socket) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent_) _exit(1);
    VolunteerForMemory();
    prctl(PR_SET_DUMPABLE, 0);
    dup2(stderr_.number(), STDERR_FILENO);
    // Moves the socket away from the descriptors that are assigned next.
    const int aside = fcntl(socket.number(), F_DUPFD, kSpareDescriptor + 1);
    for (int place : {kLineDescriptor, kStampDescriptor, kSpareDescriptor}) dup2(aside, place);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    syscall(SYS_close_range, kSpareDescriptor + 1, ~0U, 0);
    RunCandidateProcess({*backend_, setup_, *memory_, filter_, reference_}, ReceiveCandidate);
  }

  static std::optional<ObjectCode> ReceiveCandidate() {
    FrameChannel channel{Descriptor(kSpareDescriptor)};
    const std::optional<Frame> frame = channel.Receive();
    const std::vector<Descriptor> sockets = channel.TakeDescriptors(2);
    if (!frame || sockets.size() != 2) return std::nullopt;
    Result<ObjectCode> code = Decode<ObjectCode>(frame->payload);
    if (!code) return std::nullopt;
    dup2(sockets[0].number(), kLineDescriptor);
    dup2(sockets[1].number(), kStampDescriptor);
    return *std::move(code);
  }

  void WaitForSomething() const {
    pollfd waits[2] = {{channel_.descriptor(), POLLIN, 0},
                       {child_ ? child_->end.number() : -1, POLLIN, 0}};
    poll(waits, 2, MillisecondsLeft());
  }

  // Until the deadline of a child; -1 when there is none.
  int MillisecondsLeft() const {
    if (!child_ || !child_->killed_at) return -1;
    return std::max(1, static_cast<int>(std::ceil((*child_->killed_at - clock_.Now()) * 1e3)));
  }

  bool HasEnded() const {
    pollfd end = {child_->end.number(), POLLIN, 0};
    return poll(&end, 1, 0) == 1;
  }

  void KillChild() const {
    kill(-child_->pid, SIGKILL);
    kill(child_->pid, SIGKILL);
  }

  void Reap() {
    kill(-child_->pid, SIGKILL);  // processes that it may have started
    rusage usage = {};
    CandidateEnd end;
    while (wait4(child_->pid, &end.wait_status, 0, &usage) < 0 && errno == EINTR) {
    }
    const double allowed = kNearLimit * static_cast<double>(setup_.address_bytes);
    end.near_memory_limit =
        static_cast<double>(usage.ru_maxrss) * 1024 > static_cast<double>(own_bytes_) + allowed;
    DescribeFault(end);
    const uint64_t id = child_->id;
    child_.reset();
    channel_.Send({static_cast<uint16_t>(ZygoteMessage::kEnded), id, Encode(end)});
    if (memory_ && !spare_) MakeSpare();
  }

  // The page may hold anything by now; nothing of it is used but as a number.
  void DescribeFault(CandidateEnd& end) const {
    const FaultNote note = reinterpret_cast<const ResultPage*>(memory_->result.data())->fault;
    end.fault_signal = note.signal;
    end.system_call = note.system_call;
    end.fault_is_write = note.is_write != 0;
    for (const SharedMemory& set : memory_->inputs) {
      const std::optional<size_t> at = TensorAt(memory_->input_layout, set, note.address);
      if (at) end.fault_input = static_cast<int32_t>(*at);
    }
    const std::optional<size_t> at =
        TensorAt(memory_->output_layout, memory_->outputs, note.address);
    if (at) end.fault_output = static_cast<int32_t>(*at);
  }

  static std::optional<size_t> TensorAt(const TensorLayout& layout, const SharedMemory& memory,
                                        uint64_t address) {
    const auto begin = reinterpret_cast<uint64_t>(memory.data());
    const auto margin = static_cast<uint64_t>(SharedMemory::kMargin);
    if (begin == 0 || address < begin - margin ||
        address - begin + margin >= static_cast<uint64_t>(memory.bytes()) + 2 * margin) {
      return std::nullopt;
    }
    return layout.Nearest(static_cast<int64_t>(address - begin));
  }

  // Private memory of a candidate's process before its own code runs, without pages of program
  // files.
  int64_t BytesOfOwn() const {
    int64_t bytes = memory_->outputs.bytes();
    for (const SharedMemory& set : memory_->inputs) bytes += set.bytes();
    const MemoryUse use = MemoryUseOfProcess();
    return bytes + use.resident_bytes - use.shared_bytes;
  }

  FrameChannel channel_;
  SteadyClock clock_;
  std::string filter_;
  pid_t parent_;
  Descriptor stderr_;
  TaskSetup setup_;
  std::unique_ptr<TaskMemory> memory_;
  std::unique_ptr<Backend> backend_;
  std::shared_ptr<const Kernel> reference_;
  int64_t own_bytes_ = 0;
  std::optional<Child> child_;
  std::optional<Spare> spare_;
};

}  // namespace

void RunZygote(Descriptor socket) { Zygote(std::move(socket)).Serve(); }

}  // namespace schedulegym
