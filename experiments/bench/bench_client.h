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

// What RunBench does, elsewhere: every case has its schedule already, the options' schedule_of is
// not asked. Each row is timed by several fresh workers. Ends the worker as soon as the options'
// stop says so; the summary is then of the rows so far. Throws MachineError when the worker dies.
BenchSummary RunBenchInWorker(std::span<const BenchCase> cases, const BenchOptions& options,
                              const Clock& clock,
                              const std::function<void(const BenchRow&)>& on_row);

// A worker that times pairs, for as long as this lives.
class ProtocolClient {
 public:
  ProtocolClient();
  ~ProtocolClient();
  ProtocolClient(const ProtocolClient&) = delete;
  ProtocolClient& operator=(const ProtocolClient&) = delete;

  // None, and nothing may be asked any more, once `stopped`, which is asked meanwhile, says so.
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
