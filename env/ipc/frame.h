// Frame: one message on the wire, preceded by its length.
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

// Wire format, little-endian: the letters SGYM, version (2 bytes), type (2), id (8), length of the
// payload (4), payload.
struct Frame {
  uint16_t type = 0;
  uint64_t id = 0;  // of a request; its answer has the same id
  std::string payload;

  bool operator==(const Frame&) const = default;
};

constexpr uint16_t kWireVersion = 1;
constexpr size_t kFrameHeaderBytes = 20;
constexpr size_t kMostPayloadBytes = size_t{64} << 20;

// The payload must be at most kMostPayloadBytes long.
std::string EncodeFrame(const Frame& frame);

// Decodes frames from a stream of bytes that arrives in pieces of any size.
class FrameDecoder {
 public:
  void Feed(std::string_view bytes);

  // Returns the next whole frame; nullopt until more bytes arrive. Returns the error kParse for
  // bytes that are no frame, another version or a frame that is too long. All later calls then
  // return the same error. Never reserves memory for bytes that were not fed.
  Result<std::optional<Frame>> Next();

 private:
  std::string buffer_;
  size_t begin_ = 0;  // of the bytes that were not decoded yet
  std::optional<Error> broken_;
};

// Blocking exchange of frames over a connected socket, for processes with a single task.
class FrameChannel {
 public:
  explicit FrameChannel(Descriptor socket) : socket_(std::move(socket)) {}

  int descriptor() const { return socket_.number(); }

  // Waits until the frame is written; returns false if the other side has closed. `descriptors`
  // are sent with the frame.
  bool Send(const Frame& frame, std::span<const int> descriptors = {});

  // Waits for a frame; nullopt if the other side has closed or sent bytes that are no frame.
  std::optional<Frame> Receive();

  // Returns a frame that has arrived whole, without waiting; else nullopt. Reads at most once.
  std::optional<Frame> Poll();
  bool is_closed() const { return closed_; }
  // Waits until bytes arrive, at most `milliseconds`.
  void Wait(int milliseconds) const;

  // Removes and returns the next `count` received descriptors, fewer if there are fewer. The
  // descriptors of a frame may arrive before the whole frame, together with the frame before it.
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
