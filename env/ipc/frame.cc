// Messages over sockets and pipes: a header of 20 bytes in little-endian order, `SGYM`, version
// (2), type (2), id (8) and length (4), then the payload; up to 16 descriptors travel beside the
// header (SCM_RIGHTS). A channel that found a wrong header or an end within a message stays broken.
#include "env/ipc/frame.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr std::string_view kMagic = "SGYM";
// Bytes that were taken are dropped when they are more than this and more than half.
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

// The fault of a complete or incomplete header.
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

constexpr size_t kBlock = 1 << 16;
constexpr size_t kMostDescriptors = 16;

using ControlSpace = std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))>;

void Attach(std::span<const int> descriptors, ControlSpace& space, msghdr& message) {
  SG_CHECK(descriptors.size() <= kMostDescriptors, "few descriptors at once");
  if (descriptors.empty()) return;
  message.msg_control = space.data();
  message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
  std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
}

void Detach(msghdr& message, std::vector<Descriptor>& descriptors) {
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(header) + i * sizeof(int), sizeof number);
      descriptors.emplace_back(number);
    }
  }
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

bool FrameChannel::Send(const Frame& frame, std::span<const int> descriptors) {
  const std::string bytes = EncodeFrame(frame);
  size_t sent = 0;
  while (sent < bytes.size()) {
    iovec part = {const_cast<char*>(bytes.data()) + sent, bytes.size() - sent};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) ControlSpace space{};
    if (sent == 0) Attach(descriptors, space, message);
    const ssize_t written = sendmsg(socket_.number(), &message, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    sent += static_cast<size_t>(written);
  }
  return true;
}

std::optional<Frame> FrameChannel::Decoded() {
  Result<std::optional<Frame>> frame = decoder_.Next();
  if (frame) return *std::move(frame);
  closed_ = true;
  return std::nullopt;
}

void FrameChannel::ReadSome(int flags) {
  std::array<char, kBlock> block;
  iovec part = {block.data(), block.size()};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) ControlSpace space;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  const ssize_t got = recvmsg(socket_.number(), &message, MSG_CMSG_CLOEXEC | flags);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) {
    closed_ = true;
    return;
  }
  Detach(message, descriptors_);
  decoder_.Feed({block.data(), static_cast<size_t>(got)});
}

std::vector<Descriptor> FrameChannel::TakeDescriptors(size_t count) {
  const auto end =
      descriptors_.begin() + static_cast<std::ptrdiff_t>(std::min(count, descriptors_.size()));
  std::vector<Descriptor> taken(std::make_move_iterator(descriptors_.begin()),
                                std::make_move_iterator(end));
  descriptors_.erase(descriptors_.begin(), end);
  return taken;
}

std::optional<Frame> FrameChannel::Receive() {
  while (true) {
    std::optional<Frame> frame = Decoded();
    if (frame || closed_) return frame;
    ReadSome(0);
  }
}

std::optional<Frame> FrameChannel::Poll() {
  std::optional<Frame> frame = Decoded();
  if (frame || closed_) return frame;
  ReadSome(MSG_DONTWAIT);
  return Decoded();
}

void FrameChannel::Wait(int milliseconds) const {
  pollfd arrival = {socket_.number(), POLLIN, 0};
  poll(&arrival, 1, milliseconds);
}

}  // namespace schedulegym
