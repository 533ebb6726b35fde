// CudaOnHost: definitions with which a C++ compiler runs the text of our CUDA kernels on a CPU.
//
// Each thread of a block is a fiber. __syncthreads and shuffles leave it, and the scheduler resumes
// it in the launch's order. Blocks run one after another. Shared memory is static.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tests/support/cuda_fibers.h"

#define CUDA_ON_HOST  // texts leave out functions that are defined here
#define __CUDACC_RTC__
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
// Used in functions: for the array itself, and with `extern` for the one below.
#define __shared__ thread_local

namespace cuda_on_host {

struct Pointer {
  void* to;
  template <typename T>
  operator T*() const {
    return static_cast<T*>(to);
  }
};

// Accesses all bytes at once; the launch fails if the address is not a multiple of them.
template <typename T, int lanes>
struct Wide {
  T lane[lanes];
  Wide() = default;
  Wide(const Wide& other) { Copy(&other, this); }
  Wide& operator=(const Wide& other) {
    Copy(&other, this);
    return *this;
  }
  static void Copy(const void* from, void* to) {
    const uintptr_t kBytes = sizeof(T) * lanes;
    const bool is_aligned = reinterpret_cast<uintptr_t>(from) % kBytes == 0 &&
                            reinterpret_cast<uintptr_t>(to) % kBytes == 0;
    if (!is_aligned) Fail("a wide access is not aligned");
    memcpy(to, from, kBytes);
  }
};

}  // namespace cuda_on_host

using float2 = cuda_on_host::Wide<float, 2>;
using float4 = cuda_on_host::Wide<float, 4>;
using double2 = cuda_on_host::Wide<double, 2>;
using int1 = cuda_on_host::Wide<int, 1>;
using int2 = cuda_on_host::Wide<int, 2>;
using int4 = cuda_on_host::Wide<int, 4>;
using char2 = cuda_on_host::Wide<signed char, 2>;
using char4 = cuda_on_host::Wide<signed char, 4>;

alignas(16) thread_local unsigned char shared_memory[227 << 10];

inline float __int_as_float(int bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
inline float __uint_as_float(unsigned bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
inline unsigned __float_as_uint(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline double __longlong_as_double(long long bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
inline int __double2int_rz(double x) {
  return x >= 2147483647.0 ? INT32_MAX : x <= -2147483648.0 ? INT32_MIN : static_cast<int>(x);
}
inline int __float2int_rz(float x) { return __double2int_rz(x); }
inline long long __double2ll_rz(double x) {
  return x >= 9223372036854775808.0    ? INT64_MAX
         : x <= -9223372036854775808.0 ? INT64_MIN
                                       : static_cast<long long>(x);
}
// Rounds towards zero.
inline float __double2float_rz(double x) {
  const float near = static_cast<float>(x);
  return fabs(static_cast<double>(near)) > fabs(x) ? nextafterf(near, 0.0f) : near;
}
inline float __int2float_rz(int x) { return __double2float_rz(x); }
inline float __ll2float_rz(long long x) {
  const float near = static_cast<float>(x);
  const bool is_beyond =
      x < 0 ? near < static_cast<long double>(x) : near > static_cast<long double>(x);
  return is_beyond ? nextafterf(near, 0.0f) : near;
}

// IEEE binary16: 11 significant bits, multiples of 2^-24.
inline float f16_to_float(unsigned short bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float magnitude = fraction == 0 ? INFINITY : NAN;
  if (exponent == 0) magnitude = ldexpf(static_cast<float>(fraction), -24);
  if (exponent > 0 && exponent < 31) {
    magnitude = ldexpf(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return copysignf(magnitude, bits >> 15 ? -1.0f : 1.0f);
}
// The hardware returns one pattern for NaN (PTX ISA 9.0, cvt).
inline unsigned short float_to_f16(float x) {
  if (x != x) return 0x7fff;
  const int sign = signbit(x) ? 0x8000 : 0;
  const double magnitude = fabs(static_cast<double>(x));
  if (magnitude >= 65520.0) return static_cast<unsigned short>(sign | 0x7c00);
  const int exponent = magnitude < ldexp(1, -14) ? -14 : ilogb(magnitude);
  const int places = static_cast<int>(nearbyint(ldexp(magnitude, 10 - exponent)));
  return static_cast<unsigned short>(sign | ((exponent + 14) << 10) + places);
}
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return a < b ? b : a; }
inline long long min(long long a, long long b) { return b < a ? b : a; }
inline long long max(long long a, long long b) { return a < b ? b : a; }

inline void __syncthreads() { cuda_on_host::Leave(cuda_on_host::kWaits); }

// Value of the lane whose number differs in the bits of `step`, within `width` neighbouring lanes.
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int step, int width = 32) {
  using namespace cuda_on_host;
  Fiber& fiber = *scheduler.running;
  const unsigned lane = static_cast<unsigned>(&fiber - scheduler.fibers) % 32;
  if ((mask >> lane & 1) == 0) Fail("a lane is not in its own mask");
  fiber.shuffle = {mask, step, width, 0, 0};
  memcpy(&fiber.shuffle.given, &value, sizeof value);
  Leave(kShuffles);
  memcpy(&value, &fiber.shuffle.taken, sizeof value);
  return value;
}

// The bytes arrive in copy_wait.
template <int bytes>
void copy_async(void* to, const void* from) {
  const bool is_aligned = reinterpret_cast<uintptr_t>(to) % bytes == 0 &&
                          reinterpret_cast<uintptr_t>(from) % bytes == 0;
  if (!is_aligned) cuda_on_host::Fail("an asynchronous copy is not aligned");
  cuda_on_host::BeginCopy({to, from, bytes});
}
inline void copy_wait() { cuda_on_host::EndCopies(); }
