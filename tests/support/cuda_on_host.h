// CUDA on the host: what a C++ compiler needs to run the text of our CUDA kernels on a processor.
//
// Each thread of a block is a fiber, which __syncthreads leaves and the scheduler resumes in the
// order that the launch names. Blocks run one after another. Shared memory is static.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __CUDACC_RTC__
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __align__(bytes) __attribute__((aligned(bytes)))
// Both in a function: the array itself, and `extern` for the one below.
#define __shared__ thread_local

namespace cuda_on_host {

// Of a launch that cannot go on; runs end with its line.
struct LaunchFailure {
  char line[160];
};
static LaunchFailure failure;

inline void Fail(const char* line) {
  if (failure.line[0] == 0) snprintf(failure.line, sizeof failure.line, "%s", line);
}

struct Coordinates {
  unsigned x, y, z;
};

// As threads are resumed between two barriers.
enum Order { kAscending, kDescending, kShuffled, kOrders };

struct Pointer {
  void* to;
  template <typename T>
  operator T*() const {
    return static_cast<T*>(to);
  }
};

// So many bytes at once, at an address that is a multiple of them, or the launch fails.
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
using int2 = cuda_on_host::Wide<int, 2>;
using int4 = cuda_on_host::Wide<int, 4>;
using char2 = cuda_on_host::Wide<signed char, 2>;
using char4 = cuda_on_host::Wide<signed char, 4>;

static cuda_on_host::Coordinates blockIdx, threadIdx;
alignas(16) thread_local unsigned char shared_memory[227 << 10];

inline float __int_as_float(int bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
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
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return a < b ? b : a; }
inline long long min(long long a, long long b) { return b < a ? b : a; }
inline long long max(long long a, long long b) { return a < b ? b : a; }

namespace cuda_on_host {

struct Fiber {
  ucontext_t context;
  char* stack;
  Coordinates place;
  bool has_ended;
};

struct Scheduler {
  ucontext_t context;
  Fiber fibers[1024];
  size_t count;  // of this launch
  Fiber* running;
  void (*body)(void*);
  void* argument;
};
static Scheduler scheduler;

inline void RunFiber() {
  scheduler.body(scheduler.argument);
  scheduler.running->has_ended = true;
  swapcontext(&scheduler.running->context, &scheduler.context);
}

inline void StartFibers(const Coordinates& threads) {
  const size_t kStackBytes = 64 << 10;
  scheduler.count = size_t{threads.x} * threads.y * threads.z;
  for (size_t i = 0; i < scheduler.count; ++i) {
    Fiber& fiber = scheduler.fibers[i];
    const auto number = static_cast<unsigned>(i);
    if (fiber.stack == nullptr) fiber.stack = static_cast<char*>(malloc(kStackBytes));
    fiber.place = {number % threads.x, number / threads.x % threads.y,
                   number / threads.x / threads.y};
    fiber.has_ended = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack;
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, RunFiber, 0);
  }
}

// Which thread is the i-th of `count`.
inline size_t Turn(Order order, size_t i, size_t count) {
  if (order == kAscending) return i;
  if (order == kDescending) return count - 1 - i;
  size_t step = count * 5 / 8 + 1;  // prime to the count below: every thread has one turn
  while (true) {
    size_t a = step, b = count;
    while (b != 0) {
      const size_t rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1) break;
    ++step;
  }
  return (i * step + count / 3) % count;
}

// All threads up to the next barrier, or to their end; false where all have ended.
inline bool RunToBarrier(Order order) {
  const size_t count = scheduler.count;
  size_t ended = 0;
  for (size_t i = 0; i < count; ++i) {
    scheduler.running = &scheduler.fibers[Turn(order, i, count)];
    if (!scheduler.running->has_ended) {
      threadIdx = scheduler.running->place;
      swapcontext(&scheduler.context, &scheduler.running->context);
    }
    ended += scheduler.running->has_ended ? 1 : 0;
  }
  if (ended != 0 && ended != count) Fail("some threads of a block end where others wait");
  return ended == 0;
}

inline void FreeStacks() {
  for (Fiber& fiber : scheduler.fibers) {
    free(fiber.stack);
    fiber.stack = nullptr;
  }
}

template <typename Body>
void Launch(const Coordinates& blocks, const Coordinates& threads, Order order, Body body) {
  scheduler.body = [](void* argument) { (*static_cast<Body*>(argument))(); };
  scheduler.argument = &body;
  const unsigned count = blocks.x * blocks.y * blocks.z;
  for (unsigned i = 0; i < count && failure.line[0] == 0; ++i) {
    const auto number = static_cast<unsigned>(Turn(order, i, count));
    blockIdx = {number % blocks.x, number / blocks.x % blocks.y, number / blocks.x / blocks.y};
    StartFibers(threads);
    while (RunToBarrier(order)) {
    }
  }
  FreeStacks();
}

}  // namespace cuda_on_host

inline void __syncthreads() {
  using cuda_on_host::scheduler;
  swapcontext(&scheduler.running->context, &scheduler.context);
}
