// Store transfer: a store's contents to and from a file of JSON lines.
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
  std::vector<std::string> damaged;  // of each record that could not be read, why
  bool stopped = false;              // by the watch: what was written is not whole
};

// All of the store as of one moment, beside a writer too: a line for each thing and a trailer. What
// cannot be read does not keep the rest from being written. The stream's state says whether it
// could be written. The watch counts lines. Throws InputError for what is no store.
ExportResult ExportStore(const std::string& path, std::ostream& out,
                         const ProgressCallback& watch = {});

// These alone, as a file of the same kind, which can be imported like the others.
void ExportRecords(std::span<const Record> records, std::ostream& out);

struct RejectedLine {
  int64_t number = 0;     // from 1
  std::string_view text;  // not whole where it was too long
  std::string reason;
};

enum class TrailerState : uint8_t { kNone, kMatches, kDiffers };

struct ImportResult {
  int64_t lines = 0;    // but for blank lines, comments and trailers
  int64_t records = 0;  // new ones
  int64_t controls = 0;
  std::map<std::string, int64_t> foreign;  // new ones of each kind
  // By kind, the targets that its lines are of, known ones among them.
  std::map<std::string, std::set<std::string>> foreign_targets;
  int64_t added = 0;  // of all kinds
  int64_t known = 0;  // that were there already
  int64_t put_aside = 0;
  TrailerState trailer = TrailerState::kNone;
  bool stopped = false;  // by the watch: what was read until then is in the store
};

struct ImportParts {
  std::string file;  // as the log names it
  double when = 0;   // seconds since 1970
  // Asked for once, when the first intact line was found.
  std::function<RecordStore&()> store;
  // Told of each line that is put aside.
  std::function<void(const RejectedLine&)> reject;
  ProgressCallback watch = {};  // counts lines of any kind, of an unknown total
};

// Takes any bytes: a line that is not intact is put aside and never keeps the rest from being read.
// Reading the same again adds nothing. Throws InputError where no line is intact, having written
// nothing.
ImportResult ImportLines(std::istream& in, const ImportParts& parts);

}  // namespace schedulegym
