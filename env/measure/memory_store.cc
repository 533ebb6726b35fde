#include <map>
#include <set>
#include <utility>
#include <vector>

#include "env/measure/record_store.h"

namespace schedulegym {
namespace {

class MemoryStore : public RecordStore {
 public:
  void Append(std::span<const Record> records) override {
    for (const Record& record : records) {
      if (positions_.emplace(record.id, records_.size()).second) records_.push_back(record);
    }
  }

  std::optional<Record> Best(const Key& task) const override {
    const Record* best = nullptr;
    for (const Record& record : records_) {
      if (record.task->key != task || !record.measurement.ok()) continue;
      if (best == nullptr || IsBetter(record.measurement, best->measurement)) best = &record;
    }
    return best == nullptr ? std::nullopt : std::optional<Record>(*best);
  }

  std::vector<Record> ForTask(const Key& task) const override {
    std::vector<Record> found;
    for (const Record& record : records_) {
      if (record.task->key == task) found.push_back(record);
    }
    return found;
  }

  std::optional<Record> ById(std::string_view id) const override {
    const auto found = positions_.find(id);
    if (found == positions_.end()) return std::nullopt;
    return records_[found->second];
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

  void ForEach(const std::function<void(const Record&)>& visit) const override {
    for (const Record& record : records_) visit(record);
  }

 private:
  std::vector<Record> records_;
  std::map<std::string, size_t, std::less<>> positions_;
};

}  // namespace

std::unique_ptr<RecordStore> MakeMemoryStore() { return std::make_unique<MemoryStore>(); }

}  // namespace schedulegym
