#include "backends/runner/sandbox/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

[[noreturn]] void Refuse(int64_t bytes) {
  throw MachineError("cannot share " + std::to_string(bytes) +
                     " bytes of memory: " + std::strerror(errno));
}

// The memory ends within a page, the margin behind it at the end of one.
int64_t WithMargins(int64_t bytes) {
  constexpr int64_t kPage = 4096;
  return (bytes + kPage - 1) / kPage * kPage + 2 * SharedMemory::kMargin;
}

}  // namespace

SharedMemory::SharedMemory(int64_t bytes)
    : file_(memfd_create("schedulegym", MFD_CLOEXEC | MFD_ALLOW_SEALING)), bytes_(bytes) {
  if (!file_.is_open() || ftruncate(file_.number(), bytes) != 0) Refuse(bytes);
  fcntl(file_.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
  Map(true);
}

SharedMemory::SharedMemory(Descriptor file, int64_t bytes, bool writable)
    : file_(std::move(file)), bytes_(bytes) {
  Map(writable);
}

SharedMemory::~SharedMemory() { Unmap(); }

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : file_(std::move(other.file_)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  if (this != &other) {
    Unmap();
    file_ = std::move(other.file_);
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

void SharedMemory::Map(bool writable) {
  if (bytes_ == 0) return;
  void* around = mmap(nullptr, WithMargins(bytes_), PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (around == MAP_FAILED) Refuse(bytes_);
  data_ = static_cast<std::byte*>(around) + kMargin;
  const int rights = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  if (mmap(data_, bytes_, rights, MAP_SHARED | MAP_FIXED, file_.number(), 0) != MAP_FAILED) return;
  const int error = errno;
  Unmap();
  errno = error;
  Refuse(bytes_);
}

void SharedMemory::Unmap() {
  if (data_ != nullptr) munmap(data_ - kMargin, WithMargins(bytes_));
  data_ = nullptr;
}

void SharedMemory::SealContents() {
  // The memory is mapped nowhere else, so forbidding future writes forbids all writes. Unlike
  // F_SEAL_WRITE this lets every Linux map it for reading.
  Unmap();
  if (fcntl(file_.number(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) != 0) Refuse(bytes_);
  Map(false);
}

}  // namespace schedulegym
