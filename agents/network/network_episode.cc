#include "agents/network/network_episode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "agents/network/slot_search.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Ansor's beta: how many times slower than similar tasks a task may be.
constexpr double kBeta = 2;

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
      slots_(std::make_unique<LiveSlots>(parts, rng, watch)),
      groups_(TagsOf(parts), kBeta) {
  SG_CHECK(references_.size() == parts.tasks.size(), "seconds for each reference");
}

NetworkEpisode::NetworkEpisode(const NetworkParts& parts, Rng rng)
    : parts_(parts), groups_(TagsOf(parts), kBeta) {
  auto slots = std::make_unique<RecordedSlots>(parts.curves, rng);
  references_ = slots->References();
  slots_ = std::move(slots);
}

void NetworkEpisode::Spend(int task) {
  SG_CHECK(!curve(task).finished, "a slot for a task that has something left");
  slots_->Spend(task);
  groups_.Reconsider(task, ProgressOfTasks());
}

const TaskRun& NetworkEpisode::run(int task) const {
  const TaskRun* run = slots_->run(task);
  SG_CHECK(run != nullptr, "a search that goes on");
  return *run;
}

int64_t NetworkEpisode::trials() const {
  int64_t trials = 0;
  for (int i = 0; i < std::ssize(parts_.tasks); ++i) trials += curve(i).trials();
  return trials;
}

double NetworkEpisode::seconds() const {
  double seconds = 0;
  for (int i = 0; i < std::ssize(parts_.tasks); ++i) seconds += curve(i).seconds();
  return seconds;
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
  const std::vector<TaskProgress> progress = ProgressOfTasks();
  const std::optional<double> best = groups_.BestSpeed(task, progress);
  if (!best || !progress[task].speed) return std::nullopt;
  return *best / *progress[task].speed;
}

std::vector<TaskProgress> NetworkEpisode::ProgressOfTasks() const {
  std::vector<TaskProgress> progress;
  for (int i = 0; i < std::ssize(parts_.tasks); ++i) {
    TaskProgress& standing = progress.emplace_back();
    standing.rounds = static_cast<int>(curve(i).turns.size());
    if (curve(i).best) standing.speed = parts_.tasks[i].flops / Latency(i);
  }
  return progress;
}

std::optional<double> SpeedOf(const TaskCurve& curve) {
  return curve.best ? std::optional(curve.best->ratio) : std::nullopt;
}

double SlotGain(const TaskCurve& curve, int back) {
  const auto slot = std::ssize(curve.turns) - 1 - back;
  if (slot < 0 || !curve.turns[slot].best) return 0;
  const std::optional<BestResult> before = slot > 0 ? curve.turns[slot - 1].best : std::nullopt;
  return std::max(0.0, std::log2(curve.turns[slot].best->ratio / (before ? before->ratio : 1)));
}

int SlotsSinceGain(const TaskCurve& curve) {
  const auto count = static_cast<int>(curve.turns.size());
  int back = 0;
  while (back < count && SlotGain(curve, back) == 0) ++back;
  return back;
}

}  // namespace schedulegym
