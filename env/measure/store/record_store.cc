#include "env/measure/store/record_store.h"

#include <algorithm>

namespace schedulegym {

std::vector<Record> RecordStore::ForTask(const Key& task) const {
  std::vector<Record> found;
  Visit({.task = task}, [&](const Record& record) { found.push_back(record); });
  return found;
}

std::optional<Record> RecordStore::ById(std::string_view id) const {
  std::optional<Record> found;
  Visit({.id = std::string(id)}, [&](const Record& record) { found = record; });
  return found;
}

std::optional<Record> RecordStore::BestEstimated(const Key& task) const {
  std::optional<Record> best;
  double latest = 0;
  Visit({.task = task}, [&](const Record& record) {
    const Measurement& measurement = record.measurement;
    if (!measurement.ok() || MeasurerOf(measurement) != kAnalyticalName) return;
    if (!FaultOf(record).empty()) return;
    const bool is_other = best && ToolchainOf(*best) != ToolchainOf(record);
    const bool is_newer = !best || record.started >= latest;
    if (is_other && !is_newer) return;
    latest = std::max(latest, record.started);
    if (!best || is_other || IsBetter(measurement, best->measurement)) best = record;
  });
  return best;
}

bool RecordStore::IsVerified(const Key& task, std::string_view toolchain) const {
  const std::vector<VerifiedReference> verified = Verified(task);
  return std::any_of(verified.begin(), verified.end(),
                     [&](const VerifiedReference& one) { return one.toolchain == toolchain; });
}

}  // namespace schedulegym
