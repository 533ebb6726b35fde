#include "agents/network/network_observation.h"

#include <algorithm>
#include <cmath>

#include "agents/network/network_episode.h"
#include "env/base/check.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {
namespace {

constexpr int kGlobal = 5;
constexpr int kRow = 15;
// Number of doublings that are scaled to 1.
constexpr double kSpeedLog2 = 16;  // of a speed relative to the reference's
constexpr double kGainLog2 = 4;    // of the gain of a slot
constexpr double kSlotLog2 = 8;    // of slots without a gain
constexpr double kWeightLog2 = 16;
constexpr double kFlopLog2 = 48;
constexpr int kWindow = 3;  // slots whose gains are averaged, as in Ansor's scheduler

// A ratio around 1, scaled to [-1, 1].
float SpeedShare(double speed) {
  return static_cast<float>(std::clamp(std::log2(speed) / kSpeedLog2, -1.0, 1.0));
}

float GainShare(double log2_scaled) { return Share(log2_scaled, kGainLog2); }

double RecentGain(const TaskCurve& curve) {
  double sum = 0;
  for (int back = 0; back < kWindow; ++back) sum += SlotGain(curve, back);
  return sum / kWindow;
}

double LikeTasks(const NetworkParts& parts, const NetworkTask& task) {
  if (task.tag.empty()) return 0;
  const auto same = [&](const NetworkTask& other) { return other.tag == task.tag; };
  return static_cast<double>(std::count_if(parts.tasks.begin(), parts.tasks.end(), same)) - 1;
}

double SlotsSpent(const NetworkParts& parts, const TaskCurve& curve) {
  const auto count = static_cast<double>(curve.turns.size());
  return parts.warm_up ? std::max(0.0, count - 1) : count;
}

void WriteTask(const NetworkEpisode& episode, int index, std::span<float> row) {
  const NetworkParts& parts = episode.parts();
  const NetworkTask& task = parts.tasks[index];
  const TaskCurve& curve = episode.curve(index);
  const double trials = std::max<double>(1, static_cast<double>(curve.trials()));
  row[0] = 1;
  row[1] = curve.finished ? 0 : 1;
  row[2] = curve.best ? 1 : 0;
  row[3] = SpeedShare(SpeedOf(curve).value_or(1));
  row[4] = Share(SlotsSpent(parts, curve), parts.slots);
  row[5] = Share(static_cast<double>(curve.failures()), trials);
  row[6] = Log2Scaled(SlotsSinceGain(curve), kSlotLog2);
  row[7] = GainShare(SlotGain(curve));
  row[8] = GainShare(SlotGain(curve, SlotsSinceGain(curve)));
  row[9] = GainShare(RecentGain(curve));
  row[10] = Log2Scaled(task.flops, kFlopLog2);
  row[11] = Log2Scaled(task.weight, kWeightLog2);
  row[12] = static_cast<float>(task.weight * episode.Latency(index) / episode.Latency());
  row[13] = Share(LikeTasks(parts, task), static_cast<double>(parts.tasks.size()));
  row[14] = SpeedShare(episode.SpeedOfAlike(index).value_or(1));
}

}  // namespace

int NetworkObservationSize(int rows) { return kGlobal + rows * kRow; }

std::string NetworkFeatureNames() {
  return "0: share of the slots used\n"
         "1: log2 of the network's speed over that with reference schedules, as a share of 16\n"
         "2: tasks, as a share of the rows\n"
         "3: tasks that have something left, as a share of all tasks\n"
         "4: tasks that have a success, as a share of all tasks\n"
         "then for each task:\n"
         "0: 1, the mask of the row\n"
         "1: 1 where a slot is legal\n"
         "2: 1 where it has a success; without one its reference stands for it\n"
         "3: log2 of its best speed over the reference's, as a share of 16\n"
         "4: slots that it was given after the warm-up, as a share of the budget\n"
         "5: failures, as a share of its trials\n"
         "6: log2(1 + slots since one that made it faster), as a share of 8\n"
         "7: log2 of what its last slot made it faster, as a share of 4\n"
         "8: the same of the last slot that made it faster\n"
         "9: the mean of the same over its last three slots\n"
         "10: log2(1 + operations), as a share of 48\n"
         "11: log2(1 + how often the network runs it), as a share of 16\n"
         "12: share of the network's latency\n"
         "13: tasks that are like it, as a share of all tasks\n"
         "14: log2 of the highest speed among these, in operations a second, over its own, as a "
         "share of 16\n";
}

void WriteNetworkObservation(const NetworkEpisode& episode, int actions, std::span<float> numbers) {
  const NetworkParts& parts = episode.parts();
  const auto count = static_cast<int>(parts.tasks.size());
  SG_CHECK(std::ssize(numbers) == NetworkObservationSize(parts.rows), "a number for each place");
  std::fill(numbers.begin(), numbers.end(), 0.0F);
  int left = 0, successes = 0;
  for (int i = 0; i < count; ++i) {
    left += episode.curve(i).finished ? 0 : 1;
    successes += episode.curve(i).best ? 1 : 0;
    WriteTask(episode, i, numbers.subspan(kGlobal + static_cast<size_t>(i) * kRow, kRow));
  }
  numbers[0] = Share(actions, parts.slots);
  numbers[1] = SpeedShare(episode.ReferenceLatency() / episode.Latency());
  numbers[2] = Share(count, parts.rows);
  numbers[3] = Share(left, count);
  numbers[4] = Share(successes, count);
}

}  // namespace schedulegym
