#include "experiments/bench/bench_client.h"

#include <filesystem>
#include <utility>

#include "backends/runner/process/event_loop.h"
#include "backends/runner/process/refusal.h"
#include "backends/runner/process/worker_process.h"
#include "backends/runner/wire/encoding.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "experiments/bench/library_limits.h"

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

// Of one row; none when it was stopped.
std::optional<BenchRow> AwaitRow(EventLoop& loop, WorkerLink& link,
                                 const std::function<bool()>& stopped) {
  while (!stopped()) {
    while (std::optional<Frame> frame = link.Take()) {
      if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
      if (frame->type != static_cast<uint16_t>(BenchMessage::kRow)) continue;
      const Result<WireRow> row = Decode<WireRow>(frame->payload);
      if (!row) throw std::logic_error(row.error().message);
      return FromWire(*row);
    }
    if (link.is_closed()) ThrowDeath(link);
    loop.Wait(kTickSeconds);
  }
  link.process().Kill();
  return std::nullopt;
}

template <typename Reply>
Reply AwaitReply(EventLoop& loop, WorkerLink& link) {
  while (true) {
    if (const std::optional<Frame> frame = link.Take()) {
      if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
      Result<Reply> reply = Decode<Reply>(frame->payload);
      if (!reply) throw std::logic_error(reply.error().message);
      return *std::move(reply);
    }
    if (link.is_closed()) ThrowDeath(link);
    loop.Wait(kTickSeconds);
  }
}

}  // namespace

std::string FindBenchWorker() {
  const std::filesystem::path worker = FindWorkerProgram();
  return (worker.parent_path() / "bench" / worker.filename()).string();
}

BenchSummary RunBenchInWorker(std::span<const BenchCase> cases, const BenchOptions& options,
                              const Clock& clock,
                              const std::function<void(const BenchRow&)>& on_row) {
  const double begin = clock.Now();
  EventLoop loop;
  WorkerLink link(loop, FindBenchWorker(), "bench", LimitsOf(cases));
  std::vector<BenchRow> rows;
  for (const BenchCase& one : cases) {
    if (options.stop()) break;
    link.Send({static_cast<uint16_t>(BenchMessage::kRow), 1, Encode(RequestOf(one, options))});
    std::optional<BenchRow> row = AwaitRow(loop, link, options.interrupted);
    if (!row) break;
    row->group = one.group;
    row->effort = one.effort;
    if (one.schedule) row->grade = one.schedule->grade;
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

ProtocolReply ProtocolClient::Ask(const ProtocolRequest& request) {
  worker_->link.Send({static_cast<uint16_t>(BenchMessage::kProtocol), 1, Encode(request)});
  return AwaitReply<ProtocolReply>(worker_->loop, worker_->link);
}

PeersReply PeersOfWorker() {
  EventLoop loop;
  WorkerLink link(loop, FindBenchWorker(), "bench");
  link.Send({static_cast<uint16_t>(BenchMessage::kPeers), 1, ""});
  return AwaitReply<PeersReply>(loop, link);
}

}  // namespace schedulegym
