// OwnMemory: how much memory this process has, as the system counts it.
#pragma once

#include <cstdint>

namespace schedulegym {

struct OwnMemory {
  int64_t mapped_bytes = 0;    // addresses, used or not
  int64_t resident_bytes = 0;  // in memory
  int64_t shared_bytes = 0;    // of those: of files and of memory that others may have, too
};

// All zero where the system does not say.
OwnMemory ReadOwnMemory();

}  // namespace schedulegym
