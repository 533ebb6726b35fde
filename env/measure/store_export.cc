#include "env/base/fault.h"
#include "env/base/sha256.h"
#include "env/measure/json_lines.h"
#include "env/measure/record_rows.h"
#include "env/measure/side_rows.h"
#include "env/measure/store_file.h"
#include "env/measure/store_transfer.h"

namespace schedulegym {
namespace {

// Writes lines and knows the trailer that they need.
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

}  // namespace

ExportResult ExportStore(const std::string& path, std::ostream& out) {
  try {
    const auto database = OpenStoreToRead(path);
    database->Execute("BEGIN");
    ExportResult result;
    LineWriter writer(out);
    RecordRows(*database).SelectEach(
        [&](const Record& record) {
          writer.Write(record);
          ++result.records;
        },
        [&](const std::string& fault) { result.damaged.push_back(fault); });
    ForEachSentinel(*database, [&](const Sentinel& sentinel) {
      writer.Write(sentinel);
      ++result.sentinels;
    });
    ForEachForeign(*database, [&](const ForeignRecord& record) {
      writer.Write(record);
      ++result.foreign;
    });
    writer.Finish();
    return result;
  } catch (const SqliteError& error) {
    ThrowStoreFault(path, error);
  }
}

}  // namespace schedulegym
