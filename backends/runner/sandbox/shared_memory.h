// SharedMemory: a memory file that several processes map.
#pragma once

#include <cstddef>
#include <cstdint>

#include "env/ipc/descriptor.h"

namespace schedulegym {

class SharedMemory {
 public:
  // Bytes on either side of it that nobody can touch: who misses it by less hits nothing else.
  static constexpr int64_t kMargin = 64 << 10;

  SharedMemory() = default;
  // Zeroed, writable, of a size that nobody can change any more. Throws MachineError.
  explicit SharedMemory(int64_t bytes);
  // What another process made. Throws MachineError.
  SharedMemory(Descriptor file, int64_t bytes, bool writable);
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;

  // From now on nobody, this process included, can write to it or map it for writing.
  void SealContents();

  std::byte* data() const { return data_; }
  int64_t bytes() const { return bytes_; }
  int descriptor() const { return file_.number(); }
  // The mapping stays.
  void CloseFile() { file_.Close(); }

 private:
  void Map(bool writable);
  void Unmap();

  Descriptor file_;
  std::byte* data_ = nullptr;
  int64_t bytes_ = 0;
};

}  // namespace schedulegym
