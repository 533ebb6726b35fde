// Bench client: rows timed in workers that hold the libraries, one after the other.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "experiments/bench/bench.h"
#include "experiments/bench/bench_messages.h"

namespace schedulegym {

// The worker with the libraries: `bench/schedulegym-worker` beside the other one.
std::string FindBenchWorker();

// As RunBench, in worker processes: every case has its schedule already, so that the options'
// schedule_of is not called. Each row is timed by several fresh workers. Ends the worker as soon as
// the options' stop returns true; the summary then has the rows so far. Throws MachineError when
// the worker dies.
BenchSummary RunBenchInWorker(std::span<const BenchCase> cases, const BenchOptions& options,
                              const Clock& clock,
                              const std::function<void(const BenchRow&)>& on_row);

// A worker that times pairs, until this is destroyed.
class ProtocolClient {
 public:
  ProtocolClient();
  ~ProtocolClient();
  ProtocolClient(const ProtocolClient&) = delete;
  ProtocolClient& operator=(const ProtocolClient&) = delete;

  // nullopt once `stopped`, which is polled, returns true; the client must not be used afterwards.
  // Throws MachineError when the worker dies.
  std::optional<ProtocolReply> Ask(const ProtocolRequest& request,
                                   const std::function<bool()>& stopped);

 private:
  struct Worker;
  std::unique_ptr<Worker> worker_;
};

// Which libraries can be timed.
PeersReply PeersOfWorker();

}  // namespace schedulegym
