// Compiles in worker processes; a program that is asked for twice is compiled once (its key is the
// content). Each worker gets two jobs ahead, so that it never waits. Of a worker that crashes or
// exceeds its time the first job is at fault; the others are queued again. A worker is replaced
// after so many jobs or above a resident size, since LLVM does not return memory. While a kernel is
// timed the workers are stopped by SIGSTOP, and their limits move by that time.
#include "backends/runner/compile_pool.h"

#include <signal.h>

#include <algorithm>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

// Jobs that are sent to a worker ahead of its answers, so that it never waits.
constexpr size_t kJobsAhead = 2;

Outcome OutcomeOf(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kInvalidSchedule:
    case ErrorKind::kIllegal:
    case ErrorKind::kParse: return Outcome::kInvalidSchedule;
    default: return Outcome::kCompileError;
  }
}

Compiled FailedCompile(Outcome outcome, const std::string& message) {
  return {Failure{outcome, message}, {}, 0};
}

Key KeyOf(const CompileRequest& request) {
  Hasher hasher;
  hasher.Add(Encode(request));
  return hasher.KeyValue();
}

}  // namespace

CompilePool::CompilePool(EventLoop& loop, CompilePoolOptions options, const Clock& clock)
    : loop_(loop), options_(std::move(options)), clock_(clock), workers_(options_.workers) {}

// They may be in the midst of something, or stopped: nothing is lost with them.
CompilePool::~CompilePool() {
  for (Worker& worker : workers_) {
    if (worker.link) worker.link->process().Kill();
  }
}

void CompilePool::Submit(uint64_t id, CompileRequest request) {
  waiting_.push_back({id, std::move(request)});
  wanted_.insert(id);
  SendWaiting();
}

void CompilePool::Cancel(uint64_t id) {
  std::erase_if(waiting_, [&](const Job& job) { return job.id == id; });
  done_.erase(id);
  wanted_.erase(id);
}

std::optional<Compiled> CompilePool::Take(uint64_t id) {
  const auto found = done_.find(id);
  if (found == done_.end()) return std::nullopt;
  Compiled compiled = std::move(found->second);
  Cancel(id);
  return compiled;
}

void CompilePool::Note(uint64_t id, Compiled compiled) {
  if (wanted_.contains(id)) done_[id] = std::move(compiled);
}

void CompilePool::Attend() {
  for (Worker& worker : workers_) {
    if (!worker.link) continue;
    Receive(worker);
    if (!worker.link) continue;
    if (worker.link->is_closed()) {
      Fail(worker, Outcome::kCompileCrash,
           "the compiler ended: " + worker.link->process().ExitReason());
    } else if (!paused_ && !worker.jobs.empty() &&
               clock_.Now() - worker.head_since > options_.most_seconds) {
      Fail(worker, Outcome::kCompileTimeout,
           "compiling took more than " + FormatDouble(options_.most_seconds) + " s");
    }
  }
  SendWaiting();
}

void CompilePool::Receive(Worker& worker) {
  while (std::optional<Frame> frame = worker.link->Take()) Finish(worker, *frame);
  if (worker.is_full && worker.jobs.empty()) worker = Worker();
}

void CompilePool::Finish(Worker& worker, const Frame& frame) {
  if (worker.jobs.empty() || worker.jobs.front().id != frame.id) return;
  worker.jobs.pop_front();
  worker.head_since = clock_.Now();
  ++worker.done;
  if (frame.type == static_cast<uint16_t>(MessageType::kRefused)) {
    const Result<RefusedReply> refused = Decode<RefusedReply>(frame.payload);
    return Note(frame.id,
                FailedCompile(Outcome::kCompileCrash, refused ? refused->message : "no answer"));
  }
  Result<CompileReply> reply = Decode<CompileReply>(frame.payload);
  if (!reply) return Note(frame.id, FailedCompile(Outcome::kInfra, reply.error().message));
  worker.is_full =
      worker.done >= options_.most_jobs || reply->resident_bytes > options_.most_resident_bytes;
  Compiled compiled = {std::nullopt, std::move(reply->code), reply->seconds,
                       std::move(reply->resources)};
  if (reply->error) {
    const Error error = FromWire(*reply->error);
    compiled.failure = {OutcomeOf(error), error.message};
  }
  Note(frame.id, std::move(compiled));
}

// The first job gets the outcome; the others are queued again for other workers.
void CompilePool::Fail(Worker& worker, Outcome outcome, const std::string& message) {
  if (!worker.jobs.empty()) {
    Note(worker.jobs.front().id, FailedCompile(outcome, message));
    worker.jobs.pop_front();
  } else if (worker.done == 0) {
    throw MachineError("a compile worker does not start: " + message);
  }
  waiting_.insert(waiting_.begin(), std::make_move_iterator(worker.jobs.begin()),
                  std::make_move_iterator(worker.jobs.end()));
  worker.link->process().Kill();
  worker = Worker();
}

void CompilePool::SendWaiting() {
  for (size_t ahead = 0; ahead < kJobsAhead; ++ahead) {
    for (Worker& worker : workers_) {
      if (waiting_.empty()) return;
      if (worker.is_full || worker.jobs.size() > ahead) continue;
      if (!worker.link)
        worker.link = std::make_unique<WorkerLink>(loop_, options_.program, "compile");
      if (worker.jobs.empty()) worker.head_since = clock_.Now();
      const Job& job = waiting_.front();
      worker.link->Send(
          {static_cast<uint16_t>(MessageType::kCompile), job.id, Encode(job.request)});
      worker.jobs.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
  }
}

double CompilePool::NextDeadline() const {
  double next = options_.most_seconds;
  if (paused_) return next;
  for (const Worker& worker : workers_) {
    if (worker.jobs.empty()) continue;
    next = std::min(next, worker.head_since + options_.most_seconds - clock_.Now());
  }
  return std::max(next, 0.0);
}

void CompilePool::SetPaused(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  for (Worker& worker : workers_) {
    if (!worker.link) continue;
    worker.link->process().Signal(paused ? SIGSTOP : SIGCONT);
    if (!paused) worker.head_since += clock_.Now() - paused_since_;
  }
  if (paused) paused_since_ = clock_.Now();
}

Key CompileJobs::Submit(const CompileRequest& request) {
  const Key job = KeyOf(request);
  const auto [id, is_new] = ids_.try_emplace(job, last_id_ + 1);
  if (is_new) pool_.Submit(++last_id_, request);
  return job;
}

std::optional<Compiled> CompileJobs::Take(const Key& job) {
  const auto id = ids_.find(job);
  if (id == ids_.end()) return std::nullopt;
  std::optional<Compiled> compiled = pool_.Take(id->second);
  if (compiled) ids_.erase(id);
  return compiled;
}

void CompileJobs::KeepOnly(std::span<const Key> jobs) {
  std::erase_if(ids_, [&](const auto& entry) {
    const auto& [job, id] = entry;
    if (std::find(jobs.begin(), jobs.end(), job) != jobs.end()) return false;
    pool_.Cancel(id);
    return true;
  });
}

}  // namespace schedulegym
