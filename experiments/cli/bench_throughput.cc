#include "experiments/cli/bench_throughput.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "agents/lone_agent.h"
#include "agents/task_scheduler.h"
#include "agents/tuner/tuner.h"
#include "env/base/text.h"
#include "env/measure/clocks.h"
#include "env/program/task_list.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/measuring.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/promising_measurer.h"
#include "experiments/cli/units.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

constexpr const char* kWorkload = "matmul(m=512,n=512,k=512)";

// A folder that goes with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("schedulegym-bench-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
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

// The task is prepared before the clock starts: that is paid once, however long the search.
DoneEvent RunOnce(Session& session, const Target& target, const Protocol& protocol, int64_t trials,
                  const InterruptScope& interrupt) {
  const std::shared_ptr<const Task> task = LoadTask(kWorkload, target);
  const auto space = MakeSpace(Spec{"schedulegym", {}});
  LoneAgent agent({"random", {}}, *space, {task}, Rng(session.seed()));
  PromisingMeasurer measurer(MakeCommandMeasurer(target, protocol, session.seed()), interrupt);
  // As good as any other candidate: the best that is known has a part in how long others take.
  LoneAgent other({"random", {}}, *space, {task}, Rng(~session.seed()));
  for (const Proposal& proposal : other.Propose(0, 1)) {
    const Candidate first = {proposal.state};
    measurer.Measure({&first, 1});
  }
  const TemporaryFolder folder;
  const auto store = OpenStore(folder.File("throughput.db"), StoreMode::kWrite);
  const auto scheduler = MakeTaskScheduler(Spec{"round_robin", {}}, {.tasks = {ScheduledTask()}});
  TunerOptions options;
  options.trials = trials;
  options.agent = "random";
  options.space = space->Name();
  options.seed = session.seed();
  options.host = HostName();
  options.stop = interrupt.flag();
  Watcher watcher(session, trials);
  const CalendarClock calendar;
  return Tune({{task}}, {agent}, options,
              {measurer, *store, *scheduler, watcher, session.clock(), calendar})[0];
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

int BenchThroughput(Session& session, const Protocol& protocol, int64_t trials,
                    const InterruptScope& interrupt) {
  Target target = session.MakeTarget();
  std::vector<int> cores = {target.cores};
  if (target.cores > 1) cores.push_back(1);
  for (int count : cores) {
    target.cores = count;
    const DoneEvent done = RunOnce(session, target, protocol, trials, interrupt);
    if (done.trials > 0) Tell(session, target, done);
    if (interrupt.exit_code()) return *interrupt.exit_code();
  }
  return kExitOk;
}

}  // namespace schedulegym
