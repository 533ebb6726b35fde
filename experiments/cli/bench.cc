// The command `bench`: our kernels timed beside vendor libraries, in one run.
#include "experiments/bench/bench.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "experiments/bench/bench_cases.h"
#include "experiments/bench/bench_client.h"
#include "experiments/bench/bench_text.h"
#include "experiments/bench/expert.h"
#include "experiments/bench/peer_names.h"
#include "experiments/cli/bench_events.h"
#include "experiments/cli/bench_protocol.h"
#include "experiments/cli/bench_throughput.h"
#include "experiments/cli/builtin_commands.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/search.h"
#include "spaces/reference.h"

namespace schedulegym {
namespace {

// What is tuned first: the cases that have no schedule of their own.
TaskList TasksToTune(const std::vector<BenchCase>& cases) {
  TaskList list;
  for (const BenchCase& one : cases) {
    if (!one.schedule) AddTask(one.task, 1, list);
  }
  return list;
}

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

class BenchCommand : public Command {
 public:
  std::string name() const override { return "bench"; }
  std::string help() const override { return "times kernels beside vendor libraries"; }

  void Declare(CLI::App& app) override {
    app.add_option("SUITE|WORKLOAD", words_,
                   "suites, specs, .dag files; or throughput, protocol: the "
                   "measuring itself")
        ->required();
    app.add_option("--peers", peers_,
                   "libraries by name, with commas (default all: " + peers_ + ")")
        ->type_name("NAMES");
    search_.Declare(app);
  }

  int Run(Session& session) override {
    const InterruptScope interrupt;
    if (words_ == std::vector<std::string>{"throughput"} ||
        words_ == std::vector<std::string>{"protocol"}) {
      return RunOfMeasuring(session, interrupt);
    }
    const bool tunes = search_.Trials(1000, 0) > 0;
    BenchOptions options;
    options.peers = SplitNames(peers_);
    CheckPeerNames(options.peers);
    options.seed = session.seed();
    std::vector<BenchCase> cases = MakeBenchCases(words_, session.MakeTarget(), ExpertFolder());
    const TaskList list = TasksToTune(cases);
    if (tunes && !list.tasks.empty()) Search(session, search_, list, interrupt);
    const std::unique_ptr<RecordStore> store = session.ReadStoreIfAny();
    for (BenchCase& one : cases) {
      if (!one.schedule) one.schedule = BestSchedule(store.get(), one.task);
    }
    const BenchSummary summary = RunRows(session, cases, options, interrupt);
    if (interrupt.exit_code()) return *interrupt.exit_code();
    return summary.failures == 0 ? kExitOk : kExitFailed;
  }

 private:
  // What measures the measuring itself.
  int RunOfMeasuring(Session& session, const InterruptScope& interrupt) const {
    const Protocol protocol = MakeProtocol(ParseSpecOption("--protocol", search_.protocol));
    if (words_[0] == "throughput") {
      return BenchThroughput(session, protocol, search_.Trials(200, 1), interrupt);
    }
    return BenchProtocol(session, protocol, search_.Trials(1000, 1), interrupt);
  }

  // The store's best, else the task's reference.
  static BenchSchedule BestSchedule(const RecordStore* store,
                                    const std::shared_ptr<const Task>& task) {
    const std::optional<Record> best = store ? store->Best(TaskKey(*task)) : std::nullopt;
    if (best) return {best->trace, "record " + best->id};
    return {ReferenceSchedule(task).TraceText(), "reference"};
  }

  static BenchSummary RunRows(Session& session, const std::vector<BenchCase>& cases,
                              BenchOptions options, const InterruptScope& interrupt) {
    Report& report = session.report();
    size_t row_number = 0;
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
    const BenchSummary summary = RunBenchInWorker(cases, options, session.clock(), on_row);
    report.Event("summary", SummaryFields(summary));
    report.Text(BenchSummaryText(summary));
    return summary;
  }

  std::vector<std::string> words_;
  std::string peers_ = Join(PeerNames(), ",");
  SearchOptions search_;
};

}  // namespace

std::unique_ptr<Command> MakeBenchCommand() { return std::make_unique<BenchCommand>(); }

}  // namespace schedulegym
