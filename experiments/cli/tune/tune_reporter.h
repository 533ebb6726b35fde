// TuneReporter: prints what happens in a search as it happens.
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

// Of several tasks with a table. The report, the clock and the list outlive it.
class TuneReporter : public TuneObserver {
 public:
  TuneReporter(Report& report, const TunerOptions& options, const Clock& clock,
               ReproduceWords words, const TaskList& list);

  void OnStart(const StartEvent& event) override;
  void OnTurn(const TurnEvent& event) override;
  void OnTrial(const TrialEvent& event) override;
  void OnWarning(const WarningEvent& event) override;
  void OnDone(const DoneEvent& event) override;

  // The task of each.
  const std::vector<int>& turns() const { return turns_; }
  // The latency of all by count, from when each has a success.
  const std::vector<TrajectoryPoint>& trajectory() const { return trajectory_; }

 private:
  void AddRow(const StartEvent& event);
  void UpdateRow(const TrialEvent& event);
  void DrawTable();
  void ClearScreen();

  Report& report_;
  ReproduceWords words_;
  Progress progress_;
  TaskTable table_;
  const TaskList& list_;
  std::vector<TaskRow> rows_;
  std::vector<std::optional<Record>> bests_;  // known ones included
  TurnEvent turn_;
  std::vector<int> turns_;
  std::vector<TrajectoryPoint> trajectory_;
  ProgressState state_;
};

}  // namespace schedulegym
