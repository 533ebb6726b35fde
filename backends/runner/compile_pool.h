// CompilePool: workers that compile traces, several at once, ahead of those who need them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "backends/runner/verification/failure.h"
#include "backends/runner/wire/messages.h"
#include "env/base/clock.h"
#include "env/base/hash.h"
#include "env/ipc/event_loop.h"

namespace schedulegym {

struct CompilePoolOptions {
  std::string program;  // schedulegym-worker
  int workers = 1;
  double most_seconds = 10;  // for one candidate, then the worker is killed
  // A worker that has done so much is replaced, for its memory only grows.
  int most_jobs = 500;
  int64_t most_resident_bytes = int64_t{512} << 20;
};

struct Compiled {
  std::optional<Failure> failure;
  ObjectCode code;
  double seconds = 0;
  std::vector<KernelResources> resources = {};
};

class CompilePool {
 public:
  CompilePool(EventLoop& loop, CompilePoolOptions options, const Clock& clock);
  ~CompilePool();

  void Submit(uint64_t id, CompileRequest request);
  // Looks at what the workers said, starts what waits and ends what took too long. To be called
  // after every EventLoop::Wait.
  void Attend();
  // The answer to a job, once there is one. Throws MachineError where workers cannot do anything.
  std::optional<Compiled> Take(uint64_t id);
  // Forgets a job: nobody will ask for it.
  void Cancel(uint64_t id);
  // How long Wait may wait before Attend has something to do.
  double NextDeadline() const;

  // Stops the workers where they are, and lets them go on.
  void SetPaused(bool paused);

 private:
  struct Job {
    uint64_t id = 0;
    CompileRequest request;
  };
  struct Worker {
    std::unique_ptr<WorkerLink> link;
    std::deque<Job> jobs;   // sent, the first one being worked on
    double head_since = 0;  // when that began
    int done = 0;
    bool is_full = false;  // to be replaced when its jobs are done
  };

  void Receive(Worker& worker);
  void Finish(Worker& worker, const Frame& frame);
  void Start(Worker& worker);
  void Note(uint64_t id, Compiled compiled);
  void Fail(Worker& worker, Outcome outcome, const std::string& message);
  void SendWaiting();

  EventLoop& loop_;
  CompilePoolOptions options_;
  const Clock& clock_;
  std::vector<Worker> workers_;
  std::deque<Job> waiting_;
  std::map<uint64_t, Compiled> done_;
  std::set<uint64_t> wanted_;  // submitted, and neither taken nor cancelled
  bool paused_ = false;
  double paused_since_ = 0;
};

// Code of programs, compiled ahead, each once for as long as nobody has taken it.
class CompileJobs {
 public:
  explicit CompileJobs(CompilePool& pool) : pool_(pool) {}

  // The job that compiles this; the same for equal requests until its code is taken.
  Key Submit(const CompileRequest& request);

  // What became of a job, once that is known; then the job is over.
  std::optional<Compiled> Take(const Key& job);

  // Ends all but these: nobody will ask for them any more.
  void KeepOnly(std::span<const Key> jobs);

 private:
  CompilePool& pool_;
  std::map<Key, uint64_t> ids_;
  uint64_t last_id_ = 0;
};

}  // namespace schedulegym
