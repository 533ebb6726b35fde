// The command `bench`: our kernels timed beside vendor libraries, in one run.
#include "experiments/bench/bench.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/measure/timing/clocks.h"
#include "experiments/bench/bench_cases.h"
#include "experiments/bench/bench_client.h"
#include "experiments/bench/bench_text.h"
#include "experiments/bench/expert.h"
#include "experiments/bench/peers/peer_names.h"
#include "experiments/cli/bench/bench_events.h"
#include "experiments/cli/bench/bench_kinds.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/tune/search.h"

namespace schedulegym {
namespace {

std::vector<std::string> SplitNames(const std::string& text) {
  std::vector<std::string> names;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string name(Trim(text.substr(begin, end - begin)));
    if (!name.empty()) names.push_back(name);
    begin = end + 1;
  }
  return names;
}

// Before anything is tuned for them.
void CheckHasPeers(const Target& target) {
  if (!target.IsGpu()) return;
  throw InputError(std::string("target: found '") + target.BackendName() +
                   "', of which bench compares no kernels, expected llvm or interpreter; tune and "
                   "replay measure on it, and `./sg bench gpu` compares with a card's libraries");
}

class BenchCommand : public Command {
 public:
  std::string name() const override { return "bench"; }
  std::string help() const override {
    return "tunes cases, then times their kernels beside vendor libraries";
  }

  void Declare(CLI::App& app) override {
    app.add_option("SUITE|WORKLOAD", words_,
                   "suites, whole or in part such as \"ansor_ops(batch=16,operator=C2D)\", specs, "
                   ".dag files, networks; or throughput (and a workload), protocol: the measuring "
                   "itself")
        ->required();
    app.add_option("--peers", peers_,
                   "libraries by name, with commas (default all: " + peers_ + ")")
        ->type_name("NAMES");
    app.add_option_function<std::string>(
           "--most-gflop", [this](const std::string& typed) { most_gflop_ = typed; },
           "leaves out cases of more work a call, and names them")
        ->type_name("G");
    app.add_option_function<std::string>(
           "--processes", [this](const std::string& typed) { processes_ = typed; },
           "fresh processes that time each row, each with its own layout of memory (default 3)")
        ->type_name("N");
    search_.Declare(app, SearchScope::kEachTask);
    agent_ = app.get_option("--agent");
  }

  int Run(Session& session) override {
    const InterruptScope interrupt;
    const bool is_throughput = words_[0] == "throughput" && words_.size() <= 2;
    if (is_throughput || words_ == std::vector<std::string>{"protocol"}) {
      return RunOfMeasuring(session, interrupt);
    }
    const bool is_tuning = search_.Trials(1000, 0) > 0;
    BenchOptions options;
    options.peers = SplitNames(peers_);
    CheckPeerNames(options.peers);
    options.seed = session.seed();
    if (processes_) {
      const int64_t asked = ParseIntegerOption("--processes", *processes_, 1);
      options.processes = static_cast<int>(std::min<int64_t>(asked, 100));
    }
    const Target target = session.MakeTarget();
    CheckHasPeers(target);
    const BenchOccasion occasion = {
        session.CommandText(), CalendarClock().Now(),
        target.cpu + ", " + std::to_string(target.vector_bits) + "-bit vectors"};
    std::vector<BenchCase> cases = MakeBenchCases(words_, target, ExpertFolder());
    const std::vector<std::string> left_out = LeaveOut(session.report(), cases);
    if (is_tuning) TuneCases(session, search_, interrupt, cases);
    ChooseSchedules(session, cases);
    BenchSummary summary = RunRows(session, cases, options, interrupt);
    summary.left_out = left_out;
    session.report().Event("summary", SummaryFields(summary, occasion));
    session.report().Text(BenchSummaryText(summary));
    if (interrupt.exit_code()) return *interrupt.exit_code();
    return summary.failures == 0 ? kExitOk : kExitFailed;
  }

 private:
  // The cases above the limit on flops.
  std::vector<std::string> LeaveOut(Report& report, std::vector<BenchCase>& cases) const {
    if (!most_gflop_) return {};
    const double most = ParsePositiveOption("--most-gflop", *most_gflop_);
    const std::vector<std::string> left_out = LeaveOutLarger(most * 1e9, cases);
    if (cases.empty()) {
      throw InputError("--most-gflop: found " + *most_gflop_ + ", each of the " +
                       std::to_string(left_out.size()) + " cases is above it");
    }
    for (const std::string& workload : left_out) {
      report.Note("left out, above " + *most_gflop_ + " GFLOP: " + workload);
    }
    return left_out;
  }

  // Benchmarks of the measuring itself.
  int RunOfMeasuring(Session& session, const InterruptScope& interrupt) const {
    const Protocol protocol = session.ReadProtocol(search_.protocol);
    if (words_[0] == "throughput") {
      ThroughputOptions asked = {.protocol = RequireSpec("--protocol", search_.protocol)};
      if (words_.size() > 1) asked.workload = words_[1];
      if (agent_->count() > 0) asked.agent = RequireSpec("--agent", search_.agent);
      if (search_.space) asked.space = RequireSpec("--space", *search_.space);
      return BenchThroughput(session, asked, search_.Trials(200, 1), interrupt);
    }
    return BenchProtocol(session, protocol, search_.Trials(1000, 1), interrupt);
  }

  static BenchSummary RunRows(Session& session, const std::vector<BenchCase>& cases,
                              BenchOptions options, const InterruptScope& interrupt) {
    Report& report = session.report();
    size_t row_number = 0;
    interrupt.Promise(kMeasuringSeconds);
    options.stop = [&] {
      if (*interrupt.flag()) return true;
      if (row_number == 0) report.Text(BenchHeaderText());
      const std::string& workload = cases[row_number++].workload;
      report.Note("timing " + std::to_string(row_number) + "/" + std::to_string(cases.size()) +
                  ": " + workload);
      return false;
    };
    options.interrupted = [&] { return interrupt.flag()->load(); };
    const auto on_row = [&](const BenchRow& row) {
      report.Event("row", RowFields(row));
      report.Text(BenchRowText(row));
    };
    return RunBenchInWorker(cases, options, session.clock(), on_row);
  }

  std::vector<std::string> words_;
  std::string peers_ = Join(PeerNames(), ",");
  std::optional<std::string> most_gflop_;
  std::optional<std::string> processes_;
  SearchOptions search_;
  const CLI::Option* agent_ = nullptr;  // throughput has another default
};

}  // namespace

std::unique_ptr<Command> MakeBenchCommand() { return std::make_unique<BenchCommand>(); }

}  // namespace schedulegym
