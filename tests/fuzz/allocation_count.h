// Allocation count: how much memory this thread has asked for, in programs that link this.
#pragma once

#include <cstdint>

namespace schedulegym {

// In bytes, since the thread began; what was given back counts as well.
int64_t AllocatedBytes();

}  // namespace schedulegym
