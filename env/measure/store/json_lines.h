// JSON lines: what a store holds, one object a line, to travel and to be kept.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <variant>

#include "env/measure/store/record_store.h"

namespace schedulegym {

// Of the lines that are written; those of the version before are read.
inline constexpr int64_t kLineVersion = 2;

// The last line of a file.
struct LineTrailer {
  int64_t count = 0;   // of the lines before it
  std::string sha256;  // of their bytes, each with its newline

  bool operator==(const LineTrailer&) const = default;
};

// Without the newline. An object's keys are sorted, its numbers read back as the same, and `crc` is
// the CRC-32 of the object without it; texts that are not UTF-8 stand as {"hex": ...}. What a
// record has in `extra` is written again.
std::string ToLine(const Record& record);
std::string ToLine(const ControlMeasurement& control);
std::string ToLine(const ForeignRecord& record);
std::string ToLine(const LineTrailer& trailer);

// The checksum that belongs into an object's line, whatever stands there; "" of what is no object.
std::string LineCrc(std::string_view line);
// 8 hex digits, of CRC-32 as in ISO 3309.
std::string Crc32(std::string_view bytes);

// Why a line cannot be taken: what was found and what was expected.
struct LineFault {
  std::string message;
};

using Line = std::variant<LineFault, Record, ControlMeasurement, ForeignRecord, LineTrailer>;

// Takes any bytes. Beside our own lines it reads those of Ansor (TVM's auto_scheduler, "v0.6") and
// of AutoTVM ("version": 0.2).
Line ParseLine(std::string_view text);
// The kind of its target, such as "cuda": of `cuda -keys=...`, of `{"kind": "cuda", ...}`.
std::string ForeignTargetName(const ForeignRecord& record);

// The lines of a stream of any bytes, none longer than a bound.
class LineReader {
 public:
  LineReader(std::istream& in, size_t longest) : in_(in), longest_(longest) {}

  // False at the end. A last line needs no newline.
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
