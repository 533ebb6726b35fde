// SearchRun: a search that is under way, turn by turn; Tune drives one to its end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agents/search_time.h"
#include "agents/task_run.h"
#include "agents/tuner.h"

namespace schedulegym {

class SearchRun {
 public:
  // Options and parts outlive it. Its trials and seconds are the options' until Limit says else.
  SearchRun(const std::vector<TunerTask>& tasks, const TunerOptions& options,
            const TunerParts& parts);

  // Tells agents, scheduler and observer what is known; once, before the first turn.
  void Start();

  // What the search may have spent when it ends; over all tasks, from the beginning.
  void Limit(int64_t trials, std::optional<double> seconds);
  // None while it may go on.
  std::optional<StopReason> ReasonToStop() const;

  // One round of the task that the scheduler names, who hears what it gave; a task whose agent has
  // nothing left is finished. False where the scheduler names none.
  bool TakeTurn();
  // Says whose turn it is; false, and a reason to stop, where no time is left for it.
  bool BeginTurn(int index);
  // Asks a task's agent or refiner, measures, records and tells once, at most `most`; none when
  // there is nothing left. The scheduler hears nothing.
  std::optional<std::vector<Record>> RunRound(TaskRun& run, int64_t most);
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
  // What the store can tell an agent of a task.
  std::vector<Record> Known(const TaskRun& run) const;

 private:
  bool IsInterrupted() const { return options_.stop != nullptr && *options_.stop; }
  void StartTask(int index);
  void RunBatch(int index);
  void NoteVerified(std::vector<VerifiedReference> verified);
  void NoteSeconds(std::span<const Measurement> measurements, double seconds, TaskRun& run);
  void ReserveForFinalists();
  void MeasureAgain(TaskRun& run, const Candidate& suspect);
  void ReconsiderOne(const Candidate& suspect);
  std::vector<Record> MeasureAll(TaskRun& run, const std::vector<ScheduleState>& states);
  std::vector<Record> MeasureSome(TaskRun& run, std::span<const ScheduleState> states);
  Record MakeRecord(const TaskRun& run, const ScheduleState& state, Measurement measurement,
                    double started) const;
  void Count(TaskRun& run, const Record& record);
  void Tell(TaskRun& run, const std::vector<Record>& records);

  const TunerOptions& options_;
  const TunerParts& parts_;
  SearchTime time_;
  std::vector<TaskRun> runs_;
  int64_t trials_ = 0;
  int64_t trials_limit_ = 0;
};

}  // namespace schedulegym
