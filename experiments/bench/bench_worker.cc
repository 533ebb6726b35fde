// The program `bench/schedulegym-worker`: times rows beside vendor libraries; started by
// schedulegym, never by hand. Apart from the other worker, for libraries bring threads with them.
#include <exception>
#include <string>

#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/ipc/worker_process.h"
#include "env/measure/timing/clocks.h"
#include "experiments/bench/bench.h"
#include "experiments/bench/bench_messages.h"
#include "experiments/bench/interleaved_row.h"
#include "experiments/bench/peers/peer.h"
#include "experiments/bench/protocol_trials.h"

namespace schedulegym {
namespace {

BenchCase CaseOf(const WireCase& wire) {
  BenchCase one{.workload = wire.workload, .task = MakeTask(wire.task)};
  if (wire.trace) one.schedule = BenchSchedule{*wire.trace, wire.origin, ""};
  return one;
}

PeersReply Peers() {
  PeersReply reply;
  for (const std::string& name : PeerNames()) {
    try {
      MakePeers(*ProblemOf(*ParseSpec("matmul(m=8,n=8,k=8)")), 1, {name});
      reply.peers.push_back({name, ""});
    } catch (const MachineError& error) {
      reply.peers.push_back({name, error.what()});
    }
  }
  return reply;
}

std::string TimeRow(const Frame& frame) {
  const Result<BenchRequest> request = Decode<BenchRequest>(frame.payload);
  if (!request) throw std::logic_error(request.error().message);
  BenchOptions options;
  options.peers = request->peers;
  options.seed = request->seed;
  const SteadyClock wall;
  const ProcessCpuClock cpu;
  return Encode(RunInterleavedRow(CaseOf(request->row), options, {wall, cpu}));
}

// Kernels that stay for as long as the target does.
struct KeptTrials {
  std::string target;
  std::unique_ptr<ProtocolTrials> trials;
};

std::string TimePairs(const Frame& frame, KeptTrials& kept) {
  const Result<ProtocolRequest> request = Decode<ProtocolRequest>(frame.payload);
  if (!request) throw std::logic_error(request.error().message);
  if (!kept.trials || kept.target != request->target) {
    kept.trials = std::make_unique<ProtocolTrials>(MakeTarget(*ParseSpec(request->target)));
    kept.target = request->target;
  }
  const Protocol protocol = MakeProtocol(*ParseSpec(request->protocol));
  const SteadyClock wall;
  const ProcessCpuClock cpu;
  Rng rng(request->seed);
  const ProtocolTally tally =
      request->planted ? kept.trials->PlantedPairs(request->pairs, protocol, {wall, cpu}, rng)
                       : kept.trials->EqualPairs(request->pairs, protocol, {wall, cpu}, rng);
  const int64_t wrong =
      request->planted ? tally.pairs - tally.ordered_right : tally.called_different;
  return Encode(
      ProtocolReply{tally.pairs, wrong, tally.called_same, tally.error_p95, tally.seconds});
}

// Walks through more memory than caches hold until it is killed.
[[noreturn]] void BeBusy() {
  std::vector<uint64_t> memory(size_t{8} << 20);
  while (true) {
    for (uint64_t& cell : memory) cell = cell * 6364136223846793005u + 1;
    __asm__ volatile("" : : "r"(memory.data()) : "memory");
  }
}

Frame Answer(const Frame& frame, KeptTrials& kept) {
  switch (static_cast<BenchMessage>(frame.type)) {
    case BenchMessage::kRow: return {frame.type, frame.id, TimeRow(frame)};
    case BenchMessage::kPeers: return {frame.type, frame.id, Encode(Peers())};
    case BenchMessage::kProtocol: return {frame.type, frame.id, TimePairs(frame, kept)};
  }
  throw std::logic_error("the bench worker was asked for something else");
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  int exit_code = 0;
  if (!schedulegym::FollowParent(argc, argv, exit_code)) return exit_code;
  schedulegym::FrameChannel channel{schedulegym::Descriptor(schedulegym::WorkerProcess::kSocket)};
  if (std::string(argv[1]) == "hog") schedulegym::BeBusy();
  schedulegym::KeptTrials kept;
  while (const auto frame = channel.Receive()) {
    channel.Send(
        schedulegym::AnswerOrRefuse(*frame, [&] { return schedulegym::Answer(*frame, kept); }));
  }
  return 0;
}
