// ScratchFolder: an empty folder of its own, which ends with its owner.
#pragma once

#include <cstdint>
#include <string>

namespace schedulegym {

class ScratchFolder {
 public:
  // Where temporary files lie. Throws MachineError.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  // Of all files in it; those that go meanwhile are passed over.
  int64_t Bytes() const;

 private:
  std::string path_;
};

}  // namespace schedulegym
