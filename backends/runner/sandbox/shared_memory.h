// SharedMemory: a memory file that several processes map.
#pragma once

#include <cstddef>
#include <cstdint>

#include "env/ipc/descriptor.h"

namespace schedulegym {

class SharedMemory {
 public:
  // Inaccessible bytes on either side: an access that misses it by less hits nothing else.
  static constexpr int64_t kMargin = 64 << 10;

  SharedMemory() = default;
  // Makes a zeroed, writable memory of a fixed size. Throws MachineError.
  explicit SharedMemory(int64_t bytes);
  // Maps the memory of another process. Throws MachineError.
  SharedMemory(Descriptor file, int64_t bytes, bool writable);
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;

  // From now on no process, this one included, can write to it or map it for writing.
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
