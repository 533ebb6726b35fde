// LineReader: the lines of a stream of any bytes, none longer than a bound.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

namespace schedulegym {

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
