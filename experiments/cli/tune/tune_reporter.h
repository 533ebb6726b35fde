// TuneReporter: prints the events of a search.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agents/schedulers/simulation/simulation.h"
#include "agents/tuner/tuner.h"
#include "env/program/workloads/task_list.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/common/report.h"
#include "experiments/cli/common/reproduce.h"
#include "experiments/cli/tune/task_table.h"

namespace schedulegym {

// For several tasks it prints a table, and a line of progress with the latency of all, the current
// task and its share. The text of a task's end is printed for a single task; ReportEnd prints it
// for several. The report, the clock and the list outlive it.
class TuneReporter : public TuneObserver {
 public:
  TuneReporter(Report& report, const TunerOptions& options, const Clock& clock,
               ReproduceWords words, const TaskList& list);

  void OnStart(const StartEvent& event) override;
  void OnTurn(const TurnEvent& event) override;
  void OnTrial(const TrialEvent& event) override;
  void OnRevised(const RevisedEvent& event) override;
  void OnWarning(const WarningEvent& event) override;
  void OnDone(const DoneEvent& event) override;

  // The task of each.
  const std::vector<int>& turns() const { return turns_; }
  // The latency of all by count, from when each has a success: by the best known, and by the best
  // of this search.
  const std::vector<TrajectoryPoint>& trajectory() const { return trajectory_; }
  const std::vector<TrajectoryPoint>& own_trajectory() const { return own_trajectory_; }

 private:
  void AddRow(const StartEvent& event);
  void UpdateRow(const TrialEvent& event);
  void FinishRow(const DoneEvent& event);
  void AddPoints(double elapsed);
  void DrawTable();
  void ClearScreen();
  bool IsNetwork() const { return list_.has_network || list_.tasks.size() > 1; }
  std::string WorkText() const;

  Report& report_;
  ReproduceWords words_;
  Progress progress_;
  TaskTable table_;
  const TaskList& list_;
  std::vector<TaskRow> rows_;
  std::vector<TaskRow> own_rows_;             // of this search
  std::vector<std::optional<Record>> bests_;  // known ones included
  TurnEvent turn_;
  std::vector<int> turns_;
  std::vector<TrajectoryPoint> trajectory_, own_trajectory_;
  size_t finished_ = 0;  // tasks
  ProgressState state_;
};

}  // namespace schedulegym
