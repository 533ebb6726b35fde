// GpuMatmul: Ansor's CUDA schedule of a matmul of 128, for tests of shared memory.
#pragma once

#include <string>

namespace schedulegym {

inline constexpr char kMatmul128[] =
    "input A[128, 128]\ninput B[128, 128]\n"
    "C[i:128, j:128] = sum(k:128) A[i, k] * B[k, j]\n";

// Tiles of 64 x 64 x 8 a block, by 2 x 2 virtual threads of 16 x 16 threads of 2 x 2 cells: 256
// threads copy 512 elements of A and of B in each of 16 steps, two for each thread.
inline constexpr char kMatmul128Steps[] =
    "cache_write(stage=C, scope=local)\n"
    "split(stage=C.local, loop=0, lengths=[2, 16, 2, 1])\n"
    "split(stage=C.local, loop=5, lengths=[2, 16, 2, 1])\n"
    "split(stage=C.local, loop=10, lengths=[8, 1])\n"
    "reorder(stage=C.local, order=[0, 5, 1, 6, 2, 7, 10, 11, 3, 8, 12, 4, 9])\n"
    "follow_split(stage=C, loop=0, source=1, count=3)\n"
    "follow_split(stage=C, loop=4, source=2, count=3)\n"
    "reorder(stage=C, order=[0, 4, 1, 5, 2, 6, 3, 7])\n"
    "compute_at(stage=C.local, target=C, loop=5)\n"
    "cache_read(stage=B, scope=shared, readers=[C.local])\n"
    "compute_at(stage=B.shared, target=C.local, loop=6)\n"
    "cache_read(stage=A, scope=shared, readers=[C.local])\n"
    "compute_at(stage=A.shared, target=C.local, loop=6)\n"
    "fuse(stage=C, loops=[0, 1])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
    "fuse(stage=C, loops=[1, 2])\nbind(stage=C, loop=1, thread=vthread)\n"
    "fuse(stage=C, loops=[2, 3])\nbind(stage=C, loop=2, thread=threadIdx.x)\n"
    "fuse(stage=B.shared, loops=[0, 1])\n"
    "follow_fused_split(stage=B.shared, loop=0, sources=[1, 2], level=1, factor=true)\n"
    "bind(stage=B.shared, loop=1, thread=threadIdx.x)\n"
    "fuse(stage=A.shared, loops=[0, 1])\n"
    "follow_fused_split(stage=A.shared, loop=0, sources=[1, 2], level=1, factor=true)\n"
    "bind(stage=A.shared, loop=1, thread=threadIdx.x)\n";

}  // namespace schedulegym
