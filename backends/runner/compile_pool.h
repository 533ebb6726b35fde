// CompilePool: workers that compile traces concurrently, ahead of their measurement.
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
  double most_seconds = 10;  // for one candidate; then the worker is killed
  // A worker beyond one of these limits is replaced, since its memory only grows.
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
  // Receives the workers' replies, starts waiting jobs and ends those over their time limit. Call
  // it after every EventLoop::Wait.
  void Attend();
  // The result of a job; nullopt until it is done. Throws MachineError if workers cannot run.
  std::optional<Compiled> Take(uint64_t id);
  // Drops a job; Take is not called for it any more.
  void Cancel(uint64_t id);
  // Limit in seconds for Wait until Attend must be called.
  double NextDeadline() const;

  // Suspends or resumes the workers.
  void SetPaused(bool paused);

 private:
  struct Job {
    uint64_t id = 0;
    CompileRequest request;
  };
  struct Worker {
    std::unique_ptr<WorkerLink> link;
    std::deque<Job> jobs;   // sent; the first one is being compiled
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

// Code of programs, compiled ahead. Equal requests share one job until its code is taken.
class CompileJobs {
 public:
  explicit CompileJobs(CompilePool& pool) : pool_(pool) {}

  // Returns the job of this request; equal requests get the same job until its code is taken.
  Key Submit(const CompileRequest& request);

  // Returns the result of a job and ends the job; nullopt until it is done.
  std::optional<Compiled> Take(const Key& job);

  // Cancels all other jobs.
  void KeepOnly(std::span<const Key> jobs);

 private:
  CompilePool& pool_;
  std::map<Key, uint64_t> ids_;
  uint64_t last_id_ = 0;
};

}  // namespace schedulegym
