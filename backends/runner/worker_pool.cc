// The processes of a measurer: compilers and checkers, one of which measures. A task is prepared by
// all checkers. While one times, compilers and checks of references are stopped. A process that
// dies is started anew; a task whose preparing kills a worker most_deaths times in a row, or is
// refused, is a MachineError.
#include "backends/runner/worker_pool.h"

#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/hash.h"
#include "env/ipc/encoding.h"
#include "env/measure/record.h"
#include "env/measure/timing/clocks.h"

namespace schedulegym {
namespace {

// Seconds between two looks at the workers while no message comes.
constexpr double kTickSeconds = 0.05;

// Searches that take turns wait less than this for one another.
constexpr double kLockNoticeSeconds = 2;
constexpr double kLockNoticeEverySeconds = 60;

std::string SessionId() {
  Hasher hasher;
  hasher.Add(static_cast<uint64_t>(getpid()));
  hasher.Add(HostName());
  hasher.Add(std::to_string(CalendarClock().Now()));
  return hasher.KeyValue().ToText();
}

}  // namespace

WorkerPool::WorkerPool(const WorkerPoolOptions& options, std::string protocol, const Clock& clock)
    : options_(options),
      clock_(clock),
      pool_(loop_,
            {.program = options.program,
             .workers = options.compile_workers,
             .most_seconds = options.compile_seconds},
            clock),
      jobs_(pool_),
      reference_checks_(loop_, options.program) {
  for (int i = 0; i < std::max(options.checkers, 1); ++i) {
    worker_sessions_.push_back(
        std::make_unique<WorkerSession>(loop_, options.program, clock, options.checker_seconds));
  }
  MeasuringSession session;
  session.id = SessionId();
  session.protocol = std::move(protocol);
  session_ = std::make_shared<const MeasuringSession>(std::move(session));
}

void WorkerPool::Wait() {
  loop_.Wait(std::min(pool_.NextDeadline(), kTickSeconds));
  pool_.Attend();
  for (const auto& worker_session : worker_sessions_) {
    const bool has_answered = worker_session->Attend(
        [&](const TimingNotice& notice) { OnTiming(*worker_session, notice); });
    if (!has_answered) continue;
    lock_waits_.erase(worker_session.get());
    // A worker that died did not report the end of its timing.
    if (worker_session.get() == timing_) OnTiming(*worker_session, {});
    if (worker_session->preparing()) TakePrepared(*worker_session);
  }
  TakeVerdicts();
  TellLockWait();
}

// Workers time in turn, but the next one's begin may arrive before the last one's end.
void WorkerPool::OnTiming(const WorkerSession& worker_session, const TimingNotice& notice) {
  if (notice.waits) {
    lock_waits_[&worker_session] = clock_.Now();
    return;
  }
  lock_waits_.erase(&worker_session);
  NoteLockWait(worker_session, notice);
  const bool begins = notice.compilers || notice.references;
  if (!begins && timing_ != &worker_session) return;
  timing_ = begins ? &worker_session : nullptr;
  reference_checks_.SetPaused(notice.references);
  pool_.SetPaused(notice.compilers);
}

// Workers of this pool wait for each other, too. Only the time after the last timing here counts.
void WorkerPool::NoteLockWait(const WorkerSession& worker_session, const TimingNotice& notice) {
  const double now = clock_.Now();
  double free = notice.lock_seconds;
  if (notice.references) free = now - timed_until_;
  if (timing_ != nullptr && timing_ != &worker_session) free = 0;
  lock_seconds_ += std::clamp(notice.lock_seconds, 0.0, std::max(free, 0.0));
  timed_until_ = now;
}

double WorkerPool::LockWait() const {
  if (timing_ != nullptr || lock_waits_.empty()) return 0;
  double since = clock_.Now();
  for (const auto& [worker_session, begin] : lock_waits_) since = std::min(since, begin);
  return clock_.Now() - std::max(since, timed_until_);
}

void WorkerPool::TellLockWait() {
  if (!options_.warn || LockWait() < kLockNoticeSeconds) return;
  const double now = clock_.Now();
  if (lock_wait_told_ && now - *lock_wait_told_ < kLockNoticeEverySeconds) return;
  lock_wait_told_ = now;
  options_.warn(
      "waiting: another process of this machine is timing kernels (`doctor` names the lock)");
}

void WorkerPool::CheckReference(const std::string& key) {
  reference_checks_.Ask(requests_.at(key));
}

void WorkerPool::TakeVerdicts() {
  reference_checks_.Attend();
  for (ReferenceVerdict& verdict : reference_checks_.Take()) {
    if (!verdict.fault.empty()) {
      throw std::logic_error("the reference of " + requests_.at(verdict.key).task.name +
                             " is wrong: " + verdict.fault);
    }
    references_.push_back(std::move(verdict));
  }
}

std::optional<Compiled> WorkerPool::Compile(const CompileRequest& request, const EndFunction& end) {
  const Key job = jobs_.Submit(request);
  while (!end || !end()) {
    if (std::optional<Compiled> compiled = jobs_.Take(job)) return compiled;
    Wait();
  }
  return std::nullopt;
}

void WorkerPool::Know(PrepareRequest request) {
  std::string key = request.key;
  requests_.insert_or_assign(std::move(key), std::move(request));
}

const PrepareReply* WorkerPool::Find(const std::string& key) const {
  const auto found = replies_.find(key);
  return found == replies_.end() ? nullptr : &found->second;
}

WorkerSession* WorkerPool::FreeWorkerSession(const std::string& key) {
  for (const auto& worker_session : worker_sessions_) {
    if (!worker_session->is_idle()) continue;
    if (worker_session->Has(key)) return worker_session.get();
    AskToPrepare(*worker_session, key);
  }
  return nullptr;
}

bool WorkerPool::Prepare(const std::string& key, const EndFunction& end) {
  // All workers at once: computing expected outputs takes longest, and no timing is under way.
  while (!worker_sessions_.front()->Has(key)) {
    for (const auto& worker_session : worker_sessions_) {
      if (worker_session->is_idle() && !worker_session->Has(key))
        AskToPrepare(*worker_session, key);
    }
    Wait();
    if (!end || !end()) continue;
    for (const auto& worker_session : worker_sessions_) {
      if (worker_session->preparing() == key) GiveUp(*worker_session);
    }
    return worker_sessions_.front()->Has(key);
  }
  return true;
}

void WorkerPool::GiveUp(WorkerSession& worker_session) {
  worker_session.GiveUp();
  lock_waits_.erase(&worker_session);
  if (&worker_session == timing_) OnTiming(worker_session, {});
}

std::optional<CheckerAnswer> WorkerPool::AskFirst(const std::string& key, MessageType type,
                                                  const std::string& payload,
                                                  const EndFunction& end) {
  WorkerSession& first = *worker_sessions_.front();
  const auto is_over = [&] { return end && end(); };
  while (!first.is_idle() && !is_over()) Wait();
  if (!first.is_idle() || !first.Has(key)) return std::nullopt;
  first.Ask(type, payload);
  while (!first.has_answer() && !is_over()) Wait();
  if (first.has_answer()) return first.Take();
  GiveUp(first);
  return std::nullopt;
}

void WorkerPool::AskToPrepare(WorkerSession& worker_session, const std::string& key) {
  const auto known = requests_.find(key);
  SG_CHECK(known != requests_.end(), "the request of this task is known");
  PrepareRequest request = known->second;
  request.probe = session_->grade.empty() && &worker_session == worker_sessions_.front().get();
  worker_session.AskToPrepare(request);
}

// A checker that was killed is replaced. One that dies of preparing dies again, which is reported.
void WorkerPool::TakePrepared(WorkerSession& worker_session) {
  const std::string key = *worker_session.preparing();
  const CheckerAnswer answer = worker_session.Take();
  int& deaths = deaths_[key];
  if (answer.is_gone && ++deaths < options_.most_deaths) return;
  deaths = 0;
  if (answer.refusal == "input") throw InputError(answer.message);
  if (answer.refusal == "bug") throw std::logic_error(answer.message);
  if (answer.is_gone || !answer.refusal.empty()) throw MachineError(answer.message);
  Result<PrepareReply> reply = Decode<PrepareReply>(answer.payload);
  if (!reply) throw MachineError(reply.error().message);
  NoteSurroundings(*reply);
  replies_.try_emplace(key, *std::move(reply));
}

void WorkerPool::NoteSurroundings(const PrepareReply& reply) {
  if (session_->toolchain == reply.toolchain && reply.grade.empty()) return;
  auto session = std::make_shared<MeasuringSession>(*session_);
  session->toolchain = reply.toolchain;
  if (!reply.grade.empty()) session->grade = reply.grade;
  if (!reply.probe.empty()) session->probe = reply.probe;
  session_ = std::move(session);
}

}  // namespace schedulegym
