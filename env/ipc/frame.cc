#include "env/ipc/frame.h"

#include <cstring>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr std::string_view kMagic = "SGYM";
// What is taken already is dropped when it is more than this and more than half.
constexpr size_t kMostTaken = 1 << 16;

void Put(std::string& bytes, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

uint64_t Take(std::string_view bytes, size_t offset, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; ++i) {
    value |= uint64_t{static_cast<unsigned char>(bytes[offset + i])} << (8 * i);
  }
  return value;
}

// Of whatever part of a header is there.
std::optional<std::string> FaultOf(std::string_view header) {
  const size_t letters = std::min(header.size(), kMagic.size());
  if (header.substr(0, letters) != kMagic.substr(0, letters)) {
    return "found bytes that begin no frame, expected SGYM";
  }
  if (header.size() < kFrameHeaderBytes) return std::nullopt;
  if (const uint64_t version = Take(header, 4, 2); version != kWireVersion) {
    return "found a frame of version " + std::to_string(version) + ", expected version " +
           std::to_string(kWireVersion);
  }
  if (const uint64_t length = Take(header, 16, 4); length > kMostPayloadBytes) {
    return "found a frame of " + std::to_string(length) + " bytes, expected at most " +
           std::to_string(kMostPayloadBytes);
  }
  return std::nullopt;
}

}  // namespace

std::string EncodeFrame(const Frame& frame) {
  SG_CHECK(frame.payload.size() <= kMostPayloadBytes, "a message of bounded length");
  std::string bytes;
  bytes.reserve(kFrameHeaderBytes + frame.payload.size());
  bytes.append(kMagic);
  Put(bytes, kWireVersion, 2);
  Put(bytes, frame.type, 2);
  Put(bytes, frame.id, 8);
  Put(bytes, frame.payload.size(), 4);
  return bytes.append(frame.payload);
}

void FrameDecoder::Feed(std::string_view bytes) {
  if (broken_) return;
  if (begin_ > kMostTaken && begin_ > buffer_.size() / 2) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  buffer_.append(bytes);
}

Result<std::optional<Frame>> FrameDecoder::Next() {
  if (broken_) return *broken_;
  const std::string_view rest = std::string_view(buffer_).substr(begin_);
  if (auto fault = FaultOf(rest.substr(0, kFrameHeaderBytes))) {
    broken_ = Error{ErrorKind::kParse, *std::move(fault)};
    buffer_.clear();
    begin_ = 0;
    return *broken_;
  }
  if (rest.size() < kFrameHeaderBytes) return std::optional<Frame>();
  const size_t length = Take(rest, 16, 4);
  if (rest.size() - kFrameHeaderBytes < length) return std::optional<Frame>();
  Frame frame{static_cast<uint16_t>(Take(rest, 6, 2)), Take(rest, 8, 8),
              std::string(rest.substr(kFrameHeaderBytes, length))};
  begin_ += kFrameHeaderBytes + length;
  if (begin_ == buffer_.size()) {
    buffer_.clear();
    begin_ = 0;
  }
  return std::optional<Frame>(std::move(frame));
}

}  // namespace schedulegym
