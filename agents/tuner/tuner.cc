// A whole search: exploration by the agent with (trials - refine_trials) of the trials and that
// share of the seconds; refining, shared among tasks in proportion to weight * best seconds;
// confirmation of each task's best within 0.1 of the time used; waiting for pending checks of
// references, 1 second or 0.1 of the time; then one event a task with its reason to stop, which is
// also written to the store.
#include "agents/tuner/tuner.h"

#include <algorithm>

#include "agents/tuner/known_best.h"
#include "agents/tuner/refinement_gain.h"
#include "agents/tuner/search_run.h"
#include "agents/tuner/task_run.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

class Search {
 public:
  Search(const std::vector<TunerTask>& tasks, const TunerAgents& agents,
         const TunerOptions& options, const TunerParts& parts)
      : options_(options), parts_(parts), search_(tasks, agents, options, parts) {
    SG_CHECK(options.refine_trials == 0 || options.refine_trials < options.request.trials,
             "refining leaves trials to the search");
  }

  std::vector<DoneEvent> Run() {
    search_.Start();
    StopReason reason = Explore();
    if (options_.refine_trials > 0 && reason != StopReason::kInterrupted) reason = Refine(reason);
    Confirm();
    AwaitReferences();
    return Conclude(reason);
  }

 private:
  // The agent's part of the search.
  StopReason Explore() {
    const auto trials = static_cast<double>(options_.request.trials);
    const double share = 1 - static_cast<double>(options_.refine_trials) / trials;
    std::optional<double> seconds;
    if (options_.request.seconds) seconds = *options_.request.seconds * share;
    search_.Limit(options_.request.trials - options_.refine_trials, seconds);
    std::optional<StopReason> reason = search_.ReasonToStop();
    while (!reason) {
      if (!search_.TakeTurn()) break;
      reason = search_.ReasonToStop();
    }
    return reason.value_or(StopReason::kStagnated);
  }

  // Runs the refiner's part after the agent's ended for `reason`.
  StopReason Refine(StopReason reason) {
    search_.Limit(options_.request.trials, options_.request.seconds);
    for (int64_t before = -1; before != search_.trials() && !search_.ReasonToStop();) {
      before = search_.trials();
      std::vector<double> parts;
      for (const TaskRun& run : search_.runs()) parts.push_back(run.RefinablePart());
      for (const RefineShare& share :
           DealTrials(parts, options_.request.trials - search_.trials())) {
        RefineTask(share.task, share.trials);
      }
    }
    const bool stagnated = reason == StopReason::kStagnated;
    return search_.ReasonToStop().value_or(stagnated ? reason : StopReason::kExhausted);
  }

  void RefineTask(int index, int64_t share) {
    TaskRun& run = search_.runs()[index];
    if (!run.refining) search_.BeginRefining(index);
    const int64_t end = search_.trials() + share;
    while (!search_.ReasonToStop() && search_.trials() < end && !run.refined) {
      if (!search_.BeginTurn(index)) return;
      run.refined = !search_.RunRound(index, end - search_.trials());
      search_.Reconsider();
    }
  }

  // Confirms the best of each task, or the next best where the new measurement is slower. Each task
  // has its share of the time left.
  void Confirm() {
    constexpr double kMostShare = 0.1;
    const double end = parts_.clock.Now() + kMostShare * search_.Elapsed();
    auto tasks = static_cast<double>(search_.runs().size());
    for (TaskRun& run : search_.runs()) {
      const double now = parts_.clock.Now();
      ConfirmOne(now + (end - now) / tasks--, run);
    }
    if (options_.finalists > 0) search_.Reconsider();
  }

  // Runs until the clock reaches `end`. Reports a best that turned out slower.
  void ConfirmOne(double end, TaskRun& run) {
    const std::optional<Record> before =
        options_.finalists > 0 ? KnownBest(options_, parts_, run) : std::nullopt;
    ConfirmBest(options_, parts_, search_.time(), end, run);
    if (!before || run.done.finalists == 0) return;
    const auto index = static_cast<int>(&run - search_.runs().data());
    TellRevised(parts_, {index, run.done.task, *before, KnownBest(options_, parts_, run),
                         "measured again, longer and in fresh processes", search_.Elapsed()});
  }

  // Pending checks of references get a second or a tenth of the search's time, but not beyond its
  // seconds.
  void AwaitReferences() {
    constexpr double kLeastSeconds = 1, kMostShare = 0.1, kSlice = 0.1;
    double end = parts_.clock.Now() + std::max(kLeastSeconds, kMostShare * search_.Elapsed());
    if (options_.request.seconds) {
      end = std::min(end, parts_.clock.Now() + *options_.request.seconds - search_.Elapsed());
    }
    const auto goes_on = [&] {
      const bool is_interrupted = options_.stop != nullptr && *options_.stop;
      return !search_.AllVerified() && !is_interrupted && parts_.clock.Now() < end;
    };
    for (bool finished = false; !finished && goes_on(); search_.Reconsider()) {
      const double begin = parts_.clock.Now();
      finished = parts_.measurer.Finish(std::min(kSlice, end - parts_.clock.Now()));
      NoteCheckSeconds(parts_.clock.Now() - begin);
    }
  }

  // Divides the seconds equally among the tasks whose references are checked.
  void NoteCheckSeconds(double seconds) {
    std::vector<TaskRun>& runs = search_.runs();
    const auto count = std::count_if(runs.begin(), runs.end(),
                                     [](const TaskRun& run) { return !run.done.verified; });
    for (TaskRun& run : runs) {
      if (!run.done.verified) run.done.time.wait += seconds / static_cast<double>(count);
    }
  }

  // Exhausted tasks keep that reason.
  std::vector<DoneEvent> Conclude(StopReason reason) {
    std::vector<DoneEvent> events;
    for (TaskRun& run : search_.runs()) run.DivideWait();
    NoteOtherSeconds();
    for (size_t i = 0; i < search_.runs().size(); ++i) {
      TaskRun& run = search_.runs()[i];
      run.done.curve = search_.curve(static_cast<int>(i));
      run.done.elapsed = search_.Elapsed();
      if (run.done.stopped != StopReason::kExhausted) run.done.stopped = reason;
      run.done.refined = run.gain.Gain(options_.request.agent.ToText());
      PreferReference(options_, parts_, search_.time(), run);
      KeepBestKnown(options_, parts_, run);
      KeepEnding(run);
      parts_.observer.OnDone(run.done);
      events.push_back(run.done);
    }
    return events;
  }

  // Divides the seconds outside of all phases equally among the tasks.
  void NoteOtherSeconds() {
    double left = search_.Elapsed();
    for (const TaskRun& run : search_.runs()) left -= run.done.time.Sum();
    for (TaskRun& run : search_.runs()) {
      run.done.time.other = std::max(left, 0.0) / static_cast<double>(search_.runs().size());
    }
  }

  // Records why the search ended, beside the store's best, which show and export read. A search
  // without measurements does not change it.
  void KeepEnding(const TaskRun& run) const {
    if (!options_.is_measured || run.done.ok == 0) return;
    const std::optional<Record> best = parts_.store.Best(run.done.task->key);
    if (!best) return;
    const SearchEnding ending = {best->id, StopReasonName(run.done.stopped)};
    parts_.store.Write({.endings = {&ending, 1}});
  }

  const TunerOptions& options_;
  const TunerParts& parts_;
  SearchRun search_;
};

}  // namespace

const char* StopReasonName(StopReason reason) {
  switch (reason) {
    case StopReason::kTrials: return "trials";
    case StopReason::kSeconds: return "seconds";
    case StopReason::kExhausted: return "exhausted";
    case StopReason::kInterrupted: return "interrupted";
    case StopReason::kStagnated: return "stagnated";
  }
  return "unknown";
}

bool IsCutShort(StopReason reason) {
  return reason == StopReason::kSeconds || reason == StopReason::kInterrupted;
}

bool IsCutShort(std::string_view reason) {
  return reason == StopReasonName(StopReason::kSeconds) ||
         reason == StopReasonName(StopReason::kInterrupted);
}

const char* BestSourceName(BestSource source) {
  return source == BestSource::kReference ? "reference" : "search";
}

std::string WarningText(const WarningEvent& event) {
  return event.task == nullptr ? event.text : event.task->workload + ": " + event.text;
}

const Record* BestKnown(const TrialEvent& event) {
  const Record* found = event.best ? &*event.best : nullptr;
  if (found == nullptr || event.known_best == nullptr) return found ? found : event.known_best;
  const bool is_better = IsBetter(found->measurement, event.known_best->measurement);
  return is_better ? found : event.known_best;
}

bool IsKnownBetter(const DoneEvent& event) {
  if (!event.best_known) return false;
  return !event.best || event.best_known->id != event.best->id;
}

std::optional<std::string> BestRecordId(const DoneEvent& event) {
  if (event.source == BestSource::kReference) return event.reference_record;
  if (!event.best || event.best->id.empty()) return std::nullopt;
  return event.best->id;
}

std::vector<DoneEvent> Tune(const std::vector<TunerTask>& tasks, const TunerAgents& agents,
                            const TunerOptions& options, const TunerParts& parts) {
  return Search(tasks, agents, options, parts).Run();
}

}  // namespace schedulegym
