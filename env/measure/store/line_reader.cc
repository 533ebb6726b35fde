#include "env/measure/store/line_reader.h"

namespace schedulegym {

bool LineReader::Next() {
  using Traits = std::istream::traits_type;
  text_.clear();
  too_long_ = false;
  ended_ = false;
  std::streambuf& bytes = *in_.rdbuf();
  int next = bytes.sbumpc();
  if (next == Traits::eof()) return false;
  ++number_;
  for (; next != Traits::eof(); next = bytes.sbumpc()) {
    if (next == '\n') {
      ended_ = true;
      break;
    }
    if (text_.size() < longest_) {
      text_.push_back(static_cast<char>(next));
    } else {
      too_long_ = true;
    }
  }
  return true;
}

}  // namespace schedulegym
