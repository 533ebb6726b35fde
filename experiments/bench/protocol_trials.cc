// How often the timing protocol errs, on kernels with a known ratio. Equal pairs time one kernel
// against itself (alternately two copies): a verdict other than the same is wrong, the error is
// |ln(ratio)|. Planted pairs time products of depth 1024 and 1056, true ratio 1.03125, in either
// order: the order must be right, the error is |ln(ratio / truth)|. Errors are given by their 95 %
// quantile.
#include "experiments/bench/protocol_trials.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "backends/backend.h"
#include "backends/runner/verification/prepared_kernel.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/measure/host/session_probe.h"
#include "env/measure/verdict.h"
#include "env/program/language/parser.h"
#include "env/schedule/state.h"
#include "experiments/bench/operands.h"

namespace schedulegym {
namespace {

constexpr int kDepth = 1024, kDeeper = 1056;

// Rows in turn on the cores, columns in vectors.
constexpr const char* kTrace = R"(trace 1
split(stage=C, loop=1, lengths=[64])
split(stage=C, loop=0, lengths=[4])
reorder(stage=C, order=[0, 2, 4, 1, 3])
vectorize(stage=C, loop=4)
unroll(stage=C, loop=3)
)";

}  // namespace

struct ProtocolTrials::Kernels {
  // One kernel with operands of its own.
  struct Contestant {
    Contestant(const Backend& backend, int depth, Rng& rng)
        : task(std::make_shared<const Task>(
              Task{*ParseDag("input A[32, " + std::to_string(depth) + "]\ninput B[" +
                                 std::to_string(depth) + ", 128]\nC[i:32, j:128] = sum(k:" +
                                 std::to_string(depth) + ") A[i, k] * B[k, j]\n",
                             "protocol"),
                   backend.target(), "protocol"})),
          operands(task->dag, rng) {
      std::string trace = kTrace;
      if (backend.target().cores > 1) trace += "parallel(stage=C, loop=0)\n";
      const Result<ScheduleState> state = ReplayText(task, trace);
      SG_CHECK(state.ok(), state.error().message);
      const Result<LoopProgram> program = Lower(*state);
      SG_CHECK(program.ok(), program.error().message);
      Result<PreparedKernel> made = PreparedKernel::Make(backend, *program, operands.arguments());
      SG_CHECK(made.ok(), made.error().message);
      kernel.emplace(*std::move(made));
    }

    std::function<void()> Call() const {
      return [this] { SG_CHECK(kernel->Call().ok(), "a plain product runs"); };
    }

    std::shared_ptr<const Task> task;
    Operands operands;
    std::optional<PreparedKernel> kernel;
  };

  explicit Kernels(const Target& target)
      : backend(MakeBackend(target)),
        rng(1),
        base(*backend, kDepth, rng),
        copy(*backend, kDepth, rng),
        deeper(*backend, kDeeper, rng) {}

  std::unique_ptr<Backend> backend;
  Rng rng;
  Contestant base, copy, deeper;
};

ProtocolTrials::ProtocolTrials(const Target& target)
    : kernels_(std::make_unique<Kernels>(target)) {}

ProtocolTrials::~ProtocolTrials() = default;

ProtocolTally ProtocolTrials::EqualPairs(int64_t pairs, const Protocol& protocol,
                                         const PairedClocks& clocks, Rng& rng) {
  ProtocolTally tally;
  std::vector<double> errors;
  const double begin = clocks.wall.Now();
  // Both copies take both roles, so that the placement of one in memory does not count as an error.
  for (int64_t i = 0; i < pairs; ++i) {
    const Kernels::Contestant& one = i % 2 == 0 ? kernels_->base : kernels_->copy;
    const std::array<std::function<void()>, 2> calls = {one.Call(), one.Call()};
    const PairedTiming timing = TimeInterleaved(calls, protocol, std::nullopt, clocks, rng);
    const RatioInterval& ratio = timing.series[1].ratio;
    const Verdict verdict = VerdictOf(ratio);
    tally.called_different += verdict == Verdict::kFaster || verdict == Verdict::kSlower;
    tally.called_same += verdict == Verdict::kSame;
    errors.push_back(std::abs(std::log(ratio.median)));
    ++tally.pairs;
  }
  tally.seconds = clocks.wall.Now() - begin;
  if (!errors.empty()) tally.error_p95 = Quantile(errors, 0.95);
  return tally;
}

ProtocolTally ProtocolTrials::PlantedPairs(int64_t pairs, const Protocol& protocol,
                                           const PairedClocks& clocks, Rng& rng) {
  constexpr double kTruth = static_cast<double>(kDeeper) / kDepth;
  ProtocolTally tally;
  std::vector<double> errors;
  const double begin = clocks.wall.Now();
  for (int64_t i = 0; i < pairs; ++i) {
    const bool is_faster = i % 2 == 0;
    const Kernels::Contestant& reference = is_faster ? kernels_->deeper : kernels_->base;
    const Kernels::Contestant& candidate = is_faster ? kernels_->base : kernels_->deeper;
    const std::array<std::function<void()>, 2> calls = {reference.Call(), candidate.Call()};
    const PairedTiming timing = TimeInterleaved(calls, protocol, std::nullopt, clocks, rng);
    const double ratio = timing.series[1].ratio.median;
    tally.ordered_right += is_faster ? ratio > 1 : ratio < 1;
    errors.push_back(std::abs(std::log(is_faster ? ratio / kTruth : ratio * kTruth)));
    ++tally.pairs;
  }
  tally.seconds = clocks.wall.Now() - begin;
  if (!errors.empty()) tally.error_p95 = Quantile(errors, 0.95);
  return tally;
}

}  // namespace schedulegym
