// JSON lines: the contents of a store as text, one object per line, for exchange and archiving.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <variant>

#include "env/measure/store/record_store.h"

namespace schedulegym {

// Version of written lines. Lines of the previous version can be read.
inline constexpr int64_t kLineVersion = 2;

// The last line of a file.
struct LineTrailer {
  int64_t count = 0;   // number of lines before it
  std::string sha256;  // of their bytes, each with its newline

  bool operator==(const LineTrailer&) const = default;
};

// Return a line without its newline. An object's keys are sorted, and its numbers read back
// unchanged. `crc` is the CRC-32 of the object without that field. Texts that are not UTF-8 become
// {"hex": ...}. The fields in a record's `extra` are written, too.
std::string ToLine(const Record& record);
std::string ToLine(const ControlMeasurement& control);
std::string ToLine(const ForeignRecord& record);
std::string ToLine(const LineTrailer& trailer);

// Computes the correct checksum of an object's line and ignores its `crc`; "" for other lines.
std::string LineCrc(std::string_view line);
// Returns the CRC-32 of ISO 3309 as 8 hex digits.
std::string Crc32(std::string_view bytes);

// Why a line cannot be read: the message names the found and the expected text.
struct LineFault {
  std::string message;
};

using Line = std::variant<LineFault, Record, ControlMeasurement, ForeignRecord, LineTrailer>;

// Accepts any bytes. Reads this project's lines and those of Ansor (TVM's auto_scheduler, "v0.6")
// and of AutoTVM ("version": 0.2).
Line ParseLine(std::string_view text);
// Returns the target's kind: "cuda" for `cuda -keys=...` and for `{"kind": "cuda", ...}`.
std::string ForeignTargetName(const ForeignRecord& record);

// Reads the lines of a stream of any bytes, none longer than `longest`.
class LineReader {
 public:
  LineReader(std::istream& in, size_t longest) : in_(in), longest_(longest) {}

  // Returns false at the end. The last line needs no newline.
  bool Next();
  const std::string& text() const {
    return text_;
  }  // without its newline; cut where it is too long
  bool too_long() const { return too_long_; }
  bool ended() const { return ended_; }       // by a newline
  int64_t number() const { return number_; }  // from 1

 private:
  std::istream& in_;
  size_t longest_;
  std::string text_;
  bool too_long_ = false;
  bool ended_ = false;
  int64_t number_ = 0;
};

}  // namespace schedulegym
