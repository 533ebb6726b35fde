// NetworkParts: what episodes over the tasks of a network are made of.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/schedulers/simulation/recorded_curve.h"
#include "env/gym/reward.h"
#include "env/measure/measurer.h"

namespace schedulegym {

struct NetworkTask {
  // Of one whose weight is the number of its calls.
  NetworkTask(const ScheduleState& reference_given, double weight_given);
  // Of one that was recorded, as often as its search had it.
  explicit NetworkTask(const RecordedCurve& curve);

  std::string name;
  // The task and its reference, what it counts as before its first success; none of recorded ones.
  std::shared_ptr<const Task> task;
  std::optional<ScheduleState> reference;
  double weight = 1;  // how often the network runs it
  double flops = 0;
  std::string tag;  // equal where tasks are alike (SimilarityTag)
};

struct NetworkParts {
  std::vector<NetworkTask> tasks;  // at least one, each once
  // What is played again in place of a search by what follows, else empty: curves of the tasks, in
  // the order in which they come first, and a slot is a recorded turn.
  std::vector<RecordedCurve> curves;
  std::shared_ptr<const SearchSpace> space;
  std::shared_ptr<const AgentMaker> maker;
  Spec agent;
  std::shared_ptr<Measurer> measurer;
  // Ends what the measurer started, which begins anew when asked; empty where it starts nothing.
  std::function<void()> rest;
  // Whether the measurer answers the same each time, so that actions lead to where they led before.
  bool repeats = true;
  // Seconds that measuring would have taken so far; empty but of tables.
  std::function<double()> clock;
  Reward reward = {.kind = RewardKind::kDifference};
  int slots = 64;       // actions of an episode, at most
  int batch = 16;       // trials of a slot, at most
  bool warm_up = true;  // an episode begins with a slot for each task, beyond `slots`
  int rows = 0;         // tasks that actions and observations have room for; not fewer than tasks
};

// Of the agent of an episode; without a seed, for episodes draw their own.
AgentSetup SetupOf(const NetworkParts& parts);

// Throws InputError where a number is out of range, or where the agent does not fit the tasks.
void CheckNetwork(const NetworkParts& parts);

}  // namespace schedulegym
