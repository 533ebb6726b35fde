// Store transfer: exports and imports a store's contents as JSON lines.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "env/base/stop_token.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

struct ExportResult {
  int64_t records = 0;
  int64_t controls = 0;
  int64_t foreign = 0;
  std::vector<std::string> damaged;  // the reason for each record that could not be read
  bool stopped = false;              // by the watch: the output is incomplete
};

// Writes a consistent snapshot of the store, also beside a writer: a line for each row and a
// trailer. Skips damaged records and writes the rest. Check the stream's state for write errors.
// The watch counts lines. Throws InputError if the file is not a store.
ExportResult ExportStore(const std::string& path, std::ostream& out,
                         const ProgressCallback& watch = {});

// Writes these records alone, in the same format; the file can be imported, too.
void ExportRecords(std::span<const Record> records, std::ostream& out);

struct RejectedLine {
  int64_t number = 0;     // from 1
  std::string_view text;  // cut if it was too long
  std::string reason;
};

enum class TrailerState : uint8_t { kNone, kMatches, kDiffers };

struct ImportResult {
  int64_t lines = 0;    // without blank lines, comments and trailers
  int64_t records = 0;  // new ones
  int64_t controls = 0;
  std::map<std::string, int64_t> foreign;  // new ones of each kind
  // Targets of the foreign lines, by kind; lines that the store had already count, too.
  std::map<std::string, std::set<std::string>> foreign_targets;
  int64_t added = 0;  // of all kinds
  int64_t known = 0;  // that the store had already
  int64_t put_aside = 0;
  TrailerState trailer = TrailerState::kNone;
  bool stopped = false;  // by the watch: the lines read until then are in the store
};

struct ImportParts {
  std::string file;  // its name in the import log
  double when = 0;   // seconds since 1970
  // Called once, at the first intact line.
  std::function<RecordStore&()> store;
  // Called with each line that is put aside.
  std::function<void(const RejectedLine&)> reject;
  ProgressCallback watch = {};  // counts lines of any kind, of an unknown total
};

// Accepts any bytes: puts a damaged line aside and reads the rest. Reading the same file again adds
// nothing. Throws InputError and writes nothing if no line is intact.
ImportResult ImportLines(std::istream& in, const ImportParts& parts);

}  // namespace schedulegym
