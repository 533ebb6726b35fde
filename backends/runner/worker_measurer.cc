#include "backends/runner/worker_measurer.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "backends/runner/checker_link.h"
#include "backends/runner/compile_pool.h"
#include "backends/runner/process/event_loop.h"
#include "backends/runner/wire/encoding.h"
#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/measure/clocks.h"
#include "env/measure/error_dag.h"
#include "env/measure/protocol.h"
#include "env/measure/record.h"
#include "env/measure/sentinel.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// What this process knows of a task that it measures.
struct MeasuredTask {
  bool is_prepared = false;
  PrepareRequest request;  // to prepare it again
  std::optional<double> best_ratio;
  std::map<Key, Measurement> known;  // by state
};

std::string SessionId() {
  Hasher hasher;
  hasher.Add(static_cast<uint64_t>(getpid()));
  hasher.Add(HostName());
  hasher.Add(std::to_string(CalendarClock().Now()));
  return hasher.KeyValue().ToText();
}

Protocol ProtocolOf(const std::string& text) {
  const Result<Spec> spec = ParseSpec(text);
  if (!spec) throw InputError("protocol: " + spec.error().message);
  return MakeProtocol(*spec);
}

Measurement FailedMeasurement(const Failure& failure) {
  Measurement measurement;
  measurement.outcome = failure.outcome;
  measurement.message = failure.message;
  return measurement;
}

class WorkerMeasurer : public Measurer {
 public:
  explicit WorkerMeasurer(WorkerOptions options)
      : options_(std::move(options)),
        pool_(loop_,
              {.program = options_.program,
               .workers = options_.compile_workers,
               .most_seconds = options_.compile_seconds},
              clock()),
        checker_(loop_, options_.program, clock()),
        sentinels_(ProtocolOf(options_.protocol), clock().Now()) {
    SG_CHECK(options_.reference != nullptr, "a measurer needs the reference schedules");
    session_ = std::make_shared<MeasuringSession>();
    session_->id = SessionId();
    session_->protocol = options_.protocol;
  }

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    Expect(candidates);
    std::vector<Measurement> measurements;
    for (const Candidate& candidate : candidates) measurements.push_back(MeasureOne(candidate));
    return measurements;
  }

  Afterthoughts TakeAfterthoughts() override { return std::exchange(afterthoughts_, {}); }

  void Expect(std::span<const Candidate> candidates) override {
    for (const Candidate& candidate : candidates) {
      const ScheduleState& state = candidate.state;
      const Key key = StateKey(state);
      MeasuredTask& task = tasks_[TaskKey(state.task())];
      if (!task.known.contains(key)) SubmitOnce(state, key);
    }
  }

 private:
  const Clock& clock() const { return options_.clock ? *options_.clock : steady_; }

  // The job that compiles a state; one for each, for as long as nobody has taken what it made.
  uint64_t SubmitOnce(const ScheduleState& state, const Key& key) {
    const auto [job, is_new] = jobs_.try_emplace({TaskKey(state.task()), key}, last_job_ + 1);
    if (is_new) {
      ++last_job_;
      pool_.Submit(job->second, {TextOf(state.task()), state.TraceText(), 0});
    }
    return job->second;
  }

  Measurement MeasureOne(const Candidate& candidate) {
    const ScheduleState& state = candidate.state;
    const Key key = StateKey(state);
    MeasuredTask& task = Prepare(state.shared_task());
    const auto known = task.known.find(key);
    if (known != task.known.end() && !candidate.finalist) return known->second;
    Measurement measurement = Try(candidate, key, task);
    for (int attempt = 1; attempt <= options_.retries; ++attempt) {
      if (MayLearnFrom(measurement.outcome)) break;
      if (Suspicions(key) >= options_.most_suspicions) break;
      measurement = Try(candidate, key, task, /*fresh=*/true);
      measurement.attempt = attempt;
    }
    measurement.seed = options_.seed;
    measurement.session = session_;
    measurement.sequence = sequence_++;
    if (MayLearnFrom(measurement.outcome)) task.known[key] = measurement;
    // The lower end: a lucky reading must not reject what is as good.
    if (measurement.ok()) {
      task.best_ratio = std::max(task.best_ratio.value_or(0), measurement.timing->ratio.low);
      since_sentinel_.push_back(candidate);
    }
    Watch(task);
    return measurement;
  }

  // The reference against itself, when that is due.
  void Watch(const MeasuredTask& task) {
    sentinels_.OnCandidate();
    if (!sentinels_.IsDue(clock().Now())) return;
    const CheckerAnswer answer =
        AskChecker(MessageType::kSentinel, Encode(SentinelRequest{task.request.key}));
    sentinels_.OnSentinel(clock().Now());
    const Result<SentinelReply> reply = Decode<SentinelReply>(answer.payload);
    if (answer.is_gone || !answer.refusal.empty() || !reply) return;
    afterthoughts_.sentinels.push_back({session_,
                                        sequence_ - 1,
                                        {reply->ratio, reply->ratio_low, reply->ratio_high},
                                        reply->good});
    if (!reply->good) Suspect();
    since_sentinel_.clear();
  }

  // Each state once: what is doubtful twice has no luck on this machine.
  void Suspect() {
    for (const Candidate& candidate : since_sentinel_) {
      const Key key = StateKey(candidate.state);
      if (!suspected_.insert(key).second) continue;
      tasks_[TaskKey(candidate.state.task())].known.erase(key);
      afterthoughts_.suspects.push_back(candidate);
    }
  }

  // Meanwhile others compile, but while a kernel that uses all cores is timed.
  CheckerAnswer AskChecker(MessageType type, const std::string& payload) {
    const auto attend = [&] {
      pool_.Attend();
      return pool_.NextDeadline();
    };
    CheckerAnswer answer =
        checker_.Ask(type, payload, attend, [&](bool begins) { pool_.SetPaused(begins); });
    pool_.SetPaused(false);
    return answer;
  }

  int Suspicions(const Key& key) const {
    const auto found = suspicions_.find(key);
    return found == suspicions_.end() ? 0 : found->second;
  }

  // Once, from trace to timing.
  Measurement Try(const Candidate& candidate, const Key& key, MeasuredTask& task,
                  bool fresh = false) {
    Compiled compiled = AwaitCompiled(candidate.state, key);
    if (compiled.failure) {
      Measurement failed = FailedMeasurement(*compiled.failure);
      failed.phases.compile = compiled.seconds;
      return failed;
    }
    MeasureRequest request;
    request.task = task.request.key;
    request.code = std::move(compiled.code);
    request.finalist = candidate.finalist;
    request.fresh = fresh;
    if (!candidate.finalist) request.best_ratio = task.best_ratio;
    Measurement measurement = Ask(request, key, task);
    measurement.phases.compile += compiled.seconds;
    return measurement;
  }

  Compiled AwaitCompiled(const ScheduleState& state, const Key& key) {
    const uint64_t job = SubmitOnce(state, key);
    while (true) {
      if (std::optional<Compiled> compiled = pool_.Take(job)) {
        jobs_.erase({TaskKey(state.task()), key});
        return *std::move(compiled);
      }
      loop_.Wait(pool_.NextDeadline());
      pool_.Attend();
    }
  }

  Measurement Ask(const MeasureRequest& request, const Key& key, MeasuredTask& task) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      const CheckerAnswer answer = AskChecker(MessageType::kMeasure, Encode(request));
      if (answer.is_gone) {
        ++suspicions_[key];
        ForgetTasks();
        PrepareAgain(task);
        return FailedMeasurement({Outcome::kInfra, answer.message});
      }
      if (answer.refusal == "forgotten") {
        PrepareAgain(task);
        continue;
      }
      if (!answer.refusal.empty()) return FailedMeasurement({Outcome::kInfra, answer.message});
      const Result<MeasureReply> reply = Decode<MeasureReply>(answer.payload);
      Result<Measurement> measurement =
          reply ? FromWire(*reply) : Result<Measurement>(reply.error());
      if (measurement) return *std::move(measurement);
      return FailedMeasurement({Outcome::kCorruptResult, measurement.error().message});
    }
    return FailedMeasurement({Outcome::kInfra, "the checker forgets its tasks"});
  }

  void ForgetTasks() {
    for (auto& [key, task] : tasks_) task.is_prepared = false;
  }

  MeasuredTask& Prepare(const std::shared_ptr<const Task>& task) {
    MeasuredTask& measured = tasks_[TaskKey(*task)];
    if (measured.is_prepared) return measured;
    if (measured.request.key.empty()) measured.request = MakePrepareRequest(task);
    PrepareAgain(measured);
    return measured;
  }

  PrepareRequest MakePrepareRequest(const std::shared_ptr<const Task>& task) {
    PrepareRequest request;
    request.key = TaskKey(*task).ToText();
    request.task = TextOf(*task);
    const ScheduleState reference = options_.reference(task);
    request.reference_trace = reference.TraceText();
    if (const Result<ErrorDag> error = MakeErrorDag(task->dag)) {
      const auto error_task =
          std::make_shared<const Task>(Task{error->dag, task->target, task->name});
      request.error_trace = options_.reference(error_task).TraceText();
    }
    Compiled compiled = AwaitCompiled(reference, StateKey(reference));
    if (compiled.failure) {
      throw InputError("cannot measure " + task->name + ": " + compiled.failure->message);
    }
    request.reference = std::move(compiled.code);
    Hasher hasher;
    hasher.Add(options_.seed);
    hasher.Add(request.key);
    request.seed = hasher.Value();
    request.protocol = options_.protocol;
    return request;
  }

  void PrepareAgain(MeasuredTask& task) {
    CheckerAnswer answer = AskChecker(MessageType::kPrepare, Encode(task.request));
    for (int attempt = 0; answer.is_gone && attempt < options_.retries; ++attempt) {
      answer = AskChecker(MessageType::kPrepare, Encode(task.request));
    }
    if (answer.refusal == "input") throw InputError(answer.message);
    if (answer.refusal == "bug") throw std::logic_error(answer.message);
    if (answer.is_gone || !answer.refusal.empty()) throw MachineError(answer.message);
    const Result<PrepareReply> reply = Decode<PrepareReply>(answer.payload);
    if (!reply) throw MachineError(reply.error().message);
    session_->toolchain = reply->toolchain;
    session_->grade = reply->grade;
    task.is_prepared = true;
  }

  WorkerOptions options_;
  SteadyClock steady_;
  EventLoop loop_;
  CompilePool pool_;
  CheckerLink checker_;
  std::shared_ptr<MeasuringSession> session_;
  int64_t sequence_ = 0;
  std::map<Key, MeasuredTask> tasks_;
  std::map<std::pair<Key, Key>, uint64_t> jobs_;  // of compiling, by task and state
  uint64_t last_job_ = 0;
  std::map<Key, int> suspicions_;  // by state: how often it ended the checker
  SentinelSchedule sentinels_;
  std::vector<Candidate> since_sentinel_;  // measured since the last one
  std::set<Key> suspected_;                // states that were to be measured again
  Afterthoughts afterthoughts_;
};

}  // namespace

std::unique_ptr<Measurer> MakeWorkerMeasurer(WorkerOptions options) {
  return std::make_unique<WorkerMeasurer>(std::move(options));
}

}  // namespace schedulegym
