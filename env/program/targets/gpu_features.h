// Features of a GPU, which its target names: what code may use then, and what it lacks.
#pragma once

namespace schedulegym {

// Copies from global to shared memory that threads do not wait for; `cuda` from sm_80 on.
inline constexpr char kAsyncCopyFeature[] = "async_copy";
// Of a device of `opencl`: computations in f64 are refused.
inline constexpr char kNoDoublesFeature[] = "no_f64";
// Begins a feature of a device of `opencl`, "buffer_1073741824": an input or output has so many
// bytes at most.
inline constexpr char kBufferFeature[] = "buffer_";

}  // namespace schedulegym
