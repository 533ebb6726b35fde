// SharedSum: a sum with fewer threads than its copy has, for tests of guards and barriers.
#pragma once

namespace schedulegym {

inline constexpr char kSum[] = "input A[8, 2] : i32\nC[] = sum(k:7) A[k // 2 % 8, k // 2 % 2]\n";

// Three threads copy, and two of them add up in a loop with two barriers. Behind it both store
// their sums, and wait.
inline constexpr char kSharedSum[] =
    "cache_write(stage=C, scope=local)\n"
    "split(stage=C.local, loop=0, lengths=[4])\n"
    "split(stage=C.local, loop=1, lengths=[2])\n"
    "reorder(stage=C.local, order=[2, 1, 0])\n"
    "cache_read(stage=A, scope=shared, readers=[C.local])\n"
    "compute_at(stage=A.shared, target=C.local, loop=0)\n"
    "fuse(stage=A.shared, loops=[0, 1])\n"
    "split(stage=A.shared, loop=0, lengths=[3])\n"
    "bind(stage=A.shared, loop=1, thread=threadIdx.y)\n"
    "bind(stage=C.local, loop=2, thread=threadIdx.y)\n";

}  // namespace schedulegym
