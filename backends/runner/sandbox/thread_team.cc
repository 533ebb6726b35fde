#include "backends/runner/sandbox/thread_team.h"

#include <signal.h>

#include <cstdlib>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace schedulegym {
namespace {

constexpr size_t kHandlerStack = 1 << 15;
#if defined(__x86_64__)
// Flush to zero, and denormals are zeros.
constexpr unsigned kFlushBits = 0x8040;
#endif

void GiveHandlerStack() {
  stack_t stack = {};
  stack.ss_sp = std::malloc(kHandlerStack);  // for the rest of the process
  stack.ss_size = kHandlerStack;
  if (stack.ss_sp != nullptr) sigaltstack(&stack, nullptr);
}

}  // namespace

void StartThreadTeam(int threads) {
#pragma omp parallel num_threads(threads)
  GiveHandlerStack();
}

void SetFlushToZero(bool on, int threads) {
#pragma omp parallel num_threads(threads)
  {
#if defined(__x86_64__)
    const unsigned without = _mm_getcsr() & ~kFlushBits;
    _mm_setcsr(on ? without | kFlushBits : without);
#else
    (void)on;
#endif
  }
}

}  // namespace schedulegym
