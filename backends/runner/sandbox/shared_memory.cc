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
  void* at = mmap(nullptr, bytes_, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
                  file_.number(), 0);
  if (at == MAP_FAILED) Refuse(bytes_);
  data_ = static_cast<std::byte*>(at);
}

void SharedMemory::Unmap() {
  if (data_ != nullptr) munmap(data_, bytes_);
  data_ = nullptr;
}

void SharedMemory::SealContents() {
  Unmap();
  if (fcntl(file_.number(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL) != 0) Refuse(bytes_);
  Map(false);
}

}  // namespace schedulegym
