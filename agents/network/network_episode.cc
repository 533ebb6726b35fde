#include "agents/network/network_episode.h"

#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Of Ansor's scheduler: how many times slower than those that are alike a task may be.
constexpr double kBeta = 2;

int64_t Trials(const NetworkParts& parts) {
  const int64_t warm_up = parts.warm_up ? std::ssize(parts.tasks) : 0;
  return (parts.slots + warm_up) * parts.batch;
}

std::vector<std::unique_ptr<Agent>> MakeAgents(const NetworkParts& parts, Rng& rng) {
  const TrialBudget budget = {Trials(parts), std::ssize(parts.tasks)};
  std::vector<std::unique_ptr<Agent>> agents;
  for (size_t i = 0; i < parts.tasks.size(); ++i) {
    agents.push_back(parts.make_agent({*parts.space, rng.Split(), budget}));
  }
  return agents;
}

TunerOptions OptionsOf(const NetworkParts& parts, Rng& rng, const NetworkWatch& watch) {
  TunerOptions options;
  options.trials = Trials(parts);
  options.batch = parts.batch;
  options.agent = parts.agent;
  options.space = parts.space->Name();
  options.seed = rng.Next();
  options.host = HostName();
  options.resume = false;
  options.stop = watch.stop;
  return options;
}

std::vector<std::string> TagsOf(const NetworkParts& parts) {
  std::vector<std::string> tags;
  for (const NetworkTask& task : parts.tasks) tags.push_back(task.tag);
  return tags;
}

std::vector<TunerTask> TasksOf(const NetworkParts& parts,
                               const std::vector<std::unique_ptr<Agent>>& agents) {
  std::vector<TunerTask> tasks;
  for (size_t i = 0; i < parts.tasks.size(); ++i) {
    TunerTask& task = tasks.emplace_back(TunerTask{parts.tasks[i].task, *agents[i]});
    task.weight = parts.tasks[i].weight;
  }
  return tasks;
}

}  // namespace

NetworkEpisode::NetworkEpisode(const NetworkParts& parts, std::vector<double> references, Rng rng,
                               const NetworkWatch& watch)
    : parts_(parts),
      references_(std::move(references)),
      agents_(MakeAgents(parts, rng)),
      options_(OptionsOf(parts, rng, watch)),
      store_(MakeMemoryStore()),
      scheduler_(parts.tasks.size()),
      groups_(TagsOf(parts), kBeta),
      search_parts_{*parts.measurer, *store_, scheduler_, watch.observer, clock_, calendar_},
      search_(TasksOf(parts, agents_), options_, search_parts_) {
  SG_CHECK(references_.size() == parts.tasks.size(), "seconds for each reference");
  search_.Start();
}

void NetworkEpisode::Spend(int task) {
  SG_CHECK(!slots(task).finished, "a slot for a task that has something left");
  scheduler_.Choose(task);
  search_.TakeTurn();
  groups_.Reconsider(task, Standings());
}

double NetworkEpisode::Latency(int task) const {
  return references_[task] / slots(task).Speed().value_or(1);
}

double NetworkEpisode::Latency() const {
  double sum = 0;
  for (int i = 0; i < std::ssize(parts_.tasks); ++i) sum += parts_.tasks[i].weight * Latency(i);
  return sum;
}

double NetworkEpisode::ReferenceLatency() const {
  double sum = 0;
  for (size_t i = 0; i < references_.size(); ++i) sum += parts_.tasks[i].weight * references_[i];
  return sum;
}

std::optional<double> NetworkEpisode::SpeedOfAlike(int task) const {
  const std::vector<TaskStanding> standings = Standings();
  const std::optional<double> best = groups_.BestSpeed(task, standings);
  if (!best || !standings[task].speed) return std::nullopt;
  return *best / *standings[task].speed;
}

std::vector<TaskStanding> NetworkEpisode::Standings() const {
  std::vector<TaskStanding> standings;
  for (int i = 0; i < std::ssize(parts_.tasks); ++i) {
    TaskStanding& standing = standings.emplace_back();
    standing.rounds = static_cast<int>(slots(i).speeds.size());
    if (slots(i).Speed()) standing.speed = run(i).flops / Latency(i);
  }
  return standings;
}

}  // namespace schedulegym
