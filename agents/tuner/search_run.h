// SearchRun: a search in progress, turn by turn; Tune runs one to its end.
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
  // Options and parts outlive it. The limits are those of the options until Limit is called.
  SearchRun(const std::vector<TunerTask>& tasks, const TunerAgents& agents,
            const TunerOptions& options, const TunerParts& parts);

  // Passes known results to agents, scheduler and observer; once, before the first turn.
  void Start();

  // Sets the limits of the search, over all tasks and from its beginning.
  void Limit(int64_t trials, std::optional<double> seconds);
  // nullopt while it may continue.
  std::optional<StopReason> ReasonToStop() const;

  // Runs one round of the task that the scheduler chooses, and adds the results to its curve. A
  // task whose agent has nothing left is finished. Returns false if the scheduler chooses none and
  // was not interrupted.
  bool TakeTurn();
  // The scheduler's view.
  SchedulerView Stand() const;
  // The progress of a task, from the turns that the scheduler chose.
  const TaskCurve& curve(int index) const { return curves_[index]; }
  // Reports a turn and its reason. Returns false, and sets a reason to stop, if no time is left.
  bool BeginTurn(int index, std::string why = {});
  // Switches a task from its agent to the refiner, which receives the task's known results.
  void BeginRefining(int index);
  // One for each proposal that was begun, in order; null for one that was cut off.
  using Records = std::vector<std::shared_ptr<const Record>>;
  // Lets the task's agent or refiner propose at most `most`, measures, stores and reports them to
  // it. nullopt if nothing is left; no records if interrupted. Does not change the curves.
  std::optional<Records> RunRound(int index, int64_t most);
  // Measures doubtful results again, outside of the budget, the best first; drops those without
  // time for it. Stores which references were found right.
  void Reconsider();
  // Returns whether every task's reference was found right in every cell.
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
  // nullopt if interrupted, or if the search's seconds ran out meanwhile.
  std::optional<std::vector<Proposal>> Ask(int index, int count);
  void LetLearn(const TaskRun& run, std::span<const Trial> trials);
  // The scheduler's choice; nullopt also if it was interrupted.
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
