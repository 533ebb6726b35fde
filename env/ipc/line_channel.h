// LineChannel: exchanges lines of text over two pipes with a program in any language.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "env/ipc/worker_process.h"

namespace schedulegym {

class LineChannel {
 public:
  // Limit of a received line. A choice: a thousand schedules with their traces take a tenth of it.
  static constexpr size_t kMostBytes = size_t{16} << 20;

  explicit LineChannel(StandardPipes pipes);

  // Queues a line. Poll writes it as the other side reads, which may be never.
  void Send(std::string_view line);

  // Returns the oldest whole line, without its newline; nullopt if there is none. The text before
  // the end of the stream is a line, too. Writes and reads as much as it can without waiting.
  std::optional<std::string> Poll();
  // Whether the other side has closed or sent too long a line. Poll still returns earlier lines.
  bool is_closed() const { return closed_; }
  bool is_too_long() const { return too_long_; }
  // Waits until Poll can read or write, at most `milliseconds`.
  void Wait(int milliseconds) const;

 private:
  void WriteSome();
  void ReadSome();
  std::optional<std::string> TakeLine();

  StandardPipes pipes_;
  std::string outgoing_;
  size_t written_ = 0;  // bytes of outgoing_
  std::string incoming_;
  size_t searched_ = 0;  // bytes of incoming_ that contain no newline
  bool closed_ = false;
  bool too_long_ = false;
};

}  // namespace schedulegym
