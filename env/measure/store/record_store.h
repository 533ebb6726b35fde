// RecordStore: durable, append-only memory of what was measured.
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

// A result of another system's search. It cannot be replayed here, for its kernels are made by
// other rules; its costs and its configuration are kept.
struct ForeignRecord {
  std::string id;        // 32 hex digits, from the line that it was read from
  std::string kind;      // "ansor", "autotvm"
  std::string workload;  // as that system names it, JSON
  std::string target;
  std::string configuration;  // JSON
  std::vector<double> costs;  // seconds; none of a failure
  int64_t error = 0;          // that system's number, 0 is success
  double elapsed = 0;         // seconds that the measurement took
  double timestamp = 0;       // seconds since 1970
  std::string version;        // of the line's format

  bool operator==(const ForeignRecord&) const = default;
};

// That a file was read in, and what came of it.
struct ImportEntry {
  std::string file;
  double when = 0;   // seconds since 1970
  int64_t read = 0;  // lines
  int64_t added = 0;
  int64_t known = 0;
  int64_t put_aside = 0;

  bool operator==(const ImportEntry&) const = default;
};

// That a record was the best of its task when a search of it ended, and why it did: by the latest
// search of which that holds.
struct SearchEnding {
  std::string record;   // id
  std::string stopped;  // "trials", "seconds", ... as a search says
};

// What goes into a store in one commit.
struct StoreBatch {
  std::span<const Record> records;
  std::span<const ControlMeasurement> controls;
  std::span<const ForeignRecord> foreign;
  std::span<const ImportEntry> imports;
  std::span<const VerifiedReference> verified;
  std::span<const SearchEnding> endings;
};

// How many were new.
struct StoreCounts {
  int64_t records = 0;
  int64_t controls = 0;
  int64_t foreign = 0;
};

// Which records to visit; all where nothing is said.
struct RecordFilter {
  std::optional<Key> task = {};
  std::optional<std::string> id = {};
};

class RecordStore {
 public:
  virtual ~RecordStore() = default;

  // Returns once all are durable; on a fault throws, and keeps none: InputError where the disk is
  // full or may not be written, else MachineError. What is known already (a record by its id, a
  // control measurement by session and sequence) is skipped: nothing that is stored ever changes,
  // but for how the latest search ended.
  virtual StoreCounts Write(const StoreBatch& batch) = 0;
  void Append(std::span<const Record> records) { Write({.records = records}); }

  // The best success (IsBetter) that was measured (WasMeasured) and that no control measurement
  // made suspect; the earlier one of equals. Of several measurements of one candidate the latest
  // counts, of those that are about it and not suspect. Of several toolchains only the one with
  // which a success was measured last: ratios to references that another one compiled do not
  // compare. Rows that `records check` finds damaged do not count.
  virtual std::optional<Record> Best(const Key& task) const = 0;
  // The best of each task that has one, tasks in order of appearance.
  virtual std::vector<Record> BestOfEach() const = 0;

  // The same of what a formula estimated (kAnalyticalName), of its latest version in the store.
  std::optional<Record> BestEstimated(const Key& task) const;

  // In order of appending. Throws InputError where the record that is asked for by its id is
  // damaged, as `records check` finds it.
  virtual void Visit(const RecordFilter& filter,
                     const std::function<void(const Record&)>& visit) const = 0;
  void ForEach(const std::function<void(const Record&)>& visit) const { Visit({}, visit); }
  std::vector<Record> ForTask(const Key& task) const;
  std::optional<Record> ById(std::string_view id) const;

  // What is known of a task's reference, in order of appending; at most one for each toolchain.
  virtual std::vector<VerifiedReference> Verified(const Key& task) const = 0;
  bool IsVerified(const Key& task, std::string_view toolchain) const;

  // Why the latest search ended whose best this record was (SearchEnding); none where none was.
  virtual std::optional<std::string> Ending(std::string_view record) const = 0;
};

std::unique_ptr<RecordStore> MakeMemoryStore();

enum class StoreMode : uint8_t {
  kWrite,  // creates the file if it is missing; one writer at a time
  kRead,   // the file must exist; never changes anything
};

struct StoreOptions {
  // Told what happened at opening that a user should know, such as a migration; one line each.
  std::function<void(const std::string&)> note;
  // By which SQLite reaches files, "" its own way; for tests.
  std::string vfs;
  // The network file system that a path lies on, if it does; for tests. Unset: asks the system.
  std::function<std::optional<std::string>(const std::string& path)> network;
};

// An SQLite file. Throws InputError, having changed nothing, when the file is missing (kRead), is
// not a store, is damaged, was written by a newer version, has a writer already (the lock file
// FILE-lock names its process), cannot be created, or is to be written on a network file system. A
// file of the version before is read as it is, and brought up to date when it is opened for
// writing; then a copy stays behind as FILE-backup-vN.
std::unique_ptr<RecordStore> OpenStore(const std::string& path, StoreMode mode,
                                       const StoreOptions& options = {});

}  // namespace schedulegym
