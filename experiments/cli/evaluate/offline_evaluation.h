// Offline evaluation: compares a model's predictions with measured programs, and times them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agents/cost/network_model.h"
#include "agents/cost/offline_metrics.h"
#include "agents/cost/program_states.h"
#include "assembly/program_data.h"
#include "env/base/clock.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Replays the successes of a task as schedules. Throws InputError if a trace does not replay.
std::vector<KeyedState> ReplaySuccesses(const TaskPrograms& programs, const StopToken& stop);

// Returns the measurements, without scores. The halves of a program's samples are scaled so that
// all samples have the median `seconds`, which is free of the machine's drift. Below two samples
// both halves are `seconds`. The weight is 1 over the least seconds: all tasks count equally.
EvaluatedTask MeasuredTask(const TaskPrograms& programs);
// The share of successes with at least two samples.
double ShareWithHalves(std::span<const TaskPrograms> tasks);

// Fills in scores, and seconds if the model predicts them for all. A program that the model cannot
// score ranks last.
void Predict(std::span<const KeyedState> states, CostModel& model, EvaluatedTask* task);

// Fills in the seconds of a model whose scores are speeds over the task's reference schedule, from
// the reference's measured seconds. Fills in none if these or a score are unknown.
void AddSeconds(const TaskPrograms& programs, EvaluatedTask* task);

// As Predict, for the successes of a foreign task (IsForeign), which cannot be replayed.
void PredictTraces(const TaskPrograms& programs, TraceModel& model, EvaluatedTask* task);

// Microseconds for one schedule in a call with `states` schedules. Features are counted separately:
// a second prediction of the same schedules needs none.
struct PredictionCost {
  int states = 1;
  double features = 0;
  double prediction = 0;
};
// Returns medians over tasks, at least one, each a list of states. Each call has `count` states,
// repeated if a task has fewer.
PredictionCost MeasureCost(std::span<const std::vector<KeyedState>> tasks, int count,
                           CostModel& model, const Clock& clock);

// The tasks that a network runs, weighted by their counts; empty if it runs none.
std::vector<EvaluatedTask> TasksOfNetwork(std::span<const EvaluatedTask> tasks,
                                          std::span<const int64_t> counts);

}  // namespace schedulegym
