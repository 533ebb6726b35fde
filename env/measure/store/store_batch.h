// StoreBatch: what goes into a store in one commit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/measure/record.h"
#include "env/measure/sentinel.h"

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

struct StoreBatch {
  std::span<const Record> records;
  std::span<const Sentinel> sentinels;
  std::span<const ForeignRecord> foreign;
  std::span<const ImportEntry> imports;
  std::span<const VerifiedReference> verified;
  std::span<const SearchEnding> endings;
};

// How many were new.
struct StoreCounts {
  int64_t records = 0;
  int64_t sentinels = 0;
  int64_t foreign = 0;
};

}  // namespace schedulegym
