// Allocation count: bytes allocated by this thread, in programs that link this file.
#pragma once

#include <cstdint>

namespace schedulegym {

// Bytes allocated since the thread began; freed bytes count as well.
int64_t AllocatedBytes();

}  // namespace schedulegym
