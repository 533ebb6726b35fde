// Frame: one message on the wire, with its length in front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "env/base/result.h"

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

}  // namespace schedulegym
