// Store report: statistics and an integrity check of a store, also while a writer has it open.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "env/base/stop_token.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

struct StoreStats {
  int64_t format = 0;  // of the file
  int64_t bytes = 0;
  int64_t records = 0;
  int64_t tasks = 0;
  int64_t candidates = 0;
  int64_t hosts = 0;
  int64_t sessions = 0;
  int64_t controls = 0;
  int64_t bad_controls = 0;
  std::map<std::string, int64_t> outcomes;      // count of each
  std::map<std::string, std::string> failures;  // id of the latest record of each
  std::map<std::string, int64_t> foreign;       // count of each kind
  std::vector<ImportEntry> imports;             // in order
};

// Throws InputError if the file is not a store.
StoreStats ReadStoreStats(const std::string& path);

struct StoreCheck {
  int64_t records = 0;             // that were checked
  int64_t faults = 0;              // all
  std::vector<std::string> lines;  // the first faults, a line each
  bool stopped = false;            // by the watch: the rest was not checked
};

// Runs SQLite's integrity check and checks every reference between rows and every record. A record
// has the id of its fields, its candidate the key of its fields, a valid outcome and possible
// numbers. The watch counts records. Throws InputError if the file is not a store, or a newer
// one.
StoreCheck CheckStore(const std::string& path, const ProgressCallback& watch = {});

}  // namespace schedulegym
