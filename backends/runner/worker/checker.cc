// The checker process: answers prepare, measure, verify and control. It keeps up to 8 tasks of each
// kind (the least recently used goes). A task's reference is timed against itself up to 3 times (9
// where repeats are asked for) until it is calm. A candidate far faster than the best known is
// verified on fresh inputs. One lock between checkers lets one of them time at once; before each
// session the machine is probed for 0.5 s.
#include "backends/runner/worker/services.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "backends/runner/timing_rules.h"
#include "backends/runner/verification/verifier.h"
#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/verify_messages.h"
#include "backends/runner/worker/checked_measurement.h"
#include "backends/runner/worker/checked_task.h"
#include "backends/runner/worker/measuring_lock.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/measure/control_measurement.h"
#include "env/measure/host/session_probe.h"
#include "env/measure/timing/clocks.h"
#include "env/measure/timing/outlier_check.h"
#include "env/measure/timing/paired_statistics.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

// How often the reference is timed against itself when it is disturbed.
constexpr int kReferenceAttempts = 3;
constexpr int kMostReferenceAttempts = 9;

// Limit for examining the host, as the first trial should appear after three seconds.
constexpr double kProbeSeconds = 0.5;
// Limit of prepared tasks, both of those that are timed and of the small ones that are not.
constexpr size_t kMostTasks = 8;

struct KnownTask {
  explicit KnownTask(PrepareRequest asked, double most_naive_flops = kMostNaiveFlops)
      : request(std::move(asked)), task(request, most_naive_flops), rng(request.order_seed) {
    reference.least_seconds = LeastSeconds(task.task());
  }

  PrepareRequest request;
  CheckedTask task;
  Rng rng;
  ReferenceFacts reference;
  uint64_t last_use = 0;
};

class Checker {
 public:
  Checker(Descriptor socket, std::string program)
      : channel_(std::move(socket)), program_(std::move(program)), lock_(MeasuringLockPath()) {}

  void Serve() {
    while (std::optional<Frame> frame = Next()) {
      if (!channel_.Send(Answer(*frame))) return;
    }
  }

 private:
  std::optional<Frame> Next() {
    if (waiting_.empty()) return channel_.Receive();
    Frame frame = std::move(waiting_.front());
    waiting_.pop_front();
    return frame;
  }

  Frame Answer(const Frame& frame) {
    return AnswerOrRefuse(frame, [&]() -> Frame {
      switch (static_cast<MessageType>(frame.type)) {
        case MessageType::kPrepare: return {frame.type, frame.id, Prepare(frame)};
        case MessageType::kMeasure: return Measure(frame);
        case MessageType::kVerify: return Verify(frame);
        case MessageType::kControl: return ControlMeasurement(frame);
        default: throw std::logic_error("the checker was asked for something else");
      }
    });
  }

  static Frame Forgotten(const Frame& frame, const std::string& task) {
    return {static_cast<uint16_t>(MessageType::kRefused), frame.id,
            Encode(RefusedReply{"forgotten", task})};
  }

  std::string Prepare(const Frame& frame) {
    Result<PrepareRequest> request = Decode<PrepareRequest>(frame.payload);
    if (!request) throw std::logic_error(request.error().message);
    PrepareReply reply;
    const double begin = clock_.Now();
    // Forgets a task that was refused, as the next task may have its address.
    current_ = nullptr;
    MakeRoom(request->verify_only);
    auto known = std::make_unique<KnownTask>(*request);
    reply.verify_seconds = clock_.Now() - begin;
    reply.mistrust = known->task.mistrust();
    const Measurement measured =
        request->verify_only ? VerifyReference(*known, frame.id) : TimeReference(*known, frame.id);
    reply.reference_seconds = known->reference.seconds;
    reply.measure_seconds = measured.phases.measure;
    reply.verify_seconds += measured.phases.verify;
    reply.toolchain = ToolchainName(known->task.task().target);
    if (request->probe) Probe(reply, frame.id);
    tasks_[request->key] = std::move(known);
    return Encode(reply);
  }

  // Called once a session, while no other checker times.
  void Probe(PrepareReply& reply, uint64_t id) {
    std::optional<MeasuringTurn> turn;
    TakeLock(turn, id);
    const ProcessCpuClock cpu;
    Rng rng(1);
    const SessionProbe probe = ProbeHost({clock_, cpu}, kProbeSeconds, rng);
    reply.grade = GradeName(probe.grade);
    reply.probe = ProbeText(probe);
  }

  // Drops the tasks that were not used for longest, as their memory is large.
  void MakeRoom(bool verify_only) {
    size_t count = 0;
    auto oldest = tasks_.end();
    for (auto task = tasks_.begin(); task != tasks_.end(); ++task) {
      if (task->second->request.verify_only != verify_only) continue;
      ++count;
      const bool is_older =
          oldest == tasks_.end() || task->second->last_use < oldest->second->last_use;
      if (is_older) oldest = task;
    }
    if (count < kMostTasks) return;
    if (current_ == oldest->second.get()) current_ = nullptr;
    tasks_.erase(oldest);
  }

  KnownTask* Find(const std::string& key) {
    const auto found = tasks_.find(key);
    if (found == tasks_.end()) return nullptr;
    found->second->last_use = ++uses_;
    return found->second.get();
  }

  // Verified as candidates are, and timed against itself. Best of several attempts where the
  // machine is busy, as all seconds of the session depend on it.
  Measurement TimeReference(KnownTask& known, uint64_t id) {
    MeasureRequest request;
    request.code = known.task.setup().reference;
    double best = std::numeric_limits<double>::infinity();
    Measurement measurement;
    int attempts = kReferenceAttempts;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      measurement = MeasureOne(known, request, id, /*accepts_noise=*/true);
      if (!measurement.ok()) {
        // The reference is our own code, so reports that differ from outside times show a busy
        // machine.
        const bool repeat = GroupOf(measurement.outcome) == OutcomeGroup::kRepeat ||
                            measurement.outcome == Outcome::kCorruptResult;
        if (!repeat || ++attempts > kMostReferenceAttempts) RefuseReference(known, measurement);
        continue;
      }
      best = std::min(best, measurement.timing->seconds);
      known.reference.calls_per_sample = measurement.timing->reference_calls_per_sample;
      if (!IsUneasy(measurement.timing->ratio, measurement.timing->short_of_threads)) break;
    }
    known.reference.seconds = best;
    return measurement;
  }

  Measurement VerifyReference(KnownTask& known, uint64_t id) {
    Measurement verified = VerifyOne(known, known.task.setup().reference, id);
    if (!verified.ok()) RefuseReference(known, verified);
    return verified;
  }

  [[noreturn]] static void RefuseReference(const KnownTask& known, const Measurement& measurement) {
    const std::string message = "the reference schedule of " + known.task.task().name + ": " +
                                OutcomeName(measurement.outcome) + ": " + measurement.message;
    if (measurement.outcome == Outcome::kWrongOutput) throw std::logic_error(message);
    throw MachineError(message);
  }

  Frame Measure(const Frame& frame) {
    Result<MeasureRequest> request = Decode<MeasureRequest>(frame.payload);
    if (!request) throw std::logic_error(request.error().message);
    KnownTask* known = Find(request->task);
    if (known == nullptr) return Forgotten(frame, request->task);
    if (request->fresh) zygote_.reset();
    Measurement measurement = MeasureOne(*known, *request, frame.id);
    const std::string outlier_reason = OutlierReason(measurement, request->best_ratio);
    if (!outlier_reason.empty())
      VerifyAnew(*known, request->code, outlier_reason, frame.id, measurement);
    return {frame.type, frame.id, Encode(ToWire(measurement))};
  }

  // Verifies on inputs that no candidate has seen, so that one with stored answers fails. The
  // reference was not checked on them, so the expected outputs come from the naive program, except
  // where that would take minutes.
  void VerifyAnew(KnownTask& known, const ObjectCode& code, const std::string& outlier_reason,
                  uint64_t id, Measurement& measurement) {
    const double begin = clock_.Now();
    PrepareRequest request = known.request;
    request.seed = known.rng.Next();
    request.verify_only = true;
    const bool are_naive = CountFlops(known.task.task().dag) <= kMostCheckedFlops;
    KnownTask anew(std::move(request), are_naive ? kAlwaysNaive : kMostNaiveFlops);
    anew.reference = known.reference;
    const Measurement verified = VerifyOne(anew, code, id);
    current_ = nullptr;
    measurement.phases.verify += clock_.Now() - begin;
    if (verified.ok()) return;
    measurement.outcome = verified.outcome;
    measurement.message =
        verified.message + " (on fresh inputs, because of: " + outlier_reason + ")";
    measurement.stderr_tail = verified.stderr_tail;
    measurement.timing.reset();
  }

  Frame Verify(const Frame& frame) {
    Result<VerifyRequest> request = Decode<VerifyRequest>(frame.payload);
    if (!request) throw std::logic_error(request.error().message);
    KnownTask* known = Find(request->task);
    if (known == nullptr) return Forgotten(frame, request->task);
    const Measurement verified = VerifyOne(*known, request->code, frame.id);
    const VerifyReply reply = {OutcomeName(verified.outcome), verified.message,
                               verified.stderr_tail,
                               verified.phases.compile + verified.phases.verify};
    return {frame.type, frame.id, Encode(reply)};
  }

  // Times the reference against itself.
  Frame ControlMeasurement(const Frame& frame) {
    const Result<ControlRequest> asked = Decode<ControlRequest>(frame.payload);
    if (!asked) throw std::logic_error(asked.error().message);
    KnownTask* known = Find(asked->task);
    if (known == nullptr) return Forgotten(frame, asked->task);
    return {frame.type, frame.id, Encode(WatchReference(*known, *asked, frame.id))};
  }

  // If the reference fails now, measurements since the last control are suspect.
  ControlReply WatchReference(KnownTask& known, const ControlRequest& asked, uint64_t id) {
    MeasureRequest request;
    request.code = known.task.setup().reference;
    request.reference_seconds = asked.reference_seconds;
    const Measurement measurement =
        MeasureOne(known, request, id, /*accepts_noise=*/false, /*is_control=*/true);
    if (!measurement.ok()) return {.good = false};
    const Timing& timing = *measurement.timing;
    const double seconds =
        Median({timing.reference_samples.begin(), timing.reference_samples.end()});
    const ControlEvaluation evaluation =
        EvaluateControl(timing.ratio, seconds, known.reference.seconds, known.task.protocol());
    if (evaluation.recalibrate) known.reference.seconds = seconds;
    return {evaluation.good, timing.ratio.median, timing.ratio.low, timing.ratio.high,
            known.reference.seconds};
  }

  // Measures the reference itself if `is_control`.
  Measurement MeasureOne(KnownTask& known, const MeasureRequest& request, uint64_t id,
                         bool accepts_noise = false, bool is_control = false) {
    EnsureZygote(known);
    if (request.reference_seconds) known.reference.seconds = *request.reference_seconds;
    std::optional<MeasuringTurn> turn;
    const Target& target = known.task.task().target;
    std::optional<DeviceUse> use = UseOf(target);
    // Drivers for processors use all cores; those of cards wait on one.
    const bool all_cores = target.cores > 1 || target.IsGpu();
    bool is_alone = false;
    const auto alone = [&](bool begins) {
      is_alone = begins;
      Announce(begins, /*references=*/false, id);
    };
    // Other processes may time after this one's samples. The lock is released before waiting for
    // the front, which its user may have stopped.
    const auto watch = [&](bool begins) {
      if (begins) {
        if (use) use->LetGo();
        TakeLock(turn, id);
        if (use) use->TakeAlone();
      } else {
        if (use) use->ShareAgain();
        turn.reset();
      }
      Announce(is_alone || (begins && all_cores), /*references=*/begins, id);
    };
    const MeasurementMeans means{.task = known.task,
                                 .zygote = *zygote_,
                                 .clock = clock_,
                                 .reference = known.reference,
                                 .watch = watch,
                                 .alone = all_cores ? TimingWatch(alone) : TimingWatch(),
                                 .warms_ahead = !all_cores,
                                 .is_control = is_control,
                                 .accepts_noise = accepts_noise};
    return MeasureChecked(request, id, means, known.rng);
  }

  Measurement VerifyOne(KnownTask& known, const ObjectCode& code, uint64_t id) {
    EnsureZygote(known);
    const std::optional<DeviceUse> use = UseOf(known.task.task().target);
    return VerifyChecked(code, id, {known.task, *zygote_, clock_, known.reference, {}});
  }

  // For a GPU: the lock that keeps other searches' kernels off the card during a timing.
  std::optional<DeviceUse> UseOf(const Target& target) {
    if (!target.IsGpu()) return std::nullopt;
    if (!lease_) lease_.emplace(DeviceLeasePath());
    return std::optional<DeviceUse>(std::in_place, *lease_);
  }

  void EnsureZygote(KnownTask& known) {
    if (zygote_ && zygote_->is_gone()) zygote_.reset();
    const bool on_device = known.task.task().target.IsGpu();
    if (zygote_ && zygote_->is_device() != on_device) zygote_.reset();
    if (!zygote_) {
      zygote_ = on_device ? std::make_unique<ZygoteLink>(DeviceProgramPath{FindDeviceProgram()})
                          : std::make_unique<ZygoteLink>(program_);
      current_ = nullptr;
    }
    if (current_ == &known) return;
    zygote_->AwaitDismissed(clock_);
    if (!zygote_->SetUp(known.task.setup(), known.task.Files())) {
      throw MachineError(zygote_->ExitReason());
    }
    current_ = &known;
  }

  void TakeLock(std::optional<MeasuringTurn>& turn, uint64_t id) {
    const double begin = clock_.Now();
    turn.emplace(lock_, [&] { Notify({.waits = true}, id); });
    lock_seconds_ += clock_.Now() - begin;
  }

  // The front keeps the machine quiet between the two.
  void Announce(bool compilers, bool references, uint64_t id) {
    Notify({compilers, references, std::exchange(lock_seconds_, 0.0)}, id);
  }

  // Requests of the front that come before its answer are queued.
  void Notify(const TimingNotice& notice, uint64_t id) {
    const auto type = static_cast<uint16_t>(MessageType::kTiming);
    if (!channel_.Send({type, id, Encode(notice)})) return;
    while (std::optional<Frame> frame = channel_.Receive()) {
      if (frame->type == type) return;
      waiting_.push_back(*std::move(frame));
    }
  }

  FrameChannel channel_;
  std::string program_;
  MeasuringLock lock_;
  std::optional<MeasuringLock> lease_;  // of GPUs, once one is used
  double lock_seconds_ = 0;             // waited for it, not yet announced
  SteadyClock clock_;
  std::map<std::string, std::unique_ptr<KnownTask>> tasks_;  // by key
  uint64_t uses_ = 0;
  std::unique_ptr<ZygoteLink> zygote_;
  KnownTask* current_ = nullptr;  // the task that the zygote was set up for
  std::deque<Frame> waiting_;
};

}  // namespace

void RunChecker(Descriptor socket, const std::string& program) {
  Checker(std::move(socket), program).Serve();
}

}  // namespace schedulegym
