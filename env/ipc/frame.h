// Frame: one message on the wire, with its length in front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/result.h"
#include "env/ipc/descriptor.h"

namespace schedulegym {

// On the wire, little-endian: the letters SGYM, version (2 bytes), type (2), id (8), length of the
// payload (4), payload.
struct Frame {
  uint16_t type = 0;
  uint64_t id = 0;  // of a request; its answer has the same
  std::string payload;

  bool operator==(const Frame&) const = default;
};

constexpr uint16_t kWireVersion = 1;
constexpr size_t kFrameHeaderBytes = 20;
constexpr size_t kMostPayloadBytes = size_t{64} << 20;

// The payload is at most kMostPayloadBytes long.
std::string EncodeFrame(const Frame& frame);

// Frames out of a stream of bytes that comes in pieces of any size.
class FrameDecoder {
 public:
  void Feed(std::string_view bytes);

  // The next whole frame, none until more bytes come. kParse for what is no frame, is of another
  // version or too long; the stream is then of no further use and every later call says the same.
  // Never holds more than was fed and not yet taken.
  Result<std::optional<Frame>> Next();

 private:
  std::string buffer_;
  size_t begin_ = 0;  // of what was not taken yet
  std::optional<Error> broken_;
};

// Frames over a connected socket, one at a time, for processes that do one thing.
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
