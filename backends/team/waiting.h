// Waiting: the clock, the pause and the sleep of threads that wait for each other.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace schedulegym {

inline int64_t NanosecondsOf(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return time.tv_sec * int64_t{1'000'000'000} + time.tv_nsec;
}

inline int64_t Now() { return NanosecondsOf(CLOCK_MONOTONIC); }

// Between two looks at what another thread changes.
inline void Pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

// Wakes a thread that sleeps on this word.
inline void Wake(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

// Until woken, while the word is as it was seen; no longer than the limit, if there is one.
inline void Sleep(std::atomic<uint32_t>& word, uint32_t seen, const timespec* limit) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, limit, nullptr, 0);
}

}  // namespace schedulegym
