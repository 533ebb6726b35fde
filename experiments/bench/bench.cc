#include "experiments/bench/bench.h"

#include "backends/backend.h"
#include "backends/runner/prepared_kernel.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/measure/aligned_buffer.h"
#include "env/measure/paired_statistics.h"
#include "env/program/analysis.h"
#include "experiments/bench/operands.h"
#include "experiments/bench/peer.h"

namespace schedulegym {
namespace {

constexpr char kOurs[] = "schedulegym";

// Everything that one row needs while it is timed.
class RowRun {
 public:
  RowRun(const BenchCase& row_case, const BenchOptions& options, const PairedClocks& clocks)
      : case_(row_case),
        options_(options),
        clocks_(clocks),
        rng_(options.seed),
        operands_(row_case.task->dag, rng_) {
    row_.workload = case_.workload;
    row_.group = case_.group;
    row_.effort = case_.effort;
    row_.cores = case_.task->target.cores;
    row_.flops = CountFlops(case_.task->dag);
  }

  BenchRow Run() {
    const std::optional<BenchSchedule> schedule = Schedule();
    if (schedule) {
      const Result<void> prepared = PrepareOurs(*schedule);
      if (!prepared) row_.failure = prepared.error().message;
    }
    PreparePeers();
    if (!kernel_ && peers_.empty()) return std::move(row_);
    ContestOptions contest = options_.contest;
    contest.most_bits = case_.task->target.vector_bits;
    Report(HoldContest(Contenders(), Type(), row_.cores, contest, clocks_, rng_));
    return std::move(row_);
  }

 private:
  std::optional<BenchSchedule> Schedule() const {
    if (case_.schedule) return case_.schedule;
    return options_.schedule_of ? options_.schedule_of(case_.task) : std::nullopt;
  }

  // Of the first output.
  DType Type() const {
    const ComputeDag& dag = case_.task->dag;
    return dag.tensor(dag.outputs()[0]).type;
  }

  Result<void> PrepareOurs(const BenchSchedule& schedule) {
    row_.origin = schedule.origin;
    row_.grade = schedule.grade;
    const Result<ScheduleState> state = ReplayText(case_.task, schedule.trace);
    if (!state) return state.error();
    const Result<LoopProgram> program = Lower(*state);
    if (!program) return program.error();
    backend_ = MakeBackend(case_.task->target);
    Result<PreparedKernel> kernel =
        PreparedKernel::Make(*backend_, *program, operands_.arguments());
    if (!kernel) return kernel.error();
    const Result<void> run = kernel->Call();
    if (!run) return run.error();
    kernel_.emplace(std::move(*kernel));
    return {};
  }

  // Each peer's result stands beside ours before anything is timed.
  void PreparePeers() {
    const Result<Spec> spec = ParseSpec(case_.workload);
    const std::optional<PeerProblem> problem = spec ? ProblemOf(*spec) : std::nullopt;
    if (!problem) return;
    for (auto& peer : MakePeers(*problem, row_.cores, options_.peers)) {
      peer->Load(operands_.inputs());
      peer->Run();
      differences_.push_back(std::nullopt);
      if (kernel_) {
        const AlignedBuffer result(operands_.output_bytes());
        peer->Store(result.data());
        differences_.back() =
            RelativeDifference(Type(), result.data(), operands_.output(), problem->output_elements);
        NoteDifference(*peer, *differences_.back());
      }
      peers_.push_back(std::move(peer));
    }
  }

  void NoteDifference(const Peer& peer, double difference) {
    if (difference <= Tolerance(Type()) || !row_.failure.empty()) return;
    row_.failure = "result differs from " + peer.name() + " by " + FormatDouble(difference) +
                   " of the largest value, expected at most " + FormatDouble(Tolerance(Type()));
  }

  std::vector<Contender> Contenders() const {
    std::vector<Contender> contenders;
    if (kernel_) {
      contenders.push_back({kOurs, row_.origin, [this] {
                              const Result<void> run = kernel_->Call();
                              SG_CHECK(run.ok(), run.error().message);
                            }});
    }
    for (const auto& peer : peers_) {
      contenders.push_back(
          {peer->name(), peer->detail(), [&peer] { peer->Run(); }, peer->is_plain()});
    }
    return contenders;
  }

  void Report(const ContestResult& result) {
    row_.peak_gflops = result.peak_gflops;
    row_.short_of_cores = result.short_of_cores;
    row_.any = SideOf(result, Layouts::kAny);
    row_.plain = SideOf(result, Layouts::kPlain);
    const ContestEntry* ours = Fastest(result, kOurs);
    if (ours == nullptr) return;
    row_.seconds = ours->seconds;
    row_.gflops = row_.flops / ours->seconds * 1e-9;
    row_.cpu_per_wall = ours->cpu_per_wall;
    if (row_.peak_gflops) row_.peak_fraction = *row_.gflops / *row_.peak_gflops;
  }

  PeerSide SideOf(const ContestResult& result, Layouts layouts) const {
    PeerSide side;
    const ContestEntry* best = nullptr;
    for (const std::string& name : options_.peers) {
      const ContestEntry* entry = Fastest(result, name, layouts);
      if (entry == nullptr) continue;
      side.peers.push_back(
          {name, entry->detail, entry->seconds, entry->cpu_per_wall, DifferenceOf(*entry, result)});
      if (best == nullptr || entry->seconds < best->seconds) best = entry;
    }
    if (best == nullptr) return side;
    side.best_peer = best->name;
    if (const ContestEntry* ours = Fastest(result, kOurs)) {
      side.ratio = MedianRatio(best->samples, ours->samples, IntervalRule::kRank);
    }
    return side;
  }

  // Peers stand at the end of the entries, in their own order.
  std::optional<double> DifferenceOf(const ContestEntry& entry, const ContestResult& result) const {
    const size_t first = result.entries.size() - peers_.size();
    return differences_[&entry - result.entries.data() - first];
  }

  const BenchCase& case_;
  const BenchOptions& options_;
  const PairedClocks& clocks_;
  Rng rng_;
  Operands operands_;
  std::unique_ptr<Backend> backend_;
  std::optional<PreparedKernel> kernel_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::vector<std::optional<double>> differences_;  // by peer
  BenchRow row_;
};

}  // namespace

BenchSummary RunBench(std::span<const BenchCase> cases, const BenchOptions& options,
                      const PairedClocks& clocks,
                      const std::function<void(const BenchRow&)>& on_row) {
  CheckPeerNames(options.peers);
  const double begin = clocks.wall.Now();
  std::vector<BenchRow> rows;
  for (const BenchCase& row_case : cases) {
    if (options.stop()) break;
    rows.push_back(RowRun(row_case, options, clocks).Run());
    on_row(rows.back());
  }
  return Summarize(rows, clocks.wall.Now() - begin);
}

}  // namespace schedulegym
