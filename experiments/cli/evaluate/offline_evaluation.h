// Offline evaluation: what a model predicts of programs that were measured, and what that costs.
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

// The successes of a task as schedules. Throws InputError where a trace does not replay.
std::vector<KeyedState> ReplaySuccesses(const TaskPrograms& programs, const StopToken& stop);

// What they measured, without scores. Halves of a program's samples are scaled so that all samples
// have the median `seconds`, which is free of the machine's drift; with fewer than two samples both
// halves are `seconds`. The weight is 1 over the least seconds: all tasks count alike.
EvaluatedTask MeasuredTask(const TaskPrograms& programs);
// The share of successes that have halves.
double ShareWithHalves(std::span<const TaskPrograms> tasks);

// Fills in scores, and seconds if the model predicts them for all. A program that the model does
// not judge comes after all others.
void Predict(std::span<const KeyedState> states, CostModel& model, EvaluatedTask* task);

// Fills in the seconds of a model whose scores are speeds over the task's reference schedule, from
// the reference's measured seconds; none where these or a score are unknown.
void AddSeconds(const TaskPrograms& programs, EvaluatedTask* task);

// As Predict, for the successes of a foreign task (IsForeign), which cannot be replayed.
void PredictTraces(const TaskPrograms& programs, TraceModel& model, EvaluatedTask* task);

// Microseconds for one schedule in a call with so many, the features apart: a second prediction of
// the same schedules needs none.
struct PredictionCost {
  int states = 1;
  double features = 0;
  double prediction = 0;
};
// Medians over tasks, of which there is one at least, each a list of states. Of `count` states,
// repeated if a task has fewer.
PredictionCost MeasureCost(std::span<const std::vector<KeyedState>> tasks, int count,
                           CostModel& model, const Clock& clock);

// The tasks that a network runs, weighted by how often; empty where it runs none.
std::vector<EvaluatedTask> TasksOfNetwork(std::span<const EvaluatedTask> tasks,
                                          std::span<const int64_t> counts);

}  // namespace schedulegym
