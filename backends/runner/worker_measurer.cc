#include "backends/runner/worker_measurer.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "backends/runner/combine_measurements.h"
#include "backends/runner/prepare_request.h"
#include "backends/runner/shape_gate.h"
#include "backends/runner/wire/encoding.h"
#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/verify_messages.h"
#include "backends/runner/workplace.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/measure/clocks.h"
#include "env/measure/paired_statistics.h"
#include "env/measure/protocol.h"
#include "env/measure/record.h"
#include "env/measure/sentinel.h"
#include "env/measure/usual_time.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Measured in one go by two checkers: enough that waiting for the last one does not matter.
constexpr int kTrialsAtOnce = 8;

// By what factor the reference may be slower than usual beside what looks best, and beside all
// else, for which a ratio is worth less; how often a candidate is put off for that, and for how
// long at first.
constexpr double kMostSlowdown = 1.2;
constexpr double kMostSlowdownOfOthers = 2;
constexpr int kMostPostponed = 5;
constexpr double kFirstPauseSeconds = 0.1;

// What this process knows of a task that it measures.
struct MeasuredTask {
  std::unique_ptr<ShapeGate> shapes;
  std::optional<double> reference_seconds;  // the session's, once some checker has timed it
  std::optional<double> best_ratio;         // the lower end of the best one's interval
  std::optional<Measurement> best;          // that was right at awkward shapes, too
  std::map<Key, Measurement> known;         // by state
  UsualTime usual;                          // of the reference
};

constexpr const char* kBusyText =
    "the reference took much longer than usual, whenever it was tried: the cores are busy";

// What is left to be tried at awkward shapes of a candidate that would be the best.
struct ShapeCheck {
  Measurement measurement;  // at its own shape
  std::vector<ShapeTrial> left;
  std::optional<Compiled> code;  // of the last of them
};

// A candidate on its way.
struct Trial {
  const Candidate* candidate = nullptr;
  Key key;
  Key task;
  CompileRequest request;
  std::optional<Compiled> compiled;
  Station* station = nullptr;  // that was asked
  int attempt = 0;
  int postponed = 0;                 // how often, for the machine was busy
  double not_before = 0;             // when it is to be asked for again
  int corrupt_results = 0;           // how many attempts gave one
  std::vector<Measurement> finals;   // of a finalist, one of each process
  std::optional<ShapeCheck> shapes;  // once it was measured
  std::optional<Measurement> result;
};

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
                .most_deaths = options_.most_suspicions},
               options_.protocol, clock()),
        protocol_(ProtocolOf(options_.protocol)),
        sentinels_(protocol_, clock().Now()) {
    SG_CHECK(options_.reference != nullptr, "a measurer needs the reference schedules");
  }

  // While one candidate is timed the next is verified, so that a few at once are fastest.
  int Width() const override { return options_.checkers > 1 ? kTrialsAtOnce : 1; }

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    std::vector<Trial> trials;
    for (const Candidate& candidate : candidates) {
      trials.push_back(TrialOf(candidate));
      if (!IsKnown(trials.back())) place_.jobs().Submit(trials.back().request);
    }
    for (const Candidate& candidate : candidates) EnsurePrepared(candidate.state.shared_task());
    while (!AdvanceAll(trials)) place_.Wait();
    std::vector<Measurement> measurements;
    for (Trial& trial : trials) measurements.push_back(*std::move(trial.result));
    if (!trials.empty()) Watch(trials.back().task);
    return measurements;
  }

  Afterthoughts TakeAfterthoughts() override { return std::exchange(afterthoughts_, {}); }

  void Expect(std::span<const Candidate> candidates) override {
    std::vector<Key> jobs;
    for (const Candidate& candidate : candidates) {
      const Trial trial = TrialOf(candidate);
      if (!IsKnown(trial)) jobs.push_back(place_.jobs().Submit(trial.request));
    }
    place_.jobs().KeepOnly(jobs);
  }

 private:
  const Clock& clock() const { return options_.clock ? *options_.clock : steady_; }

  static Trial TrialOf(const Candidate& candidate) {
    Trial trial;
    trial.candidate = &candidate;
    trial.key = StateKey(candidate.state);
    trial.task = TaskKey(candidate.state.task());
    trial.request = CompileRequestOf(candidate.state);
    return trial;
  }

  bool IsKnown(const Trial& trial) {
    const Candidate& candidate = *trial.candidate;
    if (candidate.finalist || candidate.anew) return false;
    return tasks_[trial.task].known.contains(trial.key);
  }

  // Whether all have their results. Of equal ones the first is measured.
  bool AdvanceAll(std::vector<Trial>& trials) {
    bool done = true;
    std::set<std::pair<Key, Key>> under_way;
    for (Trial& trial : trials) {
      if (trial.result) continue;
      const bool is_first = under_way.insert({trial.task, trial.key}).second;
      if (is_first || trial.candidate->finalist) Advance(trial);
      done = done && trial.result.has_value();
    }
    return done;
  }

  std::optional<Compiled> Compiling(const CompileRequest& request) {
    return place_.jobs().Take(place_.jobs().Submit(request));
  }

  // As far as it goes without waiting.
  void Advance(Trial& trial) {
    if (clock().Now() < trial.not_before) return;
    if (trial.station != nullptr) {
      if (trial.station->has_answer()) TakeAnswer(trial);
      return;
    }
    if (trial.shapes) return AdvanceShape(trial);
    if (IsKnown(trial)) {
      trial.result = tasks_.at(trial.task).known.at(trial.key);
      return;
    }
    if (Suspicions(trial.key) >= options_.most_suspicions) {
      return Conclude(trial, FailedMeasurement({Outcome::kInfra, QuarantineText(trial.key)}));
    }
    if (!trial.compiled) trial.compiled = Compiling(trial.request);
    if (!trial.compiled) return;
    if (trial.compiled->failure) {
      return Conclude(trial, FailedMeasurement(*trial.compiled->failure));
    }
    AskToMeasure(trial);
  }

  void AskToMeasure(Trial& trial) {
    trial.station = place_.FreeStation(trial.task.ToText());
    if (trial.station == nullptr) return;
    const MeasuredTask& task = tasks_.at(trial.task);
    MeasureRequest request;
    request.task = trial.task.ToText();
    request.code = trial.compiled->code;
    request.finalist = trial.candidate->finalist;
    // A finalist's processes differ in the layout of their memory.
    request.fresh = trial.attempt > 0 || trial.candidate->finalist;
    request.reference_seconds = task.reference_seconds;
    if (!trial.candidate->finalist) request.best_ratio = task.best_ratio;
    trial.station->Ask(MessageType::kMeasure, Encode(request));
  }

  void AdvanceShape(Trial& trial) {
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
    trial.station = place_.FreeStation(next.shape->prepare.key);
    if (trial.station == nullptr) return;
    trial.station->Ask(MessageType::kVerify,
                       Encode(VerifyRequest{next.shape->prepare.key, check.code->code}));
  }

  // Whether a checker could be told of it: its naive program was compiled.
  bool KnowsShape(const GatedShape& shape) {
    if (place_.Knows(shape.prepare.key)) return true;
    std::optional<Compiled> naive = Compiling(shape.reference);
    if (!naive) return false;
    if (naive->failure) {
      throw MachineError("cannot verify at " + shape.task->name + ": " + naive->failure->message);
    }
    PrepareRequest request = shape.prepare;
    request.reference = std::move(naive->code);
    request.seed = SeedOf(request.key, options_.seed);
    request.protocol = options_.protocol;
    place_.Know(std::move(request));
    return true;
  }

  void TakeAnswer(Trial& trial) {
    Station& station = *std::exchange(trial.station, nullptr);
    const CheckerAnswer answer = station.Take();
    if (answer.is_gone) ++suspicions_[trial.key];
    if (answer.refusal == "forgotten") {
      return station.Forget(trial.shapes ? trial.shapes->left.back().shape->prepare.key
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

  void TakeVerified(Trial& trial, const std::string& payload) {
    ShapeCheck& check = *trial.shapes;
    const GatedShape& shape = *check.left.back().shape;
    Result<VerifyReply> reply = Decode<VerifyReply>(payload);
    if (!reply) reply = VerifyReply{OutcomeName(Outcome::kCorruptResult), reply.error().message};
    check.measurement.phases.compile += check.code->seconds;
    check.measurement = AfterShape(std::move(check.measurement), shape, *reply);
    if (!check.measurement.ok()) return Settle(trial, std::move(check.measurement));
    check.left.pop_back();
    check.code.reset();
  }

  // What was measured at the task's own shape.
  void Conclude(Trial& trial, Measurement measurement) {
    if (measurement.ok() && IsDisturbed(trial, measurement)) {
      if (Postpone(trial)) return;
      measurement = FailedMeasurement({Outcome::kNoisy, kBusyText});
    }
    if (trial.candidate->finalist && measurement.ok()) {
      trial.finals.push_back(std::move(measurement));
      if (static_cast<int>(trial.finals.size()) < protocol_.final_processes) return;
      measurement = CombineMeasurements(trial.finals);
    }
    if (trial.compiled) measurement.phases.compile += trial.compiled->seconds;
    if (!measurement.ok() || !Matters(trial, measurement) || passed_.contains(trial.key)) {
      return Settle(trial, std::move(measurement));
    }
    const ShapeGate& gate = *tasks_.at(trial.task).shapes;
    trial.shapes = {std::move(measurement), gate.TrialsOf(trial.candidate->state), {}};
    AdvanceShape(trial);
  }

  bool Matters(const Trial& trial, const Measurement& measurement) const {
    const MeasuredTask& task = tasks_.at(trial.task);
    return trial.candidate->finalist || !task.best || IsBetter(measurement, *task.best);
  }

  // Whether the reference took so much longer than usual that the ratio compares with no other.
  bool IsDisturbed(const Trial& trial, const Measurement& measurement) {
    const std::vector<float>& samples = measurement.timing->reference_samples;
    if (samples.empty()) return false;
    const double seconds = Median({samples.begin(), samples.end()});
    UsualTime& usual = tasks_.at(trial.task).usual;
    const double slowdown = usual.Slowdown(seconds);
    usual.Note(seconds, clock().Now());
    return slowdown > (Matters(trial, measurement) ? kMostSlowdown : kMostSlowdownOfOthers);
  }

  // Each time for twice as long; false when it was often enough.
  bool Postpone(Trial& trial) const {
    if (trial.postponed == kMostPostponed) return false;
    trial.not_before = clock().Now() + kFirstPauseSeconds * (1 << trial.postponed++);
    return true;
  }

  // Or once more, from the beginning, for what was not its fault.
  void Settle(Trial& trial, Measurement measurement) {
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
    MeasuredTask& task = tasks_.at(trial.task);
    if (MayLearnFrom(measurement.outcome)) task.known[trial.key] = measurement;
    // The lower end: a lucky reading must not reject what is as good.
    if (measurement.ok()) {
      task.best_ratio = std::max(task.best_ratio.value_or(0), measurement.timing->ratio.low);
      if (!task.best || IsBetter(measurement, *task.best)) task.best = measurement;
      since_sentinel_.push_back(*trial.candidate);
    }
    sentinels_.OnCandidate();
    trial.result = std::move(measurement);
  }

  // A busy machine can make an honest report look forged: the first that does is not believed,
  // however often the candidate was tried before.
  bool IsTriedAgain(const Trial& trial, Outcome outcome) const {
    if (MayLearnFrom(outcome) || Suspicions(trial.key) >= options_.most_suspicions) return false;
    const bool is_first_doubt = outcome == Outcome::kCorruptResult && trial.corrupt_results == 1;
    return is_first_doubt || trial.attempt < options_.retries;
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
    const SentinelRequest request = {key.ToText(), task.reference_seconds};
    const std::optional<CheckerAnswer> answer =
        place_.AskFirst(key.ToText(), MessageType::kSentinel, Encode(request));
    if (!answer) return;
    sentinels_.OnSentinel(clock().Now());
    const Result<SentinelReply> reply = Decode<SentinelReply>(answer->payload);
    if (answer->is_gone || !answer->refusal.empty() || !reply) return;
    if (reply->reference_seconds) task.reference_seconds = reply->reference_seconds;
    afterthoughts_.sentinels.push_back({place_.session(),
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

  void EnsurePrepared(const std::shared_ptr<const Task>& task) {
    const Key key = TaskKey(*task);
    MeasuredTask& measured = tasks_[key];
    if (!measured.shapes) measured.shapes = std::make_unique<ShapeGate>(*task);
    if (!place_.Knows(key.ToText())) place_.Know(MakeRequest(task));
    place_.Prepare(key.ToText());
    // One time of the reference for the session, whichever checker measures.
    if (measured.reference_seconds) return;
    const PrepareReply* said = place_.Find(key.ToText());
    SG_CHECK(said != nullptr, "what a station has was answered");
    measured.reference_seconds = said->reference_seconds;
    if (!said->mistrust.empty()) afterthoughts_.remarks.push_back({key, said->mistrust});
  }

  PrepareRequest MakeRequest(const std::shared_ptr<const Task>& task) {
    const ScheduleState reference = options_.reference(task);
    PrepareRequest request =
        MakePrepareRequest(task, reference, options_.reference, options_.protocol, options_.seed);
    Compiled compiled = place_.Compile(CompileRequestOf(reference));
    if (compiled.failure) {
      throw InputError("cannot measure " + task->name + ": " + compiled.failure->message);
    }
    request.reference = std::move(compiled.code);
    return request;
  }

  WorkerOptions options_;
  SteadyClock steady_;
  Workplace place_;
  int64_t sequence_ = 0;
  std::map<Key, MeasuredTask> tasks_;
  std::set<Key> passed_;           // states that are right at awkward shapes
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
