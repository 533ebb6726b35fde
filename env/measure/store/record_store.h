// RecordStore: durable, append-only storage of measurements.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/measure/control_measurement.h"
#include "env/measure/record.h"

namespace schedulegym {

// A result of another system's search. It cannot be replayed here, because its kernels are made by
// other rules. The store keeps its costs and its configuration.
struct ForeignRecord {
  std::string id;        // 32 hex digits, from the line that it was read from
  std::string kind;      // "ansor", "autotvm"
  std::string workload;  // JSON, in that system's form
  std::string target;
  std::string configuration;  // JSON
  std::vector<double> costs;  // seconds; empty for a failure
  int64_t error = 0;          // that system's number, 0 is success
  double elapsed = 0;         // seconds of the measurement
  double timestamp = 0;       // seconds since 1970
  std::string version;        // of the line's format

  bool operator==(const ForeignRecord&) const = default;
};

// An import of a file, with counts of its lines.
struct ImportEntry {
  std::string file;
  double when = 0;   // seconds since 1970
  int64_t read = 0;  // lines
  int64_t added = 0;
  int64_t known = 0;
  int64_t put_aside = 0;

  bool operator==(const ImportEntry&) const = default;
};

// Why a search ended whose best record of the task was `record`: of several such searches the
// latest.
struct SearchEnding {
  std::string record;   // id
  std::string stopped;  // "trials", "seconds", ... as reported by the search
};

// Contents of one commit.
struct StoreBatch {
  std::span<const Record> records;
  std::span<const ControlMeasurement> controls;
  std::span<const ForeignRecord> foreign;
  std::span<const ImportEntry> imports;
  std::span<const VerifiedReference> verified;
  std::span<const SearchEnding> endings;
};

// Numbers of new rows.
struct StoreCounts {
  int64_t records = 0;
  int64_t controls = 0;
  int64_t foreign = 0;
};

// The records to visit; all of them by default.
struct RecordFilter {
  std::optional<Key> task = {};
  std::optional<std::string> id = {};
};

class RecordStore {
 public:
  virtual ~RecordStore() = default;

  // Returns once all rows are durable. On a fault it stores none and throws: InputError if the disk
  // is full or may not be written, else MachineError. Skips rows that the store has (a record by
  // id, a control measurement by session and sequence): only the endings of searches ever change.
  virtual StoreCounts Write(const StoreBatch& batch) = 0;
  void Append(std::span<const Record> records) { Write({.records = records}); }

  // The best success (IsBetter) that was measured (WasMeasured) and is not suspect; the earlier one
  // of equals; nullopt if there is none. Uses only each candidate's latest measurement that is
  // about it and not suspect. Uses only the toolchain of the latest measured success: ratios to
  // references of different toolchains are not comparable. Ignores rows that fail `records check`.
  virtual std::optional<Record> Best(const Key& task) const = 0;
  // The best record of each task that has one, tasks in order of appearance.
  virtual std::vector<Record> BestOfEach() const = 0;

  // The same for estimates of the analytical model (kAnalyticalName), of its latest version in the
  // store.
  std::optional<Record> BestEstimated(const Key& task) const;

  // Visits records in order of appending. Throws InputError if the record with the filter's id
  // fails `records check`.
  virtual void Visit(const RecordFilter& filter,
                     const std::function<void(const Record&)>& visit) const = 0;
  void ForEach(const std::function<void(const Record&)>& visit) const { Visit({}, visit); }
  std::vector<Record> ForTask(const Key& task) const;
  std::optional<Record> ById(std::string_view id) const;

  // The task's verified references, in order of appending; at most one for each toolchain.
  virtual std::vector<VerifiedReference> Verified(const Key& task) const = 0;
  bool IsVerified(const Key& task, std::string_view toolchain) const;

  // Why the latest search ended whose best this record was (SearchEnding); nullopt if none was.
  virtual std::optional<std::string> Ending(std::string_view record) const = 0;
};

std::unique_ptr<RecordStore> MakeMemoryStore();

enum class StoreMode : uint8_t {
  kWrite,  // creates the file if it is missing; one writer at a time
  kRead,   // the file must exist and is never changed
};

struct StoreOptions {
  // Receives notes to the user about the opening, such as a migration; one line each.
  std::function<void(const std::string&)> note;
  // Name of SQLite's VFS, "" for its default; for tests.
  std::string vfs;
  // Returns a path's network file system, if it is on one; for tests. Unset: NetworkFileSystem.
  std::function<std::optional<std::string>(const std::string& path)> network;
};

// Opens an SQLite file. Throws InputError and changes nothing if the file is missing (kRead), is
// not a store, is damaged, was written by a newer version, has a writer already (the lock file
// FILE-lock names its process), cannot be created, or is on a network file system (kWrite). kRead
// leaves a file of an older version as it is. kWrite migrates it and keeps a copy as
// FILE-backup-vN.
std::unique_ptr<RecordStore> OpenStore(const std::string& path, StoreMode mode,
                                       const StoreOptions& options = {});

}  // namespace schedulegym
