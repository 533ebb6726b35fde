#include <algorithm>
#include <utility>
#include <vector>

#include "backends/device/opencl_device.h"

namespace schedulegym {
namespace {

constexpr unsigned char kBorderByte = 0xB5;
constexpr int64_t kLeastBorder = 4096;

Error RunError(const std::string& what, ClInt error) {
  return {ErrorKind::kRun, what + ": " + ClErrorText(error)};
}

Result<void> Checked(const std::string& what, ClInt error) {
  if (error == kClSuccess) return {};
  return RunError(what, error);
}

}  // namespace

int64_t BorderBytes(size_t alignment) {
  const auto step = static_cast<int64_t>(alignment);
  return (kLeastBorder + step - 1) / step * step;
}

Result<DeviceBuffer> DeviceBuffer::Make(const OpenClDevice& device, int64_t bytes) {
  const OpenClLibrary& library = device.library();
  const int64_t border = BorderBytes(device.buffer_alignment());
  const std::string what = "a buffer of " + std::to_string(bytes) + " bytes";
  if (bytes > device.description().most_tensor_bytes) {
    return Error{ErrorKind::kRun, what + " is more than the device allows: at most " +
                                      std::to_string(device.description().most_tensor_bytes)};
  }
  DeviceBuffer buffer(device, bytes, border);
  ClInt error = kClSuccess;
  const auto outer_bytes = static_cast<size_t>(std::max<int64_t>(bytes, 1) + 2 * border);
  buffer.outer_ =
      library.CreateBuffer(device.context(), kClMemReadWrite, outer_bytes, nullptr, &error);
  if (error != kClSuccess) return RunError(what, error);
  const ClBufferRegion region = {static_cast<size_t>(border),
                                 static_cast<size_t>(std::max<int64_t>(bytes, 1))};
  buffer.inner_ = library.CreateSubBuffer(buffer.outer_, kClMemReadWrite, kClBufferCreateTypeRegion,
                                          &region, &error);
  if (error != kClSuccess) return RunError(what, error);
  return buffer;
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device_(other.device_),
      bytes_(other.bytes_),
      border_(other.border_),
      outer_(std::exchange(other.outer_, nullptr)),
      inner_(std::exchange(other.inner_, nullptr)) {}

DeviceBuffer::~DeviceBuffer() {
  if (inner_ != nullptr) device_->library().ReleaseMemObject(inner_);
  if (outer_ != nullptr) device_->library().ReleaseMemObject(outer_);
}

Result<void> DeviceBuffer::Write(const void* from) {
  return Checked(
      "writing to the device",
      device_->library().EnqueueWriteBuffer(
          device_->queue(), inner_, 1, 0, static_cast<size_t>(bytes_), from, 0, nullptr, nullptr));
}

Result<void> DeviceBuffer::Read(void* to) const {
  return Checked(
      "reading from the device",
      device_->library().EnqueueReadBuffer(device_->queue(), inner_, 1, 0,
                                           static_cast<size_t>(bytes_), to, 0, nullptr, nullptr));
}

Result<void> DeviceBuffer::FillBorders() {
  const std::vector<unsigned char> border(static_cast<size_t>(border_), kBorderByte);
  for (const int64_t offset : {int64_t{0}, border_ + std::max<int64_t>(bytes_, 1)}) {
    const ClInt error = device_->library().EnqueueWriteBuffer(
        device_->queue(), outer_, 1, static_cast<size_t>(offset), border.size(), border.data(), 0,
        nullptr, nullptr);
    if (error != kClSuccess) return RunError("writing to the device", error);
  }
  return {};
}

Result<bool> DeviceBuffer::BordersIntact() const {
  std::vector<unsigned char> border(static_cast<size_t>(border_));
  for (const int64_t offset : {int64_t{0}, border_ + std::max<int64_t>(bytes_, 1)}) {
    const ClInt error = device_->library().EnqueueReadBuffer(
        device_->queue(), outer_, 1, static_cast<size_t>(offset), border.size(), border.data(), 0,
        nullptr, nullptr);
    if (error != kClSuccess) return RunError("reading from the device", error);
    const bool is_intact =
        std::ranges::all_of(border, [](unsigned char byte) { return byte == kBorderByte; });
    if (!is_intact) return false;
  }
  return true;
}

}  // namespace schedulegym
