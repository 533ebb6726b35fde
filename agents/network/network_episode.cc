#include "agents/network/network_episode.h"

#include <utility>

#include "agents/network/slot_gains.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Of Ansor's scheduler: how many times slower than those that are alike a task may be.
constexpr double kBeta = 2;

TunerOptions OptionsOf(const NetworkParts& parts, const AgentSetup& setup, Rng& rng,
                       const NetworkWatch& watch) {
  TunerOptions options;
  options.trials = setup.budget->trials;
  options.batch = parts.batch;
  options.agent = setup.agent.ToText();
  options.space = parts.space->Name();
  options.seed = rng.Next();
  options.host = HostName();
  options.resume = false;
  options.stop = watch.stop;
  return options;
}

std::vector<TunerTask> TunerTasksOf(const AgentSetup& setup) {
  std::vector<TunerTask> tasks;
  for (const SearchTask& task : setup.tasks) tasks.push_back({task.task, task.weight});
  return tasks;
}

std::vector<std::string> TagsOf(const NetworkParts& parts) {
  std::vector<std::string> tags;
  for (const NetworkTask& task : parts.tasks) tags.push_back(task.tag);
  return tags;
}

}  // namespace

NetworkEpisode::NetworkEpisode(const NetworkParts& parts, std::vector<double> references, Rng rng,
                               const NetworkWatch& watch)
    : parts_(parts),
      references_(std::move(references)),
      setup_(SetupOf(parts)),
      agent_(parts.maker->Make({setup_, *parts.space,
                                DrawAgentStream(static_cast<int>(parts.tasks.size()), rng),
                                *parts.maker, clock_, StopToken(watch.stop)})),
      options_(OptionsOf(parts, setup_, rng, watch)),
      store_(MakeMemoryStore()),
      groups_(TagsOf(parts), kBeta),
      search_parts_{*parts.measurer, *store_, scheduler_, watch.observer, clock_, calendar_},
      search_(TunerTasksOf(setup_), {*agent_}, options_, search_parts_) {
  SG_CHECK(references_.size() == parts.tasks.size(), "seconds for each reference");
  search_.Start();
}

void NetworkEpisode::Spend(int task) {
  SG_CHECK(!curve(task).finished, "a slot for a task that has something left");
  scheduler_.Choose(task);
  search_.TakeTurn();
  groups_.Reconsider(task, Standings());
}

double NetworkEpisode::Latency(int task) const {
  return references_[task] / SpeedOf(curve(task)).value_or(1);
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
    standing.rounds = static_cast<int>(curve(i).turns.size());
    if (curve(i).best) standing.speed = run(i).flops / Latency(i);
  }
  return standings;
}

}  // namespace schedulegym
