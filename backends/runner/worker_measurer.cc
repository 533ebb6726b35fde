#include "backends/runner/worker_measurer.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "backends/runner/checker_link.h"
#include "backends/runner/combine_timings.h"
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

// Measured in one go by two checkers: enough that waiting for the last one does not matter.
constexpr int kTrialsAtOnce = 8;
// How often workers are attended to while nothing comes.
constexpr double kTickSeconds = 0.05;

// What this process knows of a task that it measures.
struct MeasuredTask {
  std::optional<PrepareRequest> request;
  std::optional<double> reference_seconds;  // the session's, once some checker has timed it
  std::optional<double> best_ratio;
  std::map<Key, Measurement> known;  // by state
};

// A checker, what it has prepared and what it was asked last.
struct Station {
  Station(EventLoop& loop, const std::string& program) : checker(loop, program) {}

  CheckerLink checker;
  std::set<Key> prepared;             // tasks
  std::optional<Key> preparing;       // the question is about this task
  std::optional<CheckerAnswer> said;  // to the last question, not yet taken
  int deaths = 0;                     // while it prepared, in a row
};

// A candidate on its way.
struct Trial {
  const Candidate* candidate = nullptr;
  Key key;
  Key task;
  std::optional<Compiled> compiled;
  Station* station = nullptr;  // that was asked
  int attempt = 0;
  std::vector<Measurement> finals;  // of a finalist, one of each process
  std::optional<Measurement> result;
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
        protocol_(ProtocolOf(options_.protocol)),
        sentinels_(protocol_, clock().Now()) {
    SG_CHECK(options_.reference != nullptr, "a measurer needs the reference schedules");
    for (int i = 0; i < std::max(options_.checkers, 1); ++i) {
      stations_.push_back(std::make_unique<Station>(loop_, options_.program));
    }
    session_ = std::make_shared<MeasuringSession>();
    session_->id = SessionId();
    session_->protocol = options_.protocol;
  }

  // While one candidate is timed the next is verified, so that a few at once are fastest.
  int Width() const override { return stations_.size() > 1 ? kTrialsAtOnce : 1; }

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    Expect(candidates);
    std::vector<Trial> trials;
    for (const Candidate& candidate : candidates) {
      EnsurePrepared(candidate.state.shared_task());
      Trial trial;
      trial.candidate = &candidate;
      trial.key = StateKey(candidate.state);
      trial.task = TaskKey(candidate.state.task());
      trials.push_back(std::move(trial));
    }
    while (!AdvanceAll(trials)) Wait();
    std::vector<Measurement> measurements;
    for (Trial& trial : trials) measurements.push_back(*std::move(trial.result));
    if (!trials.empty()) Watch(trials.back().task);
    return measurements;
  }

  Afterthoughts TakeAfterthoughts() override { return std::exchange(afterthoughts_, {}); }

  void Expect(std::span<const Candidate> candidates) override {
    for (const Candidate& candidate : candidates) {
      const Key key = StateKey(candidate.state);
      MeasuredTask& task = tasks_[TaskKey(candidate.state.task())];
      if (!task.known.contains(key)) SubmitOnce(candidate.state, key);
    }
  }

 private:
  const Clock& clock() const { return options_.clock ? *options_.clock : steady_; }

  // Lets the workers work, and looks at what they said.
  void Wait() {
    loop_.Wait(std::min(pool_.NextDeadline(), kTickSeconds));
    pool_.Attend();
    for (const auto& station : stations_) {
      auto answer = station->checker.Attend([&](bool begins) { pool_.SetPaused(begins); });
      if (!answer) continue;
      pool_.SetPaused(false);
      if (answer->is_gone) station->prepared.clear();
      station->said = std::move(answer);
      if (station->preparing) TakePrepared(*station);
    }
  }

  // The job that compiles a state; one for each, for as long as nobody has taken what it made.
  uint64_t SubmitOnce(const ScheduleState& state, const Key& key) {
    const auto [job, is_new] = jobs_.try_emplace({TaskKey(state.task()), key}, last_job_ + 1);
    if (is_new) {
      ++last_job_;
      pool_.Submit(job->second, {TextOf(state.task()), state.TraceText(), 0});
    }
    return job->second;
  }

  std::optional<Compiled> TakeCompiled(const ScheduleState& state, const Key& key) {
    std::optional<Compiled> compiled = pool_.Take(SubmitOnce(state, key));
    if (compiled) jobs_.erase({TaskKey(state.task()), key});
    return compiled;
  }

  // Whether all have their results.
  bool AdvanceAll(std::vector<Trial>& trials) {
    bool done = true;
    for (Trial& trial : trials) {
      if (!trial.result) Advance(trial);
      done = done && trial.result.has_value();
    }
    return done;
  }

  // As far as it goes without waiting.
  void Advance(Trial& trial) {
    MeasuredTask& task = tasks_.at(trial.task);
    const auto known = task.known.find(trial.key);
    if (known != task.known.end() && !trial.candidate->finalist) {
      trial.result = known->second;
      return;
    }
    if (Suspicions(trial.key) >= options_.most_suspicions) {
      return Conclude(trial, FailedMeasurement({Outcome::kInfra, QuarantineText(trial.key)}));
    }
    if (!trial.compiled) {
      trial.compiled = TakeCompiled(trial.candidate->state, trial.key);
      if (!trial.compiled) return;
      if (trial.compiled->failure) {
        return Conclude(trial, FailedMeasurement(*trial.compiled->failure));
      }
    }
    if (trial.station == nullptr) return AskIdle(trial, task);
    if (trial.station->said) TakeAnswer(trial, *std::exchange(trial.station->said, {}));
  }

  void AskIdle(Trial& trial, MeasuredTask& task) {
    for (const auto& station : stations_) {
      if (station->checker.is_busy() || station->said) continue;
      if (!station->prepared.contains(trial.task)) {
        // In the background, while the first one works.
        AskToPrepare(*station, trial.task);
        continue;
      }
      MeasureRequest request;
      request.task = trial.task.ToText();
      request.code = trial.compiled->code;
      request.finalist = trial.candidate->finalist;
      // A finalist's processes differ in the layout of their memory.
      request.fresh = trial.attempt > 0 || trial.candidate->finalist;
      request.reference_seconds = task.reference_seconds;
      if (!trial.candidate->finalist) request.best_ratio = task.best_ratio;
      station->checker.Ask(MessageType::kMeasure, Encode(request));
      trial.station = station.get();
      return;
    }
  }

  void TakeAnswer(Trial& trial, const CheckerAnswer& answer) {
    Station& station = *std::exchange(trial.station, nullptr);
    if (answer.is_gone) {
      ++suspicions_[trial.key];
      return Conclude(trial, FailedMeasurement({Outcome::kInfra, answer.message}));
    }
    if (answer.refusal == "forgotten") {
      station.prepared.erase(trial.task);
      return;
    }
    if (!answer.refusal.empty()) {
      return Conclude(trial, FailedMeasurement({Outcome::kInfra, answer.message}));
    }
    const Result<MeasureReply> reply = Decode<MeasureReply>(answer.payload);
    Result<Measurement> measurement = reply ? FromWire(*reply) : Result<Measurement>(reply.error());
    if (!measurement) {
      measurement = FailedMeasurement({Outcome::kCorruptResult, measurement.error().message});
    }
    Conclude(trial, *std::move(measurement));
  }

  // Or once more, from the beginning, for what was not its fault.
  void Conclude(Trial& trial, Measurement measurement) {
    if (trial.candidate->finalist && measurement.ok()) {
      trial.finals.push_back(std::move(measurement));
      if (static_cast<int>(trial.finals.size()) < protocol_.final_processes) return;
      measurement = Combined(trial.finals);
    }
    if (trial.compiled) measurement.phases.compile += trial.compiled->seconds;
    const bool again = !MayLearnFrom(measurement.outcome) && trial.attempt < options_.retries &&
                       Suspicions(trial.key) < options_.most_suspicions;
    if (again) {
      ++trial.attempt;
      trial.compiled.reset();
      trial.finals.clear();
      return;
    }
    measurement.seed = options_.seed;
    measurement.session = session_;
    measurement.sequence = sequence_++;
    measurement.attempt = trial.attempt;
    MeasuredTask& task = tasks_.at(trial.task);
    if (MayLearnFrom(measurement.outcome)) task.known[trial.key] = measurement;
    // The lower end: a lucky reading must not reject what is as good.
    if (measurement.ok()) {
      task.best_ratio = std::max(task.best_ratio.value_or(0), measurement.timing->ratio.low);
      since_sentinel_.push_back(*trial.candidate);
    }
    sentinels_.OnCandidate();
    trial.result = std::move(measurement);
  }

  static Measurement Combined(const std::vector<Measurement>& finals) {
    Measurement combined = finals.front();
    std::vector<Timing> timings;
    combined.phases = {};
    for (const Measurement& one : finals) {
      timings.push_back(*one.timing);
      combined.phases.compile += one.phases.compile;
      combined.phases.verify += one.phases.verify;
      combined.phases.measure += one.phases.measure;
    }
    combined.timing = CombineTimings(timings);
    return combined;
  }

  int Suspicions(const Key& key) const {
    const auto found = suspicions_.find(key);
    return found == suspicions_.end() ? 0 : found->second;
  }

  std::string QuarantineText(const Key& key) const {
    return "refused: it has ended " + std::to_string(Suspicions(key)) + " workers";
  }

  // The reference against itself, when that is due.
  void Watch(const Key& key) {
    if (!sentinels_.IsDue(clock().Now())) return;
    MeasuredTask& task = tasks_.at(key);
    Station& station = *stations_.front();
    if (!station.prepared.contains(key)) return;
    const SentinelRequest request = {key.ToText(), task.reference_seconds};
    const CheckerAnswer answer = AskAndWait(station, MessageType::kSentinel, Encode(request));
    sentinels_.OnSentinel(clock().Now());
    const Result<SentinelReply> reply = Decode<SentinelReply>(answer.payload);
    if (answer.is_gone || !answer.refusal.empty() || !reply) return;
    if (reply->reference_seconds) task.reference_seconds = reply->reference_seconds;
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

  CheckerAnswer AskAndWait(Station& station, MessageType type, const std::string& payload) {
    while (station.checker.is_busy()) Wait();
    station.said.reset();
    station.checker.Ask(type, payload);
    while (!station.said) Wait();
    return *std::exchange(station.said, {});
  }

  // On one checker at least.
  void EnsurePrepared(const std::shared_ptr<const Task>& task) {
    const Key key = TaskKey(*task);
    MeasuredTask& measured = tasks_[key];
    if (!measured.request) measured.request = MakePrepareRequest(task);
    Station& first = *stations_.front();
    while (!first.prepared.contains(key)) {
      if (!first.checker.is_busy() && !first.said) AskToPrepare(first, key);
      Wait();
    }
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
    const Key key = StateKey(reference);
    std::optional<Compiled> compiled = TakeCompiled(reference, key);
    for (; !compiled; compiled = TakeCompiled(reference, key)) Wait();
    if (compiled->failure) {
      throw InputError("cannot measure " + task->name + ": " + compiled->failure->message);
    }
    request.reference = std::move(compiled->code);
    Hasher hasher;
    hasher.Add(options_.seed);
    hasher.Add(request.key);
    request.seed = hasher.Value();
    request.protocol = options_.protocol;
    return request;
  }

  void AskToPrepare(Station& station, const Key& key) {
    station.preparing = key;
    PrepareRequest request = *tasks_.at(key).request;
    request.probe = session_->grade.empty() && &station == stations_.front().get();
    station.checker.Ask(MessageType::kPrepare, Encode(request));
  }

  // A checker that was killed is replaced; one that dies of preparing dies again, and that is told.
  void TakePrepared(Station& station) {
    const CheckerAnswer answer = *std::exchange(station.said, {});
    const Key key = *std::exchange(station.preparing, {});
    if (answer.is_gone && ++station.deaths < options_.most_suspicions) return;
    station.deaths = 0;
    if (answer.refusal == "input") throw InputError(answer.message);
    if (answer.refusal == "bug") throw std::logic_error(answer.message);
    if (answer.is_gone || !answer.refusal.empty()) throw MachineError(answer.message);
    const Result<PrepareReply> reply = Decode<PrepareReply>(answer.payload);
    if (!reply) throw MachineError(reply.error().message);
    // One time of the reference for the session, whichever checker measures.
    MeasuredTask& task = tasks_.at(key);
    if (!task.reference_seconds) task.reference_seconds = reply->reference_seconds;
    NoteSurroundings(*reply);
    station.prepared.insert(key);
  }

  // A session that was handed out does not change any more.
  void NoteSurroundings(const PrepareReply& reply) {
    if (session_->toolchain == reply.toolchain && reply.grade.empty()) return;
    auto session = std::make_shared<MeasuringSession>(*session_);
    session->toolchain = reply.toolchain;
    if (!reply.grade.empty()) session->grade = reply.grade;
    if (!reply.probe.empty()) session->probe = reply.probe;
    session_ = std::move(session);
  }

  WorkerOptions options_;
  SteadyClock steady_;
  EventLoop loop_;
  CompilePool pool_;
  std::vector<std::unique_ptr<Station>> stations_;
  std::shared_ptr<MeasuringSession> session_;
  int64_t sequence_ = 0;
  std::map<Key, MeasuredTask> tasks_;
  std::map<std::pair<Key, Key>, uint64_t> jobs_;  // of compiling, by task and state
  uint64_t last_job_ = 0;
  std::map<Key, int> suspicions_;  // by state: how often it ended a checker
  Protocol protocol_;
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
