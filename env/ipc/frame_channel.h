// FrameChannel: frames over a connected socket, one at a time, for processes that do one thing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "env/ipc/descriptor.h"
#include "env/ipc/frame.h"

namespace schedulegym {

class FrameChannel {
 public:
  explicit FrameChannel(Descriptor socket) : socket_(std::move(socket)) {}

  int descriptor() const { return socket_.number(); }

  // Waits until all is written; false when the other side is gone. Descriptors arrive with the
  // frame.
  bool Send(const Frame& frame, std::span<const int> descriptors = {});

  // Waits for a frame; none when the other side is gone or says what is no frame.
  std::optional<Frame> Receive();

  // A frame that has arrived whole, without waiting. Reads what is there once.
  std::optional<Frame> Poll();
  bool is_closed() const { return closed_; }
  // Until something arrives, at most so long.
  void Wait(int milliseconds) const;

  // The next `count` of those that came with frames received so far, fewer if there are not so
  // many. Those of a frame may be here before it is whole, and with the one before it.
  std::vector<Descriptor> TakeDescriptors(size_t count);

 private:
  std::optional<Frame> Decoded();
  void ReadSome(int flags);

  Descriptor socket_;
  FrameDecoder decoder_;
  std::vector<Descriptor> descriptors_;
  bool closed_ = false;
};

}  // namespace schedulegym
