// Measures batches by workers, as a pipeline: while one candidate is timed, the next ones are
// compiled; trials are postponed while the task's reference is slow. A trial goes through compile,
// measure, and for finalists several processes and the other shapes. Failures of the machine
// (infra) and results that do not repeat are tried again. Control measurements of a kept candidate
// stand between trials: where one is bad, the trials since the last good one are suspect and
// measured again. Trials that are not begun by the cut-off stay unmeasured.
#include "backends/runner/worker_measurer.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "backends/runner/candidate_trial.h"
#include "backends/runner/measured_task.h"
#include "backends/runner/timing_rules.h"
#include "backends/runner/verification/verifier.h"
#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/verify_messages.h"
#include "backends/runner/worker_pool.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/measure/control_measurement.h"
#include "env/measure/protocol.h"
#include "env/measure/record.h"
#include "env/measure/timing/clocks.h"
#include "env/program/analysis.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Measured in one go: enough that waiting for the last one does not matter, and that one that takes
// long to compile lets others go first.
constexpr int kTrialsAtOnce = 8;

// Of a finalist, for each that is wanted.
constexpr size_t kMostProcesses = 2;

constexpr const char* kUncheckedText =
    "its reference is too large to be checked in every cell: some cells are";
constexpr const char* kDroppedText = "its reference could not be checked in every cell: ";
constexpr const char* kUnlikeText =
    "the reference took much longer in some processes than in others: the cores are busy";
constexpr const char* kBusyText =
    "the reference took much longer than usual, whenever it was tried: the cores are busy";

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
        place_({.program = options_.program,
                .compile_workers = options_.compile_workers,
                .compile_seconds = options_.compile_seconds,
                .checkers = options_.checkers,
                .checker_seconds = options_.checker_seconds,
                .most_deaths = options_.most_checker_ends,
                .warn = options_.warn},
               options_.protocol, clock()),
        protocol_(ProtocolOf(options_.protocol)),
        controls_(protocol_, clock().Now()) {
    SG_CHECK(options_.reference != nullptr, "a measurer needs the reference schedules");
  }

  int Width() const override { return kTrialsAtOnce; }

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    std::vector<CandidateTrial> trials;
    for (const Candidate& candidate : candidates) {
      trials.push_back(TrialOf(candidate));
      if (!IsKnown(trials.back())) place_.jobs().Submit(trials.back().request);
    }
    for (const Candidate& candidate : candidates) EnsurePrepared(candidate);
    MeasuringWait wait;
    while (!AdvanceAll(trials)) wait.calm += Wait(trials);
    std::vector<Measurement> measurements;
    for (CandidateTrial& trial : trials) measurements.push_back(*std::move(trial.result));
    if (trials.empty()) return measurements;
    Watch(*trials.back().candidate);
    wait.task = trials.back().task;
    wait.lock = place_.TakeLockSeconds();
    if (wait.lock + wait.calm > 0) deferred_results_.waits.push_back(wait);
    return measurements;
  }

  DeferredResults TakeDeferredResults() override {
    TakeReferences();
    return std::exchange(deferred_results_, {});
  }

  void NoteVerified(const Key& task) override { verified_.insert(task); }

  bool Finish(double most_seconds) override {
    const double end = clock().Now() + most_seconds;
    while (place_.checks_references() && clock().Now() < end) place_.Wait();
    return !place_.checks_references();
  }

  void Expect(std::span<const Candidate> candidates) override {
    std::vector<Key> jobs;
    for (const Candidate& candidate : candidates) {
      const CandidateTrial trial = TrialOf(candidate);
      if (!IsKnown(trial)) jobs.push_back(place_.jobs().Submit(trial.request));
    }
    place_.jobs().KeepOnly(jobs);
  }

 private:
  const Clock& clock() const { return options_.clock ? *options_.clock : steady_; }

  static CandidateTrial TrialOf(const Candidate& candidate) {
    SG_CHECK(candidate.state, "a host measures schedules");
    CandidateTrial trial;
    trial.candidate = &candidate;
    trial.key = StateKey(*candidate.state);
    trial.task = TaskKey(candidate.state->task());
    trial.request = CompileRequestOf(*candidate.state);
    return trial;
  }

  bool IsKnown(const CandidateTrial& trial) {
    const Candidate& candidate = *trial.candidate;
    if (candidate.finalist || candidate.anew) return false;
    return tasks_[trial.task].known.contains(trial.key);
  }

  // Returns whether all have their results. Only the first of equal candidates is measured.
  bool AdvanceAll(std::vector<CandidateTrial>& trials) {
    bool done = true;
    std::set<std::pair<Key, Key>> under_way;
    for (CandidateTrial& trial : trials) {
      if (trial.result) continue;
      const bool is_first = under_way.insert({trial.task, trial.key}).second;
      if (IsOver(*trial.candidate)) {
        CutOff(trial);
      } else if (is_first || trial.candidate->finalist) {
        Advance(trial);
      }
      done = done && trial.result.has_value();
    }
    return done;
  }

  // Seconds of it in which nothing was done but to wait for a calm machine.
  double Wait(const std::vector<CandidateTrial>& trials) {
    const double begin = clock().Now();
    const auto is_asked = [](const CandidateTrial& trial) {
      return trial.worker_session != nullptr;
    };
    const auto is_postponed = [&](const CandidateTrial& trial) {
      return !trial.result && begin < trial.not_before;
    };
    const bool is_for_calm = std::any_of(trials.begin(), trials.end(), is_postponed) &&
                             std::none_of(trials.begin(), trials.end(), is_asked);
    place_.Wait();
    return is_for_calm ? clock().Now() - begin : 0;
  }

  static bool IsOver(const Candidate& candidate) { return candidate.end && candidate.end(); }

  // A cut-off is no result of the candidate, so it may be measured another time.
  void CutOff(CandidateTrial& trial) {
    if (trial.worker_session != nullptr)
      place_.GiveUp(*std::exchange(trial.worker_session, nullptr));
    trial.result = FailedMeasurement({Outcome::kCutOff, "the time for measuring it was over"});
  }

  std::optional<Compiled> Compiling(const CompileRequest& request) {
    return place_.jobs().Take(place_.jobs().Submit(request));
  }

  // Advances the trial as far as possible without waiting.
  void Advance(CandidateTrial& trial) {
    if (clock().Now() < trial.not_before) return;
    if (trial.worker_session != nullptr) {
      if (trial.worker_session->has_answer()) TakeAnswer(trial);
      return;
    }
    if (trial.shapes) return AdvanceShape(trial);
    if (IsKnown(trial)) {
      trial.result = tasks_.at(trial.task).known.at(trial.key);
      return;
    }
    if (TimesEndingChecker(trial.key) >= options_.most_checker_ends) {
      return Conclude(trial, FailedMeasurement({Outcome::kInfra, QuarantineText(trial.key)}));
    }
    if (!trial.compiled) trial.compiled = Compiling(trial.request);
    if (!trial.compiled) return;
    if (trial.compiled->failure) {
      return Conclude(trial, FailedMeasurement(*trial.compiled->failure));
    }
    AskToMeasure(trial);
  }

  void AskToMeasure(CandidateTrial& trial) {
    trial.worker_session = place_.FreeWorkerSession(trial.task.ToText());
    if (trial.worker_session == nullptr) return;
    const MeasuredTask& task = tasks_.at(trial.task);
    MeasureRequest request;
    request.task = trial.task.ToText();
    request.code = trial.compiled->code;
    request.finalist = trial.candidate->finalist;
    // A finalist's processes differ in the layout of their memory.
    request.fresh = trial.attempt > 0 || trial.candidate->finalist;
    request.reference_seconds = task.reference_seconds;
    if (!trial.candidate->finalist) request.best_ratio = task.best_ratio;
    trial.worker_session->Ask(MessageType::kMeasure, Encode(request));
  }

  void AdvanceShape(CandidateTrial& trial) {
    ShapeCheck& check = *trial.shapes;
    if (check.left.empty()) {
      passed_.insert(trial.key);
      return Settle(trial, std::move(check.measurement));
    }
    const ShapeTrial& next = check.left.back();
    if (!check.code) check.code = Compiling(next.compile);
    if (!check.code || !KnowsShape(*next.shape)) return;
    if (check.code->failure) {
      const Failure& failure = *check.code->failure;
      return Settle(trial, AfterShape(std::move(check.measurement), *next.shape,
                                      {OutcomeName(failure.outcome), failure.message, "", 0}));
    }
    trial.worker_session = place_.FreeWorkerSession(next.shape->prepare.key);
    if (trial.worker_session == nullptr) return;
    trial.worker_session->Ask(MessageType::kVerify,
                              Encode(VerifyRequest{next.shape->prepare.key, check.code->code}));
  }

  // Whether a checker can prepare the shape: its naive program was compiled.
  bool KnowsShape(const EdgeShape& shape) {
    if (place_.Knows(shape.prepare.key)) return true;
    std::optional<Compiled> naive = Compiling(shape.reference);
    if (!naive) return false;
    if (naive->failure) {
      throw MachineError("cannot verify at " + shape.task->name + ": " + naive->failure->message);
    }
    PrepareRequest request = shape.prepare;
    request.reference = std::move(naive->code);
    request.protocol = options_.protocol;
    place_.Know(std::move(request));
    return true;
  }

  void TakeAnswer(CandidateTrial& trial) {
    WorkerSession& worker_session = *std::exchange(trial.worker_session, nullptr);
    const CheckerAnswer answer = worker_session.Take();
    if (answer.is_gone) ++checker_ends_[trial.key];
    if (answer.refusal == "forgotten") {
      return worker_session.Forget(trial.shapes ? trial.shapes->left.back().shape->prepare.key
                                                : trial.task.ToText());
    }
    if (answer.is_gone || !answer.refusal.empty()) {
      return Settle(trial, FailedMeasurement({Outcome::kInfra, answer.message}));
    }
    if (trial.shapes) return TakeVerified(trial, answer.payload);
    Result<Measurement> measurement = DecodeMeasurement(answer.payload);
    if (!measurement) {
      measurement = FailedMeasurement({Outcome::kCorruptResult, measurement.error().message});
    }
    Conclude(trial, *std::move(measurement));
  }

  void TakeVerified(CandidateTrial& trial, const std::string& payload) {
    ShapeCheck& check = *trial.shapes;
    const EdgeShape& shape = *check.left.back().shape;
    Result<VerifyReply> reply = Decode<VerifyReply>(payload);
    if (!reply) reply = VerifyReply{OutcomeName(Outcome::kCorruptResult), reply.error().message};
    check.measurement.phases.compile += check.code->seconds;
    check.measurement = AfterShape(std::move(check.measurement), shape, *reply);
    if (!check.measurement.ok()) return Settle(trial, std::move(check.measurement));
    check.left.pop_back();
    check.code.reset();
  }

  // Ends the measurement at the task's own shape.
  void Conclude(CandidateTrial& trial, Measurement measurement) {
    MeasuredTask& task = tasks_.at(trial.task);
    if (measurement.ok()) {
      task.reference_seconds =
          BelievedReference(*task.reference_seconds, measurement.timing->reference_samples);
    }
    const bool matters = trial.candidate->finalist || task.WouldBeBest(measurement);
    if (measurement.ok() && task.IsDisturbed(*measurement.timing, matters, clock().Now())) {
      if (trial.Postpone(clock().Now())) return;
      measurement = FailedMeasurement({Outcome::kNoisy, kBusyText});
    }
    if (trial.candidate->finalist && measurement.ok()) {
      trial.finals.push_back(std::move(measurement));
      std::optional<Measurement> together = Combined(trial.finals);
      if (!together) return;
      measurement = *std::move(together);
    }
    if (trial.compiled) {
      measurement.phases.compile += trial.compiled->seconds;
      measurement.resources = trial.compiled->resources;
    }
    if (!measurement.ok() || !matters || passed_.contains(trial.key)) {
      return Settle(trial, std::move(measurement));
    }
    trial.shapes = {std::move(measurement), task.shapes->TrialsOf(*trial.candidate->state), {}};
    AdvanceShape(trial);
  }

  // Of a finalist's processes; none while more of them are wanted.
  std::optional<Measurement> Combined(const std::vector<Measurement>& finals) const {
    const auto wanted = static_cast<size_t>(protocol_.final_processes);
    if (const auto calm = CalmestOf(finals, wanted)) return CombineMeasurements(*calm);
    if (finals.size() < kMostProcesses * wanted) return std::nullopt;
    return FailedMeasurement({Outcome::kNoisy, kUnlikeText});
  }

  // Ends the trial, or restarts it after a failure that was not its fault.
  void Settle(CandidateTrial& trial, Measurement measurement) {
    if (measurement.outcome == Outcome::kCorruptResult) ++trial.corrupt_results;
    if (IsTriedAgain(trial, measurement.outcome)) {
      ++trial.attempt;
      trial.compiled.reset();
      trial.finals.clear();
      trial.shapes.reset();
      return;
    }
    measurement.seed = options_.seed;
    measurement.session = place_.session();
    measurement.sequence = sequence_++;
    measurement.attempt = trial.attempt;
    tasks_.at(trial.task).Note(trial.key, measurement);
    if (measurement.ok()) {
      since_control_.push_back(*trial.candidate);
      since_control_.back().end = nullptr;  // of this call
    }
    controls_.OnCandidate();
    trial.result = std::move(measurement);
  }

  // A busy machine can make an honest report look forged. So the first corrupt result is tried
  // again, however often the candidate was tried before.
  bool IsTriedAgain(const CandidateTrial& trial, Outcome outcome) const {
    if (trial.has_waited || MayLearnFrom(outcome) ||
        TimesEndingChecker(trial.key) >= options_.most_checker_ends)
      return false;
    const bool is_first_doubt = outcome == Outcome::kCorruptResult && trial.corrupt_results == 1;
    return is_first_doubt || trial.attempt < options_.retries;
  }

  int TimesEndingChecker(const Key& key) const {
    const auto found = checker_ends_.find(key);
    return found == checker_ends_.end() ? 0 : found->second;
  }

  std::string QuarantineText(const Key& key) const {
    return "refused: it has ended " + std::to_string(TimesEndingChecker(key)) + " workers";
  }

  // Times the reference against itself, when that is due.
  void Watch(const Candidate& last) {
    if (!controls_.IsDue(clock().Now()) || IsOver(last)) return;
    const Key key = TaskKey(last.state->task());
    MeasuredTask& task = tasks_.at(key);
    const ControlRequest request = {key.ToText(), task.reference_seconds};
    const std::optional<CheckerAnswer> answer =
        place_.AskFirst(key.ToText(), MessageType::kControl, Encode(request), last.end);
    if (!answer) return;
    controls_.OnControl(clock().Now());
    const Result<ControlReply> reply = Decode<ControlReply>(answer->payload);
    if (answer->is_gone || !answer->refusal.empty() || !reply) return;
    if (reply->reference_seconds) task.reference_seconds = reply->reference_seconds;
    deferred_results_.controls.push_back({place_.session(),
                                          sequence_ - 1,
                                          {reply->ratio, reply->ratio_low, reply->ratio_high},
                                          reply->good});
    if (!reply->good) Suspect();
    since_control_.clear();
  }

  // Each state is measured again once only: after a second bad control the machine is too noisy.
  void Suspect() {
    for (const Candidate& candidate : since_control_) {
      const Key key = StateKey(*candidate.state);
      if (!suspected_.insert(key).second) continue;
      tasks_[TaskKey(candidate.state->task())].known.erase(key);
      deferred_results_.suspects.push_back(candidate);
    }
  }

  // Does not if the candidate is cut off before.
  void EnsurePrepared(const Candidate& candidate) {
    const std::shared_ptr<const Task>& task = candidate.state->shared_task();
    const Key key = TaskKey(*task);
    MeasuredTask& measured = tasks_[key];
    if (!measured.shapes) measured.shapes = std::make_unique<EdgeShapeCheck>(*task);
    if (!place_.Knows(key.ToText())) {
      std::optional<PrepareRequest> request = MakeRequest(task, candidate.end);
      if (!request) return;
      place_.Know(*std::move(request));
    }
    if (!place_.Prepare(key.ToText(), candidate.end)) return;
    if (verified_.insert(key).second) CheckReference(*task);
    // One reference time for the session, whichever checker measures.
    if (measured.reference_seconds) return;
    const PrepareReply* said = place_.Find(key.ToText());
    SG_CHECK(said != nullptr, "a worker that prepared the task has replied");
    measured.reference_seconds = said->reference_seconds;
    if (!said->mistrust.empty()) deferred_results_.warnings.push_back({key, said->mistrust});
  }

  void CheckReference(const Task& task) {
    const Key key = TaskKey(task);
    if (CountFlops(task.dag) <= options_.most_checked_flops) {
      return place_.CheckReference(key.ToText());
    }
    deferred_results_.warnings.push_back({key, kUncheckedText});
  }

  void TakeReferences() {
    for (const ReferenceVerdict& verdict : place_.TakeReferences()) {
      const std::optional<Key> task = ParseKey(verdict.key);
      SG_CHECK(task, "references of tasks alone are checked");
      if (verdict.unknown.empty()) {
        deferred_results_.verified.push_back({*task, verdict.toolchain, verdict.seconds, 0});
      } else {
        deferred_results_.warnings.push_back({*task, std::string(kDroppedText) + verdict.unknown});
      }
    }
  }

  std::optional<PrepareRequest> MakeRequest(const std::shared_ptr<const Task>& task,
                                            const EndFunction& end) {
    const ScheduleState reference = options_.reference(task);
    PrepareRequest request =
        MakePrepareRequest(task, reference, options_.reference, options_.protocol, options_.seed);
    std::optional<Compiled> compiled = place_.Compile(CompileRequestOf(reference), end);
    if (!compiled) return std::nullopt;
    if (compiled->failure) {
      throw InputError("cannot measure " + task->name + ": " + compiled->failure->message);
    }
    request.reference = std::move(compiled->code);
    return request;
  }

  WorkerOptions options_;
  SteadyClock steady_;
  WorkerPool place_;
  int64_t sequence_ = 0;
  std::map<Key, MeasuredTask> tasks_;
  std::set<Key> verified_;           // tasks whose references are verified or being verified
  std::set<Key> passed_;             // states that are right at awkward shapes
  std::map<Key, int> checker_ends_;  // by state: how often it ended a checker
  Protocol protocol_;
  ControlSchedule controls_;
  std::vector<Candidate> since_control_;  // measured since the last one
  std::set<Key> suspected_;               // states that were to be measured again
  DeferredResults deferred_results_;
};

}  // namespace

std::unique_ptr<Measurer> MakeWorkerMeasurer(WorkerOptions options) {
  return std::make_unique<WorkerMeasurer>(std::move(options));
}

}  // namespace schedulegym
