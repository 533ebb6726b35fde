#include "backends/runner/sandbox/thread_team.h"

#include <signal.h>
#include <sys/mman.h>

#include <cstddef>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace schedulegym {
namespace {

constexpr size_t kHandlerStack = 1 << 15;
#if defined(__x86_64__)
// No exceptions, to nearest; flush to zero, and denormals are zeros.
constexpr unsigned kDefaultMode = 0x1F80;
constexpr unsigned kFlushBits = 0x8040;
#endif

// Pages of its own that are never freed: then only the system has a pointer to them.
void GiveHandlerStack() {
  void* pages =
      mmap(nullptr, kHandlerStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return;
  stack_t stack = {};
  stack.ss_sp = pages;
  stack.ss_size = kHandlerStack;
  sigaltstack(&stack, nullptr);
}

}  // namespace

void StartThreadTeam(int threads) {
#pragma omp parallel num_threads(threads)
  GiveHandlerStack();
}

void SetFlushToZero(bool on) {
#if defined(__x86_64__)
  _mm_setcsr(on ? kDefaultMode | kFlushBits : kDefaultMode);
#else
  (void)on;
#endif
}

void SetFlushToZero(bool on, int threads) {
#pragma omp parallel num_threads(threads)
  SetFlushToZero(on);
}

}  // namespace schedulegym
