// WorkerPool: the workers of a session, and the tasks that each has prepared.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/runner/checker_connection.h"
#include "backends/runner/compile_pool.h"
#include "backends/runner/reference_checks.h"
#include "env/base/clock.h"
#include "env/ipc/event_loop.h"
#include "env/measure/measurement.h"
#include "env/measure/measurer.h"

namespace schedulegym {

struct WorkerPoolOptions {
  std::string program;  // schedulegym-worker
  int compile_workers = 1;
  double compile_seconds = 10;
  int checkers = 1;
  double checker_seconds = 600;
  int most_deaths = 3;  // in a row, of preparing one thing
  // Told when the measuring lock has been waited for some seconds, at most once a minute.
  WarningFunction warn = {};
};

// Asked after each WorkerPool::Wait: whether to wait no longer. Null: never.
using EndFunction = std::function<bool()>;

class WorkerPool {
 public:
  // The clock outlives it.
  WorkerPool(const WorkerPoolOptions& options, std::string protocol, const Clock& clock);

  // Runs the workers until one answers, and takes prepared tasks. Throws InputError for tasks that
  // cannot be prepared, MachineError where workers fail, std::logic_error for a wrong reference, as
  // soon as it is found.
  void Wait();

  CompileJobs& jobs() { return jobs_; }
  // Waits for the result; nullopt if `end` returned true before.
  std::optional<Compiled> Compile(const CompileRequest& request, const EndFunction& end = {});

  // Registers the task that sessions prepare under a key.
  void Know(PrepareRequest request);
  bool Knows(const std::string& key) const { return requests_.contains(key); }
  // The reply of the first session that prepared the key; null before.
  const PrepareReply* Find(const std::string& key) const;

  // An idle session that has prepared the key. Other sessions prepare it meanwhile.
  WorkerSession* FreeWorkerSession(const std::string& key);
  // Starts preparing in all sessions without the key, and waits for the first session; false where
  // `end` returned true.
  bool Prepare(const std::string& key, const EndFunction& end = {});
  // Asks the first worker session and waits; nothing if it has not prepared this, or is given up.
  std::optional<CheckerAnswer> AskFirst(const std::string& key, MessageType type,
                                        const std::string& payload, const EndFunction& end = {});
  // Gives up the session's current work.
  void GiveUp(WorkerSession& worker_session);

  // Has the reference of something that is known checked whole, while nothing is timed.
  void CheckReference(const std::string& key);
  bool checks_references() const { return !reference_checks_.is_idle(); }
  // Results of reference checks since the last call: references that are right, and those that
  // could not be checked.
  std::vector<ReferenceVerdict> TakeReferences() { return std::exchange(references_, {}); }

  // For the measuring lock while another process of the machine held it, since the last call.
  double TakeLockSeconds() { return std::exchange(lock_seconds_, 0.0); }

  // One that was handed out does not change any more.
  const std::shared_ptr<const MeasuringSession>& session() const { return session_; }

 private:
  void OnTiming(const WorkerSession& worker_session, const TimingNotice& notice);
  // Seconds for which another process of the machine has held the lock, while something here is to
  // be timed; 0 while nothing waits.
  double LockWait() const;
  void TellLockWait();
  void NoteLockWait(const WorkerSession& worker_session, const TimingNotice& notice);
  void TakeVerdicts();
  void AskToPrepare(WorkerSession& worker_session, const std::string& key);
  void TakePrepared(WorkerSession& worker_session);
  void NoteSurroundings(const PrepareReply& reply);

  WorkerPoolOptions options_;
  const Clock& clock_;
  EventLoop loop_;
  CompilePool pool_;
  CompileJobs jobs_;
  ReferenceChecks reference_checks_;
  std::vector<ReferenceVerdict> references_;
  const WorkerSession* timing_ = nullptr;  // where something is timed
  double timed_until_ = 0;                 // by one of these sessions
  double lock_seconds_ = 0;
  std::map<const WorkerSession*, double> lock_waits_;  // since when
  std::optional<double> lock_wait_told_;               // when
  std::vector<std::unique_ptr<WorkerSession>> worker_sessions_;
  std::map<std::string, PrepareRequest> requests_;  // by key
  std::map<std::string, PrepareReply> replies_;
  std::map<std::string, int> deaths_;
  std::shared_ptr<const MeasuringSession> session_;
};

}  // namespace schedulegym
