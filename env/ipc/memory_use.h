// MemoryUse: how much memory this process has, as the system counts it.
#pragma once

#include <cstdint>

namespace schedulegym {

struct MemoryUse {
  int64_t mapped_bytes = 0;    // addresses, touched or not: what a limit of addresses counts
  int64_t resident_bytes = 0;  // in memory now
  int64_t shared_bytes = 0;    // of these, from files and memory shared with others
};

// All zero where the system does not say.
MemoryUse MemoryUseOfProcess();

}  // namespace schedulegym
