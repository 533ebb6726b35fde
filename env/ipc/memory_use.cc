#include "env/ipc/memory_use.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <memory>

namespace schedulegym {

MemoryUse MemoryUseOfProcess() {
  int64_t mapped = 0, resident = 0, shared = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "r"),
                                                             std::fclose);
  if (!file || std::fscanf(file.get(), "%" SCNd64 " %" SCNd64 " %" SCNd64, &mapped, &resident,
                           &shared) != 3) {
    return {};
  }
  const int64_t page = sysconf(_SC_PAGESIZE);
  return {mapped * page, resident * page, shared * page};
}

}  // namespace schedulegym
