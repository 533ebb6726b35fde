#include "experiments/bench/bench_client.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>

#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/ipc/event_loop.h"
#include "env/ipc/worker_process.h"
#include "experiments/bench/peers/peer_names.h"
#include "experiments/bench/row_contest.h"

namespace schedulegym {
namespace {

// How often an interrupt is looked for.
constexpr double kTickSeconds = 0.1;

BenchRequest RequestOf(const BenchCase& one, const BenchOptions& options) {
  WireCase wire{one.workload, TextOf(*one.task), {}, ""};
  if (one.schedule) {
    wire.trace = one.schedule->trace;
    wire.origin = one.schedule->origin;
  }
  return {std::move(wire), options.peers, options.seed};
}

// Cases have one target.
std::vector<std::string> LimitsOf(std::span<const BenchCase> cases) {
  if (cases.empty()) return {};
  return LibraryLimits(cases.front().task->target, MakeTarget(Spec{"llvm", {}}));
}

[[noreturn]] void ThrowDeath(WorkerLink& link) {
  const std::string end = ExitText(link.process().Kill());
  throw MachineError("the worker that times rows ended: " + end + " " +
                     link.process().StderrTail());
}

// None once it is to be stopped.
template <typename Reply>
std::optional<Reply> AwaitReply(EventLoop& loop, WorkerLink& link,
                                const std::function<bool()>& stopped) {
  while (!stopped()) {
    if (const std::optional<Frame> frame = link.Take()) {
      if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
      Result<Reply> reply = Decode<Reply>(frame->payload);
      if (!reply) throw std::logic_error(reply.error().message);
      return *std::move(reply);
    }
    if (link.is_closed()) ThrowDeath(link);
    loop.Wait(kTickSeconds);
  }
  return std::nullopt;
}

// Of one fresh process; none when it was stopped.
std::optional<RowContest> AwaitContest(EventLoop& loop, WorkerLink& link,
                                       const std::function<bool()>& stopped) {
  while (!stopped()) {
    while (std::optional<Frame> frame = link.Take()) {
      if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
      if (frame->type != static_cast<uint16_t>(BenchMessage::kRow)) continue;
      Result<RowContest> contest = Decode<RowContest>(frame->payload);
      if (!contest) throw std::logic_error(contest.error().message);
      return *std::move(contest);
    }
    if (link.is_closed()) ThrowDeath(link);
    loop.Wait(kTickSeconds);
  }
  link.process().Kill();
  return std::nullopt;
}

// Times rows, each in several processes.
class RowTimer {
 public:
  RowTimer(const BenchOptions& options, std::vector<std::string> limits)
      : options_(options), limits_(std::move(limits)), program_(FindBenchWorker()) {}

  // None when it was stopped.
  std::optional<BenchRow> Time(const BenchCase& one) {
    const ComputeDag& dag = one.task->dag;
    double& highest = highest_peaks_[dag.tensor(dag.outputs()[0]).type];
    std::vector<RowContest> contests;
    const int most = options_.processes + options_.more_processes;
    for (int i = 0; i < most && IsWanting(contests, highest); ++i) {
      std::optional<RowContest> contest = TimeOnce(one);
      if (!contest) return std::nullopt;
      highest = std::max(highest, PeakOf(*contest));
      contests.push_back(*std::move(contest));
    }
    std::ranges::stable_sort(contests, std::ranges::greater(), PeakOf);
    contests.resize(std::min(contests.size(), static_cast<size_t>(options_.processes)));
    RowContest pooled = PoolRowContests(contests);
    pooled.timing.short_of_cores |= !HasItsPeak(contests.back(), highest);
    return RowOf(one, options_.peers, pooled);
  }

 private:
  static double PeakOf(const RowContest& contest) { return contest.timing.peak_gflops.value_or(0); }

  bool HasItsPeak(const RowContest& contest, double highest) const {
    return !contest.timing.peak_gflops || PeakOf(contest) >= options_.least_peak * highest;
  }

  // Another process. What failed, or has nothing to time, does so in each.
  bool IsWanting(const std::vector<RowContest>& contests, double highest) const {
    if (contests.empty()) return true;
    const RowContest& last = contests.back();
    if (!last.failure.empty() || last.timing.entries.empty()) return false;
    const auto good = std::ranges::count_if(
        contests, [&](const RowContest& contest) { return HasItsPeak(contest, highest); });
    return good < options_.processes;
  }

  std::optional<RowContest> TimeOnce(const BenchCase& one) {
    EventLoop loop;
    WorkerLink link(loop, program_, "bench", limits_);
    link.Send({static_cast<uint16_t>(BenchMessage::kRow), 1, Encode(RequestOf(one, options_))});
    return AwaitContest(loop, link, options_.interrupted);
  }

  const BenchOptions& options_;
  std::vector<std::string> limits_;
  std::string program_;
  std::map<DType, double> highest_peaks_;  // of this run
};

}  // namespace

std::string FindBenchWorker() {
  const std::filesystem::path worker = FindWorkerProgram();
  return (worker.parent_path() / "bench" / worker.filename()).string();
}

BenchSummary RunBenchInWorker(std::span<const BenchCase> cases, const BenchOptions& options,
                              const Clock& clock,
                              const std::function<void(const BenchRow&)>& on_row) {
  const double begin = clock.Now();
  RowTimer timer(options, LimitsOf(cases));
  std::vector<BenchRow> rows;
  for (const BenchCase& one : cases) {
    if (options.stop()) break;
    std::optional<BenchRow> row = timer.Time(one);
    if (!row) break;
    rows.push_back(*std::move(row));
    on_row(rows.back());
  }
  return Summarize(rows, clock.Now() - begin);
}

struct ProtocolClient::Worker {
  EventLoop loop;
  WorkerLink link{loop, FindBenchWorker(), "bench"};
};

ProtocolClient::ProtocolClient() : worker_(std::make_unique<Worker>()) {}

ProtocolClient::~ProtocolClient() { worker_->link.process().Kill(); }

std::optional<ProtocolReply> ProtocolClient::Ask(const ProtocolRequest& request,
                                                 const std::function<bool()>& stopped) {
  worker_->link.Send({static_cast<uint16_t>(BenchMessage::kProtocol), 1, Encode(request)});
  return AwaitReply<ProtocolReply>(worker_->loop, worker_->link, stopped);
}

PeersReply PeersOfWorker() {
  EventLoop loop;
  WorkerLink link(loop, FindBenchWorker(), "bench");
  link.Send({static_cast<uint16_t>(BenchMessage::kPeers), 1, ""});
  return AwaitReply<PeersReply>(loop, link, [] { return false; }).value();
}

}  // namespace schedulegym
