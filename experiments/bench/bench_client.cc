// Times rows in worker processes, since a process's layout of memory decides some per cent. Each
// row has a fresh process several times; one whose peak is under least_peak of the highest peak of
// this type in the run was disturbed and does not count, so further ones follow, up to
// more_processes. The processes of the highest peaks are pooled into the row; if the last of them
// lacks its peak, too, the row says that cores were busy.
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
#include "experiments/bench/interleaved_row.h"
#include "experiments/bench/peers/peer_names.h"

namespace schedulegym {
namespace {

// Interval between checks for an interrupt.
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
std::optional<InterleavedRow> AwaitInterleaved(EventLoop& loop, WorkerLink& link,
                                               const std::function<bool()>& stopped) {
  while (!stopped()) {
    while (std::optional<Frame> frame = link.Take()) {
      if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
      if (frame->type != static_cast<uint16_t>(BenchMessage::kRow)) continue;
      Result<InterleavedRow> interleaved = Decode<InterleavedRow>(frame->payload);
      if (!interleaved) throw std::logic_error(interleaved.error().message);
      return *std::move(interleaved);
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
    std::vector<InterleavedRow> interleaved_rows;
    const int most = options_.processes + options_.more_processes;
    for (int i = 0; i < most && IsWanting(interleaved_rows, highest); ++i) {
      std::optional<InterleavedRow> interleaved = TimeOnce(one);
      if (!interleaved) return std::nullopt;
      highest = std::max(highest, PeakOf(*interleaved));
      interleaved_rows.push_back(*std::move(interleaved));
    }
    std::ranges::stable_sort(interleaved_rows, std::ranges::greater(), PeakOf);
    interleaved_rows.resize(
        std::min(interleaved_rows.size(), static_cast<size_t>(options_.processes)));
    InterleavedRow pooled = PoolInterleavedRows(interleaved_rows);
    pooled.timing.short_of_cores |= !HasItsPeak(interleaved_rows.back(), highest);
    return RowOf(one, options_.peers, pooled);
  }

 private:
  static double PeakOf(const InterleavedRow& interleaved) {
    return interleaved.timing.peak_gflops.value_or(0);
  }

  bool HasItsPeak(const InterleavedRow& interleaved, double highest) const {
    return !interleaved.timing.peak_gflops || PeakOf(interleaved) >= options_.least_peak * highest;
  }

  // Whether to start another process. A row that failed, or that has nothing to time, would fail
  // again.
  bool IsWanting(const std::vector<InterleavedRow>& interleaved_rows, double highest) const {
    if (interleaved_rows.empty()) return true;
    const InterleavedRow& last = interleaved_rows.back();
    if (!last.failure.empty() || last.timing.entries.empty()) return false;
    const auto good = std::ranges::count_if(
        interleaved_rows,
        [&](const InterleavedRow& interleaved) { return HasItsPeak(interleaved, highest); });
    return good < options_.processes;
  }

  std::optional<InterleavedRow> TimeOnce(const BenchCase& one) {
    EventLoop loop;
    WorkerLink link(loop, program_, "bench", limits_);
    link.Send({static_cast<uint16_t>(BenchMessage::kRow), 1, Encode(RequestOf(one, options_))});
    return AwaitInterleaved(loop, link, options_.interrupted);
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
