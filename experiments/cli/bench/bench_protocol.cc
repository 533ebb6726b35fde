// Asks a worker for trials of the protocol (see experiments/bench/protocol_trials.cc), 20 pairs at
// once, on one thread and on all cores, alone and beside two busy processes. Shares are over all
// pairs; of the quantiles of errors the worst counts.
#include "experiments/cli/bench/bench_kinds.h"

#include <memory>
#include <vector>

#include "env/ipc/worker_process.h"
#include "experiments/bench/bench_client.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

constexpr int kHogs = 2;
// Pairs of one request, so that progress is shown.
constexpr int64_t kPairsAtOnce = 20;

struct Sums {
  int64_t pairs = 0, wrong = 0, same = 0;
  double worst_p95 = 0, seconds = 0;
};

void Add(const ProtocolReply& reply, Sums& sums) {
  sums.pairs += reply.pairs;
  sums.wrong += reply.wrong;
  sums.same += reply.same;
  sums.worst_p95 = std::max(sums.worst_p95, reply.error_p95);
  sums.seconds += reply.seconds;
}

class ProtocolBench {
 public:
  ProtocolBench(Session& session, const Protocol& protocol, int64_t pairs,
                const InterruptScope& interrupt)
      : session_(session),
        protocol_(ProtocolText(protocol)),
        pairs_(pairs),
        interrupt_(interrupt),
        progress_(session.report().err(), !session.report().quiet(), "protocol", session.clock()) {}

  int Run() {
    Target target = session_.MakeTarget();
    std::vector<int> cores = {1};
    if (target.cores > 1) cores.push_back(target.cores);
    state_.total = static_cast<int64_t>(cores.size()) * 4 * pairs_;
    for (int count : cores) {
      target.cores = count;
      for (bool busy : {false, true}) {
        RunOne(target, busy);
        if (interrupt_.exit_code()) return *interrupt_.exit_code();
      }
    }
    return kExitOk;
  }

 private:
  void RunOne(const Target& target, bool busy) {
    std::vector<std::unique_ptr<WorkerProcess>> hogs;
    for (int i = 0; busy && i < kHogs; ++i) {
      hogs.push_back(std::make_unique<WorkerProcess>(FindBenchWorker(), "hog"));
    }
    const Sums equal = Ask(target, /*planted=*/false);
    const Sums planted = Ask(target, /*planted=*/true);
    for (auto& hog : hogs) hog->Kill();
    progress_.Clear();
    Tell(target, busy, equal, planted);
  }

  Sums Ask(const Target& target, bool planted) {
    ProtocolClient client;
    Sums sums;
    interrupt_.Promise(kMeasuringSeconds);
    while (sums.pairs < pairs_ && !*interrupt_.flag()) {
      ProtocolRequest request;
      request.target = target.ToText();
      request.protocol = protocol_;
      request.pairs = std::min(kPairsAtOnce, pairs_ - sums.pairs);
      request.planted = planted;
      request.seed = session_.seed() + static_cast<uint64_t>(sums.pairs);
      const auto reply = client.Ask(request, [&] { return interrupt_.flag()->load(); });
      if (!reply) break;
      Add(*reply, sums);
      state_.done += reply->pairs;
      progress_.Update(state_);
    }
    return sums;
  }

  void Tell(const Target& target, bool busy, const Sums& equal, const Sums& planted) {
    if (equal.pairs == 0 || planted.pairs == 0) return;
    const auto share = [](int64_t part, int64_t whole) {
      return static_cast<double>(part) / static_cast<double>(whole);
    };
    const double different = share(equal.wrong, equal.pairs);
    const double right = 1 - share(planted.wrong, planted.pairs);
    const std::string name = std::string("protocol, ") + std::to_string(target.cores) +
                             (target.cores == 1 ? " thread, " : " threads, ") +
                             (busy ? "two busy processes" : "alone");
    session_.report().Item(
        name,
        {{"threads", target.cores},
         {"busy_processes", busy ? kHogs : 0},
         {"pairs", equal.pairs},
         {"called_different", different},
         {"called_same", share(equal.same, equal.pairs)},
         {"equal_error_p95", equal.worst_p95},
         {"ordered_right", right},
         {"planted_error_p95", planted.worst_p95},
         {"seconds_per_pair",
          (equal.seconds + planted.seconds) / static_cast<double>(equal.pairs + planted.pairs)}},
        name + ": of " + std::to_string(equal.pairs) + " equal pairs " +
            FormatFixed(100 * different, 1) + " % called different, " +
            FormatFixed(100 * share(equal.same, equal.pairs), 1) + " % the same; of " +
            std::to_string(planted.pairs) + " that differ by 3 % " + FormatFixed(100 * right, 1) +
            " % ordered right; " +
            FormatSeconds((equal.seconds + planted.seconds) /
                          static_cast<double>(equal.pairs + planted.pairs)) +
            " a pair");
  }

  Session& session_;
  std::string protocol_;
  int64_t pairs_;
  const InterruptScope& interrupt_;
  Progress progress_;
  ProgressState state_;
};

}  // namespace

int BenchProtocol(Session& session, const Protocol& protocol, int64_t pairs,
                  const InterruptScope& interrupt) {
  return ProtocolBench(session, protocol, pairs, interrupt).Run();
}

}  // namespace schedulegym
