// SearchRun: a search that is under way, turn by turn; Tune drives one to its end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/tuner/search_time.h"
#include "agents/tuner/task_run.h"
#include "agents/tuner/tuner.h"

namespace schedulegym {

class SearchRun {
 public:
  // Options and parts outlive it. Its trials and seconds are the options' until Limit says else.
  SearchRun(const std::vector<TunerTask>& tasks, const TunerAgents& agents,
            const TunerOptions& options, const TunerParts& parts);

  // Tells agents, scheduler and observer what is known; once, before the first turn.
  void Start();

  // What the search may have spent when it ends; over all tasks, from the beginning.
  void Limit(int64_t trials, std::optional<double> seconds);
  // None while it may go on.
  std::optional<StopReason> ReasonToStop() const;

  // One round of the task that the scheduler names, who hears what it gave; a task whose agent has
  // nothing left is finished. False where the scheduler names none and is not
  // interrupted.
  bool TakeTurn();
  // What the scheduler sees.
  SchedulerView Stand() const;
  // How the search of each task went so far, as the scheduler's turns gave it.
  const TaskCurve& curve(int index) const { return curves_[index]; }
  // Says whose turn it is and why; false, and a reason to stop, where no time is left for it.
  bool BeginTurn(int index, std::string why = {});
  // From now on the refiner is asked about a task, who is told what is known of it.
  void BeginRefining(int index);
  // One for each proposal that was begun, in order; null of one that was cut off.
  using Records = std::vector<std::shared_ptr<const Record>>;
  // Asks a task's agent or refiner, measures, records and tells once, at most `most`; none when
  // there is nothing left, no records where it was interrupted. The scheduler hears nothing.
  std::optional<Records> RunRound(int index, int64_t most);
  // What turned out doubtful is measured again, outside of the budget, the best first; what there
  // is no time for is forgotten. References that turned out right are noted.
  void Reconsider();
  // Whether every task's reference was found right in every cell.
  bool AllVerified() const;

  std::vector<TaskRun>& runs() { return runs_; }
  const std::vector<TaskRun>& runs() const { return runs_; }
  // Over all tasks.
  int64_t trials() const { return trials_; }
  // Seconds since it was made.
  double Elapsed() const { return time_.Elapsed(); }
  const SearchTime& time() const { return time_; }

 private:
  bool IsInterrupted() const { return options_.stop != nullptr && *options_.stop; }
  Agent& AskedFor(const TaskRun& run) const {
    return run.refining ? *agents_.refiner : agents_.agent;
  }
  void StartTask(int index);
  // None where it was interrupted, or the search's seconds were over in its midst.
  std::optional<std::vector<Proposal>> Ask(int index, int count);
  void LetLearn(const TaskRun& run, std::span<const Trial> trials);
  // The scheduler's; none, too, where it was interrupted.
  std::optional<int> Choose();
  void RunBatch(int index);
  void AddTurn(int index, const Records& records, double thinking, double seconds);
  void NoteVerified(std::vector<VerifiedReference> verified);
  void NoteSeconds(std::span<const Measurement> measurements, double seconds, TaskRun& run);
  void ReserveForFinalists();
  std::vector<Candidate> CandidatesOf(const TaskRun& run,
                                      std::span<const Proposal> proposals) const;
  void MeasureAgain(int index, const Candidate& suspect);
  void ReconsiderOne(const Candidate& suspect);
  Records MeasureAll(TaskRun& run, std::span<const Proposal> proposals);
  Records MeasureSome(TaskRun& run, std::span<const Proposal> proposals);
  RecordOrigin OriginOf(const TaskRun& run, double started) const;
  void Count(TaskRun& run, const std::shared_ptr<const Record>& record);
  void Tell(int index, const std::vector<Proposal>& proposals, const Records& records);

  TunerAgents agents_;
  const TunerOptions& options_;
  const std::string agent_, refiner_;  // specs, as records name them
  const TunerParts& parts_;
  SearchTime time_;
  std::vector<TaskRun> runs_;
  std::vector<ScheduledTask> scheduled_;
  std::vector<TaskCurve> curves_;
  int64_t trials_ = 0;
  int64_t trials_limit_ = 0;
};

}  // namespace schedulegym
