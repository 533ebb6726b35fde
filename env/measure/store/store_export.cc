#include "env/base/fault.h"
#include "env/base/hash.h"
#include "env/measure/store/auxiliary_tables.h"
#include "env/measure/store/json_lines.h"
#include "env/measure/store/record_rows.h"
#include "env/measure/store/store_file.h"
#include "env/measure/store/store_transfer.h"

namespace schedulegym {
namespace {

// Writes lines, and counts and hashes them for the trailer.
class LineWriter {
 public:
  explicit LineWriter(std::ostream& out) : out_(out) {}

  template <typename T>
  void Write(const T& thing) {
    const std::string line = ToLine(thing) + "\n";
    sum_.Add(line);
    ++trailer_.count;
    out_ << line;
  }

  void Finish() {
    trailer_.sha256 = sum_.ToText();
    out_ << ToLine(trailer_) << "\n";
    out_.flush();
  }

 private:
  std::ostream& out_;
  Sha256 sum_;
  LineTrailer trailer_;
};

// Reads all of a database in one transaction, until `watch` ends it.
class Exporter {
 public:
  Exporter(SqliteDatabase& database, std::ostream& out, const ProgressCallback& watch)
      : database_(database), writer_(out), watch_(watch) {}

  ExportResult Run() {
    database_.Execute("BEGIN");
    all_ = Count("measurement") + Count("sentinel") + Count("foreign_record");
    RecordRows(database_).SelectWhole(
        "", std::nullopt, [&](const Record& record) { return Write(record, result_.records); },
        [&](const std::string& fault) { result_.damaged.push_back(fault); });
    if (!result_.stopped) {
      ForEachControl(database_,
                     [&](const ControlMeasurement& one) { return Write(one, result_.controls); });
    }
    if (!result_.stopped) {
      ForEachForeign(database_,
                     [&](const ForeignRecord& one) { return Write(one, result_.foreign); });
    }
    if (!result_.stopped) writer_.Finish();
    return std::move(result_);
  }

 private:
  int64_t Count(const std::string& table) {
    return database_.QueryInteger("SELECT COUNT(*) FROM " + table).value_or(0);
  }

  // Returns whether to go on.
  template <typename T>
  bool Write(const T& thing, int64_t& count) {
    writer_.Write(thing);
    ++count;
    result_.stopped = !GoesOn(watch_, ++done_, all_);
    return !result_.stopped;
  }

  SqliteDatabase& database_;
  LineWriter writer_;
  const ProgressCallback& watch_;
  int64_t done_ = 0;
  int64_t all_ = 0;
  ExportResult result_;
};

}  // namespace

ExportResult ExportStore(const std::string& path, std::ostream& out,
                         const ProgressCallback& watch) {
  try {
    const auto database = OpenStoreToRead(path);
    return Exporter(*database, out, watch).Run();
  } catch (const SqliteError& error) {
    ThrowStoreFault(path, error);
  }
}

void ExportRecords(std::span<const Record> records, std::ostream& out) {
  LineWriter writer(out);
  for (const Record& record : records) writer.Write(record);
  writer.Finish();
}

}  // namespace schedulegym
