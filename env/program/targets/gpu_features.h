// Features of a GPU in its target: abilities that code may use, and limits.
#pragma once

namespace schedulegym {

// Copies from global to shared memory that threads do not wait for; `cuda` from sm_80 on.
inline constexpr char kAsyncCopyFeature[] = "async_copy";
// Of a device of `opencl`: computations in f64 are refused.
inline constexpr char kNoDoublesFeature[] = "no_f64";
// Prefix of a feature of `opencl`, as in "buffer_1073741824": an input or output has at most that
// many bytes.
inline constexpr char kBufferFeature[] = "buffer_";

}  // namespace schedulegym
