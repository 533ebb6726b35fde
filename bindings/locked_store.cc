#include "bindings/locked_store.h"

#include <mutex>
#include <utility>

namespace schedulegym {
namespace {

class LockedStore : public RecordStore {
 public:
  explicit LockedStore(std::unique_ptr<RecordStore> store) : store_(std::move(store)) {}

  StoreCounts Write(const StoreBatch& batch) override {
    const std::lock_guard lock(mutex_);
    return store_->Write(batch);
  }
  std::optional<Record> Best(const Key& task) const override {
    const std::lock_guard lock(mutex_);
    return store_->Best(task);
  }
  std::vector<Record> ForTask(const Key& task) const override {
    const std::lock_guard lock(mutex_);
    return store_->ForTask(task);
  }
  std::optional<Record> ById(std::string_view id) const override {
    const std::lock_guard lock(mutex_);
    return store_->ById(id);
  }
  std::vector<Record> BestOfEach() const override {
    const std::lock_guard lock(mutex_);
    return store_->BestOfEach();
  }
  void ForEach(const std::function<void(const Record&)>& visit) const override {
    const std::lock_guard lock(mutex_);
    store_->ForEach(visit);
  }

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<RecordStore> store_;
};

}  // namespace

std::shared_ptr<RecordStore> MakeLocked(std::unique_ptr<RecordStore> store) {
  return std::make_shared<LockedStore>(std::move(store));
}

}  // namespace schedulegym
