// A record store in memory with the same answers as the file: the best of a task is the highest
// ratio among the latest measurement of each candidate, of the toolchain of the latest success,
// without suspect ones and without those of models and tables. A measurement is suspect if the next
// control measurement of its session, at or after its sequence, was bad. Cost: O(records) a query,
// O(log n) a write.
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "env/measure/measurement.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {
namespace {

class MemoryStore : public RecordStore {
 public:
  StoreCounts Write(const StoreBatch& batch) override {
    StoreCounts counts;
    for (const Record& record : batch.records) {
      if (!positions_.emplace(record.id, records_.size()).second) continue;
      records_.push_back(record);
      ++counts.records;
    }
    for (const ControlMeasurement& control : batch.controls) {
      counts.controls +=
          controls_[control.session->id].emplace(control.sequence, control.good).second;
    }
    for (const ForeignRecord& record : batch.foreign) {
      counts.foreign += foreign_.insert(record.id).second;
    }
    for (const VerifiedReference& one : batch.verified) {
      if (!IsVerified(one.task, one.toolchain)) verified_.push_back(one);
    }
    for (const SearchEnding& one : batch.endings) endings_[one.record] = one.stopped;
    return counts;
  }

  std::optional<Record> Best(const Key& task) const override {
    const std::optional<std::string> toolchain = LatestToolchain(task);
    if (!toolchain) return std::nullopt;
    const Record* best = nullptr;
    std::set<Key> later;  // candidates of the records seen so far, which are later ones
    for (size_t i = records_.size(); i-- > 0;) {
      const Record& record = records_[i];
      if (record.task->key != task || !MayLearnFrom(record.measurement.outcome)) continue;
      if (IsSuspect(record.measurement) || !later.insert(CandidateKey(record)).second) continue;
      if (!record.measurement.ok() || ToolchainOf(record) != *toolchain) continue;
      if (!WasMeasured(record.measurement)) continue;
      if (best == nullptr || !IsBetter(best->measurement, record.measurement)) best = &record;
    }
    return best == nullptr ? std::nullopt : std::optional<Record>(*best);
  }

  std::vector<Record> BestOfEach() const override {
    std::vector<Record> all;
    std::set<Key> seen;
    for (const Record& record : records_) {
      if (!seen.insert(record.task->key).second) continue;
      if (auto best = Best(record.task->key)) all.push_back(std::move(*best));
    }
    return all;
  }

  void Visit(const RecordFilter& filter,
             const std::function<void(const Record&)>& visit) const override {
    if (filter.id) return VisitOne(filter, visit);
    for (const Record& record : records_) {
      if (!filter.task || record.task->key == *filter.task) visit(Marked(record));
    }
  }

  std::vector<VerifiedReference> Verified(const Key& task) const override {
    std::vector<VerifiedReference> found;
    for (const VerifiedReference& one : verified_) {
      if (one.task == task) found.push_back(one);
    }
    return found;
  }

  std::optional<std::string> Ending(std::string_view record) const override {
    const auto found = endings_.find(record);
    return found == endings_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  void VisitOne(const RecordFilter& filter, const std::function<void(const Record&)>& visit) const {
    const auto found = positions_.find(*filter.id);
    if (found == positions_.end()) return;
    const Record& record = records_[found->second];
    if (!filter.task || record.task->key == *filter.task) visit(Marked(record));
  }

  // With which a success was measured last; none without any.
  std::optional<std::string> LatestToolchain(const Key& task) const {
    const Record* latest = nullptr;
    for (const Record& record : records_) {
      if (record.task->key != task || !record.measurement.ok()) continue;
      if (IsSuspect(record.measurement) || !WasMeasured(record.measurement)) continue;
      if (latest == nullptr || record.started >= latest->started) latest = &record;
    }
    return latest == nullptr ? std::nullopt : std::optional(ToolchainOf(*latest));
  }

  // Whether the first control measurement from it on was a bad one.
  bool IsSuspect(const Measurement& measurement) const {
    if (measurement.session == nullptr) return false;
    const auto session = controls_.find(measurement.session->id);
    if (session == controls_.end()) return false;
    const auto next = session->second.lower_bound(measurement.sequence);
    return next != session->second.end() && !next->second;
  }

  Record Marked(Record record) const {
    record.suspect = IsSuspect(record.measurement);
    return record;
  }

  std::vector<Record> records_;
  std::map<std::string, size_t, std::less<>> positions_;
  std::map<std::string, std::map<int64_t, bool>> controls_;  // good ones, by session and sequence
  std::set<std::string> foreign_;
  std::vector<VerifiedReference> verified_;
  std::map<std::string, std::string, std::less<>> endings_;  // by record
};

}  // namespace

std::unique_ptr<RecordStore> MakeMemoryStore() { return std::make_unique<MemoryStore>(); }

}  // namespace schedulegym
