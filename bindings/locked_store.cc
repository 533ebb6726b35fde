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
  std::vector<Record> BestOfEach() const override {
    const std::lock_guard lock(mutex_);
    return store_->BestOfEach();
  }
  void Visit(const RecordFilter& filter,
             const std::function<void(const Record&)>& visit) const override {
    const std::lock_guard lock(mutex_);
    store_->Visit(filter, visit);
  }
  std::vector<VerifiedReference> Verified(const Key& task) const override {
    const std::lock_guard lock(mutex_);
    return store_->Verified(task);
  }
  std::optional<std::string> Ending(std::string_view record) const override {
    const std::lock_guard lock(mutex_);
    return store_->Ending(record);
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
