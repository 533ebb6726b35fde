// LineChannel: lines of text over two pipes, to a program of any language.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "env/ipc/worker_process.h"

namespace schedulegym {

class LineChannel {
 public:
  // Of a line that comes. A choice: a thousand schedules with their traces are a tenth of it.
  static constexpr size_t kMostBytes = size_t{16} << 20;

  explicit LineChannel(StandardPipes pipes);

  // To be written as the other side reads, which may be never: by Poll.
  void Send(std::string_view line);

  // The oldest line that has come whole, without its newline; what stands at the very end is one,
  // too. Writes and reads what goes without waiting.
  std::optional<std::string> Poll();
  // The other side has closed, or its line is too long. What came before can still be polled.
  bool is_closed() const { return closed_; }
  bool is_too_long() const { return too_long_; }
  // Until Poll has something to do, at most so long.
  void Wait(int milliseconds) const;

 private:
  void WriteSome();
  void ReadSome();
  std::optional<std::string> TakeLine();

  StandardPipes pipes_;
  std::string outgoing_;
  size_t written_ = 0;  // of it
  std::string incoming_;
  size_t searched_ = 0;  // of it, without a newline
  bool closed_ = false;
  bool too_long_ = false;
};

}  // namespace schedulegym
