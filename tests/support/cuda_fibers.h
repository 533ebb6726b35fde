// CudaFibers: the threads of a block of a CUDA kernel on one CPU core, in a selectable order.
//
// A fiber runs until it waits at a barrier, shuffles, or ends. Shuffling lanes continue once all
// lanes of their masks shuffle; the others wait for them at the barrier.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

namespace cuda_on_host {

// A launch failed; its run ends with this line.
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

}  // namespace cuda_on_host

static cuda_on_host::Coordinates blockIdx, threadIdx, blockDim;

namespace cuda_on_host {

// The order in which threads resume between two barriers.
enum Order { kAscending, kDescending, kShuffled, kOrders };

enum FiberState { kRuns, kWaits, kShuffles, kHasEnded };

// A lane's value for its mask, and the value taken from the lane whose number differs by `step` in
// its bits.
struct Shuffle {
  unsigned mask;
  int step, width;
  uint64_t given, taken;
};

// A pending asynchronous copy.
struct Copy {
  void* to;
  const void* from;
  size_t bytes;
};

struct Fiber {
  ucontext_t context;
  char* stack;
  Coordinates place;
  FiberState state;
  Shuffle shuffle;
  Copy* copies;
  size_t copy_count, copy_places;
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
  scheduler.running->state = kHasEnded;
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
    fiber.state = kRuns;
    fiber.copy_count = 0;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack;
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, RunFiber, 0);
  }
}

// Index of the i-th thread to resume, of `count`.
inline size_t Turn(Order order, size_t i, size_t count) {
  if (order == kAscending) return i;
  if (order == kDescending) return count - 1 - i;
  size_t step = count * 5 / 8 + 1;  // made coprime to the count: every thread has one turn
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

// Runs the fiber until it waits, shuffles, or ends.
inline void Resume(Fiber& fiber) {
  scheduler.running = &fiber;
  fiber.state = kRuns;
  threadIdx = fiber.place;
  swapcontext(&scheduler.context, &fiber.context);
}

inline void Leave(FiberState state) {
  scheduler.running->state = state;
  swapcontext(&scheduler.running->context, &scheduler.context);
}

inline void BeginCopy(const Copy& copy) {
  Fiber& fiber = *scheduler.running;
  if (fiber.copy_count == fiber.copy_places) {
    fiber.copy_places = fiber.copy_places * 2 + 8;
    fiber.copies =
        static_cast<Copy*>(realloc(fiber.copies, fiber.copy_places * sizeof *fiber.copies));
  }
  fiber.copies[fiber.copy_count++] = copy;
}

// Completes copies in reverse order, because their order is not specified.
inline void EndCopies() {
  Fiber& fiber = *scheduler.running;
  while (fiber.copy_count > 0) {
    const Copy& copy = fiber.copies[--fiber.copy_count];
    memcpy(copy.to, copy.from, copy.bytes);
  }
}

// Gives each lane of a mask its value, once all of them shuffle; returns whether they do.
inline bool Exchange(size_t warp, const Shuffle& shuffle) {
  Fiber* lanes = scheduler.fibers + warp;
  for (size_t i = 0; i < 32; ++i) {
    if ((shuffle.mask >> i & 1) == 0) continue;
    if (warp + i >= scheduler.count || lanes[i].state != kShuffles) return false;
    const Shuffle& its = lanes[i].shuffle;
    if (its.mask != shuffle.mask || its.step != shuffle.step) return false;
  }
  for (size_t i = 0; i < 32; ++i) {
    if ((shuffle.mask >> i & 1) == 0) continue;
    const size_t from = i ^ static_cast<size_t>(shuffle.step);
    const bool is_within = from / shuffle.width == i / shuffle.width;
    if (is_within && (shuffle.mask >> from & 1) == 0) Fail("a lane outside of the mask is read");
    lanes[i].shuffle.taken = lanes[is_within ? from : i].shuffle.given;
    lanes[i].state = kRuns;
  }
  return true;
}

// Runs shuffling lanes as long as some can continue.
inline void RunShuffles(Order order) {
  const size_t count = scheduler.count;
  for (bool goes_on = true; goes_on && failure.line[0] == 0;) {
    goes_on = false;
    for (size_t i = 0; i < count; ++i) {
      const size_t thread = Turn(order, i, count);
      Fiber& fiber = scheduler.fibers[thread];
      if (fiber.state == kShuffles) Exchange(thread / 32 * 32, fiber.shuffle);
      if (fiber.state != kRuns) continue;
      Resume(fiber);
      goes_on = true;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (scheduler.fibers[i].state == kShuffles) Fail("not all lanes of a mask shuffle");
  }
}

// Runs all threads to the next barrier or to their end; returns false if all have ended.
inline bool RunToBarrier(Order order) {
  const size_t count = scheduler.count;
  for (size_t i = 0; i < count; ++i) {
    Fiber& fiber = scheduler.fibers[Turn(order, i, count)];
    if (fiber.state != kHasEnded) Resume(fiber);
  }
  RunShuffles(order);
  size_t ended = 0;
  for (size_t i = 0; i < count; ++i) ended += scheduler.fibers[i].state == kHasEnded ? 1 : 0;
  if (ended != 0 && ended != count) Fail("some threads of a block end where others wait");
  return ended == 0 && failure.line[0] == 0;
}

inline void FreeStacks() {
  for (Fiber& fiber : scheduler.fibers) {
    free(fiber.stack);
    free(fiber.copies);
    fiber.stack = nullptr;
    fiber.copies = nullptr;
    fiber.copy_places = 0;
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
    blockDim = threads;
    StartFibers(threads);
    while (RunToBarrier(order)) {
    }
  }
  FreeStacks();
}

}  // namespace cuda_on_host
