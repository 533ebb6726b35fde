// One row of the bench: our kernel of a case and the libraries' implementations of the same
// workload, on the same operands. Each result is compared with ours before anything is timed
// (difference over the largest value, within the type's tolerance; above it the row has a failure).
// Then all are timed interleaved, in random order, beside the peak loop.
// Cost: the protocol's rounds times the sum of the kernels' times.
#include "experiments/bench/bench.h"

#include "backends/backend.h"
#include "backends/runner/verification/prepared_kernel.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/measure/timing/timing_memory.h"
#include "experiments/bench/interleaved_row.h"
#include "experiments/bench/operands.h"
#include "experiments/bench/peers/peer.h"

namespace schedulegym {
namespace {

// The data of one row while it is timed.
class RowRun {
 public:
  RowRun(const BenchCase& row_case, const BenchOptions& options, const PairedClocks& clocks)
      : case_(row_case),
        options_(options),
        clocks_(clocks),
        rng_(options.seed),
        operands_(row_case.task->dag, rng_) {}

  InterleavedRow Run() {
    if (case_.schedule) {
      const Result<void> prepared = PrepareOurs(*case_.schedule);
      if (!prepared) interleaved_.failure = prepared.error().message;
    }
    PreparePeers();
    if (!kernel_ && peers_.empty()) return std::move(interleaved_);
    InterleavedOptions options = options_.interleaved;
    options.most_bits = case_.task->target.vector_bits;
    interleaved_.timing = RunInterleaved(Contenders(), Type(), Cores(), options, clocks_, rng_);
    NoteDifferences();
    return std::move(interleaved_);
  }

 private:
  int Cores() const { return case_.task->target.cores; }

  // Of the first output.
  DType Type() const {
    const ComputeDag& dag = case_.task->dag;
    return dag.tensor(dag.outputs()[0]).type;
  }

  Result<void> PrepareOurs(const BenchSchedule& schedule) {
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

  // Compares each peer's result with ours before anything is timed.
  void PreparePeers() {
    const Result<Spec> spec = ParseSpec(case_.workload);
    const std::optional<PeerProblem> problem = spec ? ProblemOf(*spec) : std::nullopt;
    if (!problem) return;
    for (auto& peer : MakePeers(*problem, Cores(), options_.peers)) {
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
    if (difference <= Tolerance(Type()) || !interleaved_.failure.empty()) return;
    interleaved_.failure = "result differs from " + peer.name() + " by " +
                           FormatDouble(difference) + " of the largest value, expected at most " +
                           FormatDouble(Tolerance(Type()));
  }

  std::vector<InterleavedKernel> Contenders() const {
    std::vector<InterleavedKernel> contenders;
    if (kernel_) {
      contenders.push_back({InterleavedRow::kOurs, case_.schedule->origin, [this] {
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

  // Peers are the last entries, in their own order.
  void NoteDifferences() {
    std::vector<InterleavedEntry>& entries = interleaved_.timing.entries;
    const size_t first = entries.size() - peers_.size();
    for (size_t i = 0; i < peers_.size(); ++i) entries[first + i].difference = differences_[i];
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
  InterleavedRow interleaved_;
};

}  // namespace

InterleavedRow RunInterleavedRow(const BenchCase& row_case, const BenchOptions& options,
                                 const PairedClocks& clocks) {
  CheckPeerNames(options.peers);
  return RowRun(row_case, options, clocks).Run();
}

BenchSummary RunBench(std::span<const BenchCase> cases, const BenchOptions& options,
                      const PairedClocks& clocks,
                      const std::function<void(const BenchRow&)>& on_row) {
  CheckPeerNames(options.peers);
  const double begin = clocks.wall.Now();
  std::vector<BenchRow> rows;
  for (BenchCase row_case : cases) {
    if (options.stop()) break;
    if (!row_case.schedule && options.schedule_of) {
      row_case.schedule = options.schedule_of(row_case.task);
    }
    rows.push_back(RowOf(row_case, options.peers, RunInterleavedRow(row_case, options, clocks)));
    on_row(rows.back());
  }
  return Summarize(rows, clocks.wall.Now() - begin);
}

}  // namespace schedulegym
