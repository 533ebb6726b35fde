#include "agents/schedulers/objective.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Returns the geometric mean of the networks' speed-ups over their references.
double MeanSpeedup(const std::vector<TaskLatency>& networks) {
  double sum = 0;
  int known = 0;
  for (const TaskLatency& network : networks) {
    if (network.best <= 0) continue;
    sum += std::log(network.reference / network.best);
    ++known;
  }
  return known > 0 ? std::exp(sum / known) : 0;
}

}  // namespace

NetworkObjective::NetworkObjective(ObjectiveKind kind, std::vector<std::vector<double>> counts,
                                   std::vector<double> requirements)
    : kind_(kind), counts_(std::move(counts)), requirements_(std::move(requirements)) {
  for (const std::vector<double>& each : counts_) {
    SG_CHECK(each.size() == counts_[0].size(), "a count of each task in each network");
    SG_CHECK(kind != ObjectiveKind::kRequirement || requirements_.size() == each.size(),
             "a requirement for each network");
  }
}

std::vector<TaskLatency> NetworkObjective::Networks(
    std::span<const std::optional<TaskLatency>> tasks) const {
  std::vector<TaskLatency> networks(counts_.empty() ? 0 : counts_[0].size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (!tasks[i]) continue;
    for (size_t n = 0; n < networks.size(); ++n) {
      networks[n].best += counts_[i][n] * tasks[i]->best;
      networks[n].reference += counts_[i][n] * tasks[i]->reference;
    }
  }
  return networks;
}

double NetworkObjective::Value(std::span<const std::optional<TaskLatency>> tasks) const {
  const std::vector<TaskLatency> networks = Networks(tasks);
  if (kind_ == ObjectiveKind::kSpeedup) return -MeanSpeedup(networks);
  double sum = 0;
  for (size_t n = 0; n < networks.size(); ++n) {
    const bool has_floor = kind_ == ObjectiveKind::kRequirement;
    sum += has_floor ? std::max(networks[n].best, requirements_[n]) : networks[n].best;
  }
  return sum;
}

// The slope of f3 = -(prod B / L)^(1/m) by L of one network is -f3 / (m L).
double NetworkObjective::Slope(std::span<const std::optional<TaskLatency>> tasks, int task) const {
  const std::vector<TaskLatency> networks = Networks(tasks);
  const auto known = std::count_if(networks.begin(), networks.end(),
                                   [](const TaskLatency& network) { return network.best > 0; });
  const double each = MeanSpeedup(networks) / static_cast<double>(std::max<int64_t>(known, 1));
  double slope = 0;
  for (size_t n = 0; n < networks.size(); ++n) {
    const double count = counts_[task][n];
    switch (kind_) {
      case ObjectiveKind::kLatency: slope += count; break;
      case ObjectiveKind::kRequirement:
        slope += networks[n].best > requirements_[n] ? count : 0;
        break;
      case ObjectiveKind::kSpeedup: slope += count > 0 ? each * count / networks[n].best : 0; break;
    }
  }
  return slope;
}

}  // namespace schedulegym
