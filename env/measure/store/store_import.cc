// Imports JSON lines of unknown origin: each line becomes a record, a control measurement, a
// foreign record, or is put aside with its number and reason. Batches of 256 lines or 16 MiB go to
// the store. Trailers are compared with the count and SHA-256 of the lines since the last one. A
// file without one intact line is an InputError, and the store is not even opened. Cost: O(bytes),
// memory of a batch.
#include "env/base/fault.h"
#include "env/base/hash.h"
#include "env/base/text.h"
#include "env/measure/store/json_lines.h"
#include "env/measure/store/store_transfer.h"

namespace schedulegym {
namespace {

// Traces and computations are some kilobytes.
constexpr size_t kLongestLine = 4 << 20;
constexpr size_t kBatch = 256;
constexpr size_t kBatchBytes = 16 << 20;

class Importer {
 public:
  Importer(std::istream& in, const ImportParts& parts) : lines_(in, kLongestLine), parts_(parts) {}

  ImportResult Run() {
    while (!result_.stopped && lines_.Next()) {
      Take();
      result_.stopped = !GoesOn(parts_.watch, lines_.number(), 0);
    }
    Flush();
    const bool is_empty_store = result_.lines == 0 && result_.trailer != TrailerState::kNone;
    const bool is_whole = is_empty_store || result_.stopped;
    if (result_.lines == result_.put_aside && !is_whole) Refuse();
    if (result_.added > 0) Log();
    return std::move(result_);
  }

 private:
  void Take() {
    const std::string_view text = Trim(lines_.text());
    if (text.empty() || text[0] == '#') return Sum();
    if (lines_.too_long()) {
      ++result_.lines;
      Sum();
      return Reject("it is longer than " + std::to_string(kLongestLine) + " bytes");
    }
    const Line line = ParseLine(text);
    if (const auto* trailer = std::get_if<LineTrailer>(&line)) return Compare(*trailer);
    ++result_.lines;
    ++summed_;
    Sum();
    if (const auto* fault = std::get_if<LineFault>(&line)) return Reject(fault->message);
    if (const auto* record = std::get_if<Record>(&line)) records_.push_back(*record);
    if (const auto* control = std::get_if<ControlMeasurement>(&line)) controls_.push_back(*control);
    if (const auto* foreign = std::get_if<ForeignRecord>(&line)) foreign_.push_back(*foreign);
    waiting_bytes_ += text.size();
    const size_t waiting = records_.size() + controls_.size() + foreign_.size();
    if (waiting >= kBatch || waiting_bytes_ >= kBatchBytes) Flush();
  }

  void Sum() {
    sum_.Add(lines_.text());
    if (lines_.ended()) sum_.Add("\n");
  }

  // Compares the lines since the last trailer with this one; files may be concatenated.
  void Compare(const LineTrailer& trailer) {
    const bool same = trailer.count == summed_ && trailer.sha256 == sum_.ToText();
    if (!same) result_.trailer = TrailerState::kDiffers;
    if (result_.trailer == TrailerState::kNone) result_.trailer = TrailerState::kMatches;
    sum_ = Sha256();
    summed_ = 0;
  }

  void Reject(const std::string& reason) {
    ++result_.put_aside;
    if (parts_.reject) parts_.reject({lines_.number(), lines_.text(), reason});
  }

  RecordStore& Store() {
    if (store_ == nullptr) store_ = &parts_.store();
    return *store_;
  }

  void Flush() {
    const size_t size = records_.size() + controls_.size() + foreign_.size();
    if (size == 0) return;
    const StoreCounts records = Store().Write({.records = records_, .controls = controls_});
    int64_t added = records.records + records.controls;
    result_.records += records.records;
    result_.controls += records.controls;
    added += FlushForeign();
    result_.added += added;
    result_.known += static_cast<int64_t>(size) - added;
    records_.clear();
    controls_.clear();
    foreign_.clear();
    waiting_bytes_ = 0;
  }

  int64_t FlushForeign() {
    std::map<std::string, std::vector<ForeignRecord>> kinds;
    for (ForeignRecord& record : foreign_) {
      result_.foreign_targets[record.kind].insert(ForeignTargetName(record));
      kinds[record.kind].push_back(std::move(record));
    }
    int64_t added = 0;
    for (const auto& [kind, records] : kinds) {
      const int64_t count = Store().Write({.foreign = records}).foreign;
      result_.foreign[kind] += count;
      added += count;
    }
    return added;
  }

  void Log() {
    const ImportEntry entry = {parts_.file,   parts_.when,   result_.lines,
                               result_.added, result_.known, result_.put_aside};
    Store().Write({.imports = {&entry, 1}});
  }

  [[noreturn]] void Refuse() const {
    if (result_.lines == 0) {
      throw InputError("'" + parts_.file + "' holds nothing; expected JSON lines");
    }
    throw InputError("'" + parts_.file + "' has no intact line of " +
                     std::to_string(result_.lines) +
                     "; expected JSON lines of 'records export', of Ansor or of AutoTVM");
  }

  LineReader lines_;
  const ImportParts& parts_;
  RecordStore* store_ = nullptr;
  std::vector<Record> records_;
  std::vector<ControlMeasurement> controls_;
  std::vector<ForeignRecord> foreign_;
  size_t waiting_bytes_ = 0;  // bytes of the lines of those records
  // Since the last trailer.
  Sha256 sum_;
  int64_t summed_ = 0;
  ImportResult result_;
};

}  // namespace

ImportResult ImportLines(std::istream& in, const ImportParts& parts) {
  return Importer(in, parts).Run();
}

}  // namespace schedulegym
