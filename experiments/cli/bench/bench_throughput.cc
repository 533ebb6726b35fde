// Trials per second of a search: random schedules of a 512 x 512 x 512 product, measured and
// recorded in a store of a temporary folder, on all cores and on one. Workers and reference are
// started before the clock, and one candidate is measured. The report divides the elapsed time into
// proposing, verifying, measuring, storing and the rest.
#include "experiments/cli/bench/bench_kinds.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "agents/builtin_agents.h"
#include "assembly/assembled_search.h"
#include "assembly/catalog.h"
#include "env/base/text.h"
#include "env/program/workloads/task_list.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

constexpr const char* kWorkload = "matmul(m=512,n=512,k=512)";

// A folder that goes with its owner.
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

SearchRequest RequestOf(const Session& session, const Spec& protocol, int64_t trials) {
  SearchRequest request;
  request.agent = {"random", {}};
  request.protocol = protocol;
  request.trials = trials;
  request.finalists = 0;
  request.seed = session.seed();
  return request;
}

// What is paid once, however long a search is, before the clock starts: workers and the reference.
// One more candidate is measured, too; the best that is known has a part in how long others take.
void WarmUp(const AssembledSearch& search, Measurer& measurer) {
  const std::shared_ptr<const Task>& task = search.tasks()[0].task;
  SingleTaskAgent other({"random", {}}, search.space(), {task},
                        Rng(~search.options().request.seed));
  for (const Proposal& proposal : other.Propose(0, 1)) {
    const Candidate first = {proposal.state};
    measurer.Measure({&first, 1});
  }
}

DoneEvent RunOnce(Session& session, const Target& target, const SearchRequest& request,
                  const InterruptScope& interrupt) {
  const TaskList list = LoadTasks({kWorkload}, target);
  AssembledSearch search(request, list, BuiltinCatalog(), session.clock(), interrupt.flag());
  InterruptibleMeasurer measurer(search.MakeMeasurer(), interrupt);
  WarmUp(search, measurer);
  const TemporaryFolder folder;
  const auto store = OpenStore(folder.File("throughput.db"), StoreMode::kWrite);
  Watcher watcher(session, request.trials);
  return search.Run(measurer, *store, watcher)[0];
}

void Tell(Session& session, const Target& target, const DoneEvent& done) {
  const auto trials = static_cast<double>(done.trials);
  const double rate = trials / done.elapsed;
  const SearchSeconds& time = done.time;
  const auto each = [&](double seconds) { return seconds / trials; };
  const std::string name = "throughput, " + std::to_string(target.cores) + " cores";
  const double idle = done.elapsed - time.propose - time.verify - time.measure - time.store;
  session.report().Item(
      name,
      {{"workload", kWorkload},
       {"cores", target.cores},
       {"trials", done.trials},
       {"ok", done.ok},
       {"elapsed", done.elapsed},
       {"trials_per_second", rate},
       {"propose", each(time.propose)},
       {"compile", each(time.compile)},
       {"verify", each(time.verify)},
       {"measure", each(time.measure)},
       {"store", each(time.store)},
       {"wait", each(idle)}},
      name + ": " + FormatFixed(rate, 1) + " trials/s (" + std::to_string(done.ok) + " of " +
          std::to_string(done.trials) + " ok); each: propose " + FormatSeconds(each(time.propose)) +
          ", verify " + FormatSeconds(each(time.verify)) + ", measure " +
          FormatSeconds(each(time.measure)) + ", store " + FormatSeconds(each(time.store)) +
          (idle < 0 ? ", at once " : ", all else ") + FormatSeconds(std::abs(each(idle))) +
          " (compiling, mostly meanwhile, " + FormatSeconds(each(time.compile)) + ")");
}

}  // namespace

int BenchThroughput(Session& session, const Spec& protocol, int64_t trials,
                    const InterruptScope& interrupt) {
  Target target = session.MakeTarget();
  std::vector<int> cores = {target.cores};
  if (target.cores > 1) cores.push_back(1);
  for (int count : cores) {
    target.cores = count;
    const SearchRequest request = RequestOf(session, protocol, trials);
    const DoneEvent done = RunOnce(session, target, request, interrupt);
    if (done.trials > 0) Tell(session, target, done);
    if (interrupt.exit_code()) return *interrupt.exit_code();
  }
  return kExitOk;
}

}  // namespace schedulegym
