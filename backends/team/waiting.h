// The calling thread of a team: its cores, its float mode, and how it waits.
#pragma once

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace schedulegym {

// The clock, the pause and the sleep of threads that wait for each other.
inline int64_t NanosecondsOf(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return time.tv_sec * int64_t{1'000'000'000} + time.tv_nsec;
}

inline int64_t Now() { return NanosecondsOf(CLOCK_MONOTONIC); }

// Pause between two looks at a value that another thread changes.
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

// The cores on which the system may run a thread of this process, changed for a while.
class ThreadCores {
 public:
  // Off this core and on to another; false where it may run nowhere else.
  bool KeepOff(pid_t thread, int core) {
    if (!Remember(thread)) return true;
    cpu_set_t cores = before_;
    CPU_CLR(core, &cores);
    if (CPU_COUNT(&cores) == 0) return false;
    Set(thread, cores);
    return true;
  }

  // On to this core, even while it waits for another.
  void MoveTo(pid_t thread, int core) {
    if (!Remember(thread)) return;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    Set(thread, cores);
  }

  // As it was before the first of these changes.
  void Restore(pid_t thread) {
    if (is_changed_) sched_setaffinity(thread, sizeof before_, &before_);
    is_changed_ = false;
  }

 private:
  // Whether it is known how to undo a change; never of the calling thread, which 0 would mean.
  bool Remember(pid_t thread) {
    return is_changed_ || (thread != 0 && sched_getaffinity(thread, sizeof before_, &before_) == 0);
  }
  void Set(pid_t thread, const cpu_set_t& cores) {
    is_changed_ |= sched_setaffinity(thread, sizeof cores, &cores) == 0;
  }

  cpu_set_t before_;
  bool is_changed_;
};

// Rounding, exceptions and denormals of the calling thread's vector arithmetic.
inline unsigned FloatMode() {
#if defined(__x86_64__)
  constexpr unsigned kFlags = 0x3F;  // status bits, which are no part of the mode
  return _mm_getcsr() & ~kFlags;
#else
  return 0;
#endif
}

inline void SetFloatMode([[maybe_unused]] unsigned mode) {
#if defined(__x86_64__)
  if (FloatMode() != mode) _mm_setcsr(mode);
#endif
}

}  // namespace schedulegym
