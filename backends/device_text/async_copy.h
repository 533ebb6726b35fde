// AsyncCopies: copies from global to shared memory that a thread does not wait for.
#pragma once

#include <set>
#include <string>

#include "backends/device_text/device_program.h"

namespace schedulegym {

struct AsyncCopies {
  std::set<const Statement*> copies;  // a store, or a vector loop that is one wide copy
  std::set<const Statement*> waits;   // barriers that copies may be on their way at
};

// Copies of 4, 8 or 16 bytes of a kernel whose cells are used behind a barrier alone, and whose
// source no thread of the kernel stores to. A thread waits for its own copies before a barrier, so
// that all threads have them after it.
AsyncCopies FindAsyncCopies(const LoopProgram& program, const KernelBody& kernel);

// Definitions of copy_async and copy_wait. The header that runs CUDA text on a processor has its
// own.
const char* AsyncCopyText();

}  // namespace schedulegym
