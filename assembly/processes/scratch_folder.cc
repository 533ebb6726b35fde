#include "assembly/processes/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "env/base/fault.h"

namespace schedulegym {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::error_code unknown;
  path_ = (fs::temp_directory_path(unknown) / "schedulegym-XXXXXX").string();
  if (mkdtemp(path_.data()) != nullptr) return;
  throw MachineError("cannot make a folder '" + path_ + "': " + std::strerror(errno));
}

ScratchFolder::~ScratchFolder() {
  std::error_code unknown;
  fs::remove_all(path_, unknown);
}

int64_t ScratchFolder::Bytes() const {
  std::error_code gone;
  int64_t bytes = 0;
  for (auto file = fs::recursive_directory_iterator(path_, gone);
       !gone && file != fs::recursive_directory_iterator(); file.increment(gone)) {
    std::error_code missing;
    if (!file->is_regular_file(missing)) continue;
    const uintmax_t size = file->file_size(missing);
    if (!missing) bytes += static_cast<int64_t>(size);
  }
  return bytes;
}

}  // namespace schedulegym
