// Trials per second of a search: schedules of a workload by an agent, measured and recorded in a
// store of a temporary folder, on all cores and on one. Workers and reference are started before
// the clock, and one candidate is measured. The report divides the elapsed time into the phases of
// `done`.
#include "experiments/cli/bench/bench_kinds.h"

#include <unistd.h>

#include <filesystem>

#include "agents/builtin_agents.h"
#include "assembly/assembled_search.h"
#include "assembly/catalog.h"
#include "env/base/fault.h"
#include "env/program/workloads/task_list.h"
#include "experiments/cli/bench/bench_events.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/progress.h"

namespace schedulegym {
namespace {

// A folder that is removed with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    path_ = std::filesystem::temp_directory_path(error) /
            ("schedulegym-bench-" + std::to_string(getpid()));
    if (!error) std::filesystem::create_directory(path_, error);
    if (error)
      throw MachineError("cannot make a folder '" + path_.string() + "': " + error.message());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string File(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

class Watcher : public TuneObserver {
 public:
  Watcher(Session& session, int64_t trials)
      : progress_(session.report().err(), !session.report().quiet(), "throughput",
                  session.clock()) {
    state_.total = trials;
  }
  void OnTrial(const TrialEvent& event) override {
    state_.done = event.trials;
    progress_.Update(state_);
  }

 private:
  Progress progress_;
  ProgressState state_;
};

SearchRequest RequestOf(const Session& session, const ThroughputOptions& asked, int64_t trials) {
  SearchRequest request;
  request.agent = asked.agent;
  request.space = asked.space;
  request.protocol = asked.protocol;
  request.trials = trials;
  request.finalists = 0;
  request.seed = session.seed();
  return request;
}

// One-time costs of a search, before the clock starts: workers and the reference. One more
// candidate is measured, too, as the known best affects how long others take.
void WarmUp(const AssembledSearch& search, Measurer& measurer) {
  const std::shared_ptr<const Task>& task = search.tasks()[0].task;
  SingleTaskAgent other({"random", {}}, search.space(), {task},
                        Rng(~search.options().request.seed));
  for (const Proposal& proposal : other.Propose(0, 1)) {
    const Candidate first = {proposal.state};
    measurer.Measure({&first, 1});
  }
}

DoneEvent RunOnce(Session& session, const TaskList& list, const SearchRequest& request,
                  const InterruptScope& interrupt) {
  AssembledSearch search(request, list, BuiltinCatalog(), session.clock(), interrupt.flag());
  InterruptibleMeasurer measurer(search.MakeMeasurer(), interrupt);
  WarmUp(search, measurer);
  const TemporaryFolder folder;
  const auto store = OpenStore(folder.File("throughput.db"), StoreMode::kWrite);
  Watcher watcher(session, request.trials);
  return search.Run(measurer, *store, watcher)[0];
}

}  // namespace

int BenchThroughput(Session& session, const ThroughputOptions& asked, int64_t trials,
                    const InterruptScope& interrupt) {
  Target target = session.MakeTarget();
  std::vector<int> cores = {target.cores};
  if (target.cores > 1) cores.push_back(1);
  for (int count : cores) {
    target.cores = count;
    const TaskList list = LoadTasks({asked.workload}, target);
    if (list.tasks.size() != 1) {
      throw InputError("bench throughput: found " + std::to_string(list.tasks.size()) +
                       " tasks in " + asked.workload + ", expected one");
    }
    const SearchRequest request = RequestOf(session, asked, trials);
    const DoneEvent done = RunOnce(session, list, request, interrupt);
    if (done.trials > 0) {
      const ThroughputRow row = {asked.workload, asked.agent.ToText(), count};
      session.report().Item("throughput, " + std::to_string(count) + " cores",
                            ThroughputFields(row, done), ThroughputText(row, done));
    }
    if (interrupt.exit_code()) return *interrupt.exit_code();
  }
  return kExitOk;
}

}  // namespace schedulegym
