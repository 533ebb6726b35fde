// Store report: what a store holds in numbers, and whether it is whole; beside a writer, too.
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
  std::map<std::string, int64_t> outcomes;      // how often each
  std::map<std::string, std::string> failures;  // of each the latest record's id
  std::map<std::string, int64_t> foreign;       // how many of each kind
  std::vector<ImportEntry> imports;             // in order
};

// Throws InputError for what is no store.
StoreStats ReadStoreStats(const std::string& path);

struct StoreCheck {
  int64_t records = 0;             // that were looked at
  int64_t faults = 0;              // all
  std::vector<std::string> lines;  // the first of them, a line each
  bool stopped = false;            // by the watch: the rest was not looked at
};

// Looks at everything: SQLite's integrity check, every reference from row to row, and every
// record: its id and its candidate's key made again from what they stand for, its outcome known,
// its numbers possible. The watch counts records. Throws InputError for what is no store, or a
// newer one.
StoreCheck CheckStore(const std::string& path, const ProgressCallback& watch = {});

}  // namespace schedulegym
