// RecordStore: durable, append-only memory of what was measured.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/measure/record.h"

namespace schedulegym {

class RecordStore {
 public:
  virtual ~RecordStore() = default;

  // Returns once all are durable; on a fault of the machine throws MachineError and keeps none.
  // A record whose id is known already is skipped.
  virtual void Append(std::span<const Record> records) = 0;

  // The best success (IsBetter); the earlier one of equals.
  virtual std::optional<Record> Best(const Key& task) const = 0;
  // In order of appending.
  virtual std::vector<Record> ForTask(const Key& task) const = 0;
  virtual std::optional<Record> ById(std::string_view id) const = 0;
  // The best of each task that has one, tasks in order of appearance.
  virtual std::vector<Record> BestOfEach() const = 0;
  // All, in order of appending.
  virtual void ForEach(const std::function<void(const Record&)>& visit) const = 0;
};

std::unique_ptr<RecordStore> MakeMemoryStore();

enum class StoreMode : uint8_t {
  kWrite,  // creates the file if it is missing; one writer at a time
  kRead,   // the file must exist; never changes anything
};

// An SQLite file. Throws InputError, having changed nothing, when the file is missing (kRead), is
// not a store, is damaged, was written by a newer version, or has a writer already (the lock file
// FILE-lock names its process), and when it cannot be created.
std::unique_ptr<RecordStore> OpenStore(const std::string& path, StoreMode mode);

}  // namespace schedulegym
