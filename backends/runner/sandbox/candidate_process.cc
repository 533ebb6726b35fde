// The process that holds one candidate. It is prepared (memory mapped, pages touched) before the
// candidate is known; then it links the object under limits of memory and time, enters the sandbox
// and obeys: call, warm up, time, quit. Timing waits until its processors are quiet, and puts the
// clock's stamps around each sample into shared memory, where the checker compares them with its
// own.
#include "backends/runner/sandbox/candidate_process.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "backends/runner/sandbox/bound_kernel.h"
#include "backends/runner/sandbox/candidate_line.h"
#include "backends/runner/sandbox/result_page.h"
#include "backends/runner/sandbox/thread_team.h"
#include "env/measure/timing/clocks.h"
#include "env/measure/timing/event_counters.h"
#include "env/measure/timing/paired_timer.h"
#include "env/measure/timing/timing_memory.h"

namespace schedulegym {
namespace {

// Address space for linking, as an object can ask for any size, and for each thread's reservations.
constexpr int64_t kLinkBytes = int64_t{1} << 30;
constexpr int64_t kThreadBytes = int64_t{256} << 20;

cpu_set_t UsableProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

// A control needs an interval that separates a change from noise, so it has at least the rounds of
// cpu1 where a protocol for data has fewer. A false alarm discards all trials since the last
// control.
Protocol ControlProtocol(Protocol protocol) {
  const Protocol usual;
  protocol.min_rounds = std::max(protocol.min_rounds, usual.min_rounds);
  protocol.max_rounds = std::max(protocol.max_rounds, usual.max_rounds);
  protocol.long_rounds = std::max(protocol.long_rounds, usual.long_rounds);
  protocol.settled_rounds = std::max(protocol.settled_rounds, usual.settled_rounds);
  protocol.precision = std::min(protocol.precision, usual.precision);
  protocol.settle = usual.settle;
  protocol.max_seconds = std::max(protocol.max_seconds, usual.max_seconds);
  return protocol;
}

void StayOn(const cpu_set_t& set) { sched_setaffinity(0, sizeof set, &set); }

class CandidateProcess {
 public:
  explicit CandidateProcess(const CandidateContext& around)
      : around_(around),
        limits_{around.setup.address_bytes, around.setup.cpu_seconds},
        page_(*reinterpret_cast<ResultPage*>(around.memory.result.data())) {}

  // Everything that is possible before the candidate is known. Errors are kept, as they cannot be
  // reported yet.
  void Prepare() {
    const TaskSetup& setup = around_.setup;
    ChooseProcessors(setup.processor);
    StayOn(quiet_);
    const int64_t to_begin = kLinkBytes + setup.threads * kThreadBytes;
    if (!LimitProcess({limits_.address_bytes + to_begin, limits_.cpu_seconds})) {
      refused_ = errno;
      return;
    }
    TouchTimed();
    InstallFaultHandlers(&page_);
    OpenCounters();
    StartThreadTeam(setup.threads);
    MakeCacheWalk();
    cpu_clock_ = ProcessCpuClock(ThreadsOfProcess());
  }

  // False when the candidate cannot run; the error was sent to the checker.
  bool Adopt(const ObjectCode& code) {
    page_ = {};
    if (refused_ != 0) return Refuse(refused_);
    if (!Link(around_.setup.reference, reference_, around_.reference)) return false;
    if (!Link(code, candidate_)) return false;
    if (!EnterSandbox(limits_, around_.filter)) return Refuse(errno);
    return Answer(0, "");
  }

  void Serve() {
    CandidateCommand command;
    while (read(kLineDescriptor, &command, sizeof command) == sizeof command) {
      order_ = command.number;
      switch (command.order) {
        case CandidateOrder::kCall: Call(command.set); break;
        case CandidateOrder::kWarmUp:
        case CandidateOrder::kTime: Time(command); break;
        case CandidateOrder::kQuit: return;
      }
    }
  }

 private:
  bool Refuse(int error) const {
    Answer(EPERM, std::string("the system refuses the sandbox: ") + std::strerror(error));
    return false;
  }

  // The pages that a timed call needs. A page of shared memory that was read may be written to
  // without another fault, and is had for a third of the price.
  void TouchTimed() const {
    const TaskMemory& memory = around_.memory;
    memory.input_layout.Touch(memory.inputs.back().data(), /*writable=*/false);
    memory.output_layout.Touch(memory.outputs.data(), /*writable=*/false);
  }

  bool Link(const ObjectCode& code, std::optional<BoundKernel>& kernel,
            std::shared_ptr<const Kernel> linked = nullptr) {
    Result<BoundKernel> bound = BoundKernel::Make(around_.backend, code, std::move(linked));
    if (bound) {
      kernel.emplace(*std::move(bound));
      return true;
    }
    const bool no_memory = bound.error().kind == ErrorKind::kRun;
    return Answer(no_memory ? ENOMEM : EINVAL, bound.error().message, /*link_failed=*/true) &&
           false;
  }

  bool Answer(int status, const std::string& message, bool link_failed = false) const {
    CandidateAnswer answer = MakeAnswer(order_, status, message);
    answer.link_failed = link_failed;
    return SendAnswer(kLineDescriptor, answer);
  }

  bool Answer(const Result<void>& ran) const {
    return ran ? Answer(0, "") : Answer(EIO, ran.error().message);
  }

  std::vector<void*> Tensors(size_t set) const {
    const TaskMemory& memory = around_.memory;
    const auto placement = static_cast<Placement>(around_.setup.placements.at(set));
    std::vector<void*> tensors;
    for (size_t i = 0; i < memory.input_layout.size(); ++i) {
      tensors.push_back(memory.input_layout.At(memory.inputs.at(set).data(), i, placement));
    }
    for (size_t i = 0; i < memory.output_layout.size(); ++i) {
      tensors.push_back(memory.output_layout.At(memory.outputs.data(), i, placement));
    }
    return tensors;
  }

  void Call(uint32_t set) {
    // Whatever an earlier call made of it.
    SetFlushToZero(false, around_.setup.threads);
    Result<void> ran = candidate_->Bind(Tensors(set));
    const SteadyClock clock;
    const double begin = clock.Now();
    if (ran) {
      ran = candidate_->Call();
      ++verified_.calls;
    }
    verified_.seconds += clock.Now() - begin;
    if (ran && !candidate_->BordersIntact()) {
      Answer(EFAULT, "wrote beside a packed weight");
      return;
    }
    Answer(ran);
  }

  void Time(const CandidateCommand& command) {
    const size_t set = around_.memory.inputs.size() - 1;
    Result<void> bound = reference_->Bind(Tensors(set));
    if (bound) bound = candidate_->Bind(Tensors(set));
    if (!bound) {
      Answer(bound);
      return;
    }
    Protocol protocol = MakeProtocol(*ParseSpec(around_.setup.protocol));
    if (command.finalist != 0) protocol = FinalProtocol(protocol);
    if (command.control != 0) protocol = ControlProtocol(protocol);
    SetFlushToZero(protocol.flush_to_zero, around_.setup.threads);
    if (command.order == CandidateOrder::kWarmUp) {
      warm_ = WarmUpEach(BothCalls(), protocol, {SteadyClock(), cpu_clock_}, Options(command));
    } else {
      StayOn(timed_);
      Run(protocol, command);
      StayOn(quiet_);
    }
    SetFlushToZero(false, around_.setup.threads);
    Answer(failed_ ? Result<void>(*failed_) : Result<void>());
  }

  std::array<std::function<void()>, 2> BothCalls() {
    return {CallOf(*reference_), CallOf(*candidate_)};
  }

  TimingOptions Options(const CandidateCommand& command) {
    TimingOptions options;
    options.credit = {{.calls_per_sample = command.reference_calls}, verified_};
    if (cache_walk_) options.between_samples = [this] { cache_walk_->Run(); };
    if (counters_) options.read_counters = [this] { return counters_->Read(); };
    return options;
  }

  void Run(const Protocol& protocol, const CandidateCommand& command) {
    TimingOptions options = Options(command);
    options.warm = std::exchange(warm_, {});
    options.around_sample = [&protocol](size_t series, bool begins) {
      if (begins) SetFlushToZero(protocol.flush_to_zero);
      SendStamp(kStampDescriptor, series, begins);
    };
    std::optional<double> best;
    if (command.has_best_ratio != 0) best = command.best_ratio;
    Rng rng(command.seed);
    const SteadyClock wall;
    const PairedTiming timing =
        TimeInterleaved(BothCalls(), protocol, best, {wall, cpu_clock_}, rng, options);
    for (size_t i = 0; i < 2; ++i) page_.series[i] = PageOf(timing.series[i]);
    page_.early_reject = timing.early_reject;
  }

  void ChooseProcessors(std::optional<int32_t> timed) {
    quiet_ = timed_ = UsableProcessors();
    if (!timed || CPU_COUNT(&quiet_) < 2) return;
    CPU_CLR(*timed, &quiet_);
    CPU_ZERO(&timed_);
    CPU_SET(*timed, &timed_);
  }

  // Before the team starts, so that its threads are counted, too.
  void OpenCounters() {
    Result<EventCounters> counters = EventCounters::Open();
    if (counters) counters_.emplace(*std::move(counters));
  }

  void MakeCacheWalk() {
    const Target& target = around_.backend.target();
    if (target.warm) return;
    cache_walk_.emplace(CacheWalkBytes(target), target.line_bytes, target.cores);
  }

  std::function<void()> CallOf(const BoundKernel& kernel) {
    return [this, &kernel] {
      if (auto ran = kernel.Call(); !ran && !failed_) failed_ = ran.error();
    };
  }

  const CandidateContext& around_;
  SandboxLimits limits_;
  ResultPage& page_;
  int refused_ = 0;     // why the system did not let it prepare
  uint64_t order_ = 0;  // the last one
  std::optional<BoundKernel> reference_, candidate_;
  std::optional<Error> failed_;
  cpu_set_t quiet_, timed_;   // processors: where it waits and is verified, where it is timed
  WarmUpCredit verified_;     // the candidate's calls so far
  std::vector<WarmUp> warm_;  // results of the last warm-up, the reference's first
  std::optional<CacheWalk> cache_walk_;  // set where caches are to be cold
  std::optional<EventCounters> counters_;
  ProcessCpuClock cpu_clock_;
};

}  // namespace

void RunCandidateProcess(const CandidateContext& surroundings, const CandidateSource& next) {
  CandidateProcess process(surroundings);
  try {
    process.Prepare();
    const std::optional<ObjectCode> candidate = next();
    if (candidate && process.Adopt(*candidate)) process.Serve();
  } catch (const std::bad_alloc&) {
    _exit(ENOMEM);
  }
  _exit(0);
}

}  // namespace schedulegym
