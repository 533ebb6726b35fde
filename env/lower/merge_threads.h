// MergeThreads: one loop for each axis of a kernel that shares memory.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// A kernel, a statement at the top of a program, in the order
//   loops of blocks { shared buffers { loops of threads { the rest } } }
// All loops on one axis are the same threads. The longest is the kernel's loop; the body of a
// shorter one runs under a guard. A statement that stores to shared memory outside of any loop on
// an axis runs on that axis' thread 0 alone. Shared buffers get their places in the kernel's shared
// memory (byte_offset): those that are never allocated at once share bytes.
// kInvalidSchedule where loops on one axis stand within each other and are not those of a shared
// stage within its reader, or where threads share a buffer that each of them has for itself.
Result<StatementPtr> MergeThreads(LoopProgram& program, const StatementPtr& kernel);

}  // namespace schedulegym
