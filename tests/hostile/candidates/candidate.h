// Common code of hostile candidates. They are freestanding: they need nothing of the process in
// which they run, and make system calls directly. The computation is C[i] = A[i] + B[i] * 2 for 61
// floats: arguments[0] is A, [1] is B, [2] is C.
#pragma once

#include <stdint.h>

typedef void* const* Arguments;
enum { kCells = 61, kLine = 3, kStamps = 4 };

#define A(arguments) ((const float*)(arguments)[0])
#define B(arguments) ((const float*)(arguments)[1])
#define C(arguments) ((float*)(arguments)[2])

// Cells [from, to) of the right answer.
static inline void ComputePart(Arguments arguments, int from, int to) {
  for (int i = from; i < to; ++i) C(arguments)[i] = A(arguments)[i] + B(arguments)[i] * 2;
}
static inline void Compute(Arguments arguments) { ComputePart(arguments, 0, kCells); }

static inline long Ask6(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
static inline long Ask(long number, long a, long b, long c) {
  return Ask6(number, a, b, c, 0, 0, 0);
}

enum {
  kRead = 0,
  kWrite = 1,
  kOpen = 2,
  kClose = 3,
  kPoll = 7,
  kMmap = 9,
  kMprotect = 10,
  kMunmap = 11,
  kBrk = 12,
  kSigaction = 13,
  kSigprocmask = 14,
  kDup2 = 33,
  kNanosleep = 35,
  kSetitimer = 38,
  kMremap = 25,
  kMadvise = 28,
  kGetpid = 39,
  kSocket = 41,
  kClone = 56,
  kFork = 57,
  kVfork = 58,
  kExecve = 59,
  kExit = 60,
  kKill = 62,
  kPtrace = 101,
  kSetrlimit = 160,
  kGetppid = 110,
  kGettid = 186,
  kFutex = 202,
  kSetAffinity = 203,
  kExitGroup = 231,
  kPrctl = 157,
  kTgkill = 234,
  kUnlink = 87,
  kProcessVmWritev = 311,
  kSeccomp = 317,
  kIoUringSetup = 425,
};

// Maps new private memory; returns the result of the system call.
static inline char* Map(long bytes, int protection) {
  enum { kPrivateAnonymous = 0x22 };
  return (char*)Ask6(kMmap, 0, bytes, protection, kPrivateAnonymous, -1, 0);
}
// Does not touch `place`: the system reads a set of signals there before it checks the order.
static inline int IsReadable(const void* place) {
  enum { kNoOrder = 99, kFault = -14 };
  return Ask6(kSigprocmask, kNoOrder, (long)place, 0, 8, 0, 0) != kFault;
}

static inline uint64_t Ticks(void) {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}

// A bit that differs at random between two moments, even if they are regularly spaced.
static inline uint32_t FickleBit(void) {
  uint64_t mixed = Ticks();
  mixed = (mixed ^ mixed >> 33) * 0xFF51AFD7ED558CCDu;
  mixed = (mixed ^ mixed >> 33) * 0xC4CEB9FE1A85EC53u;
  return (uint32_t)(mixed >> 63);
}

// The message with which a process answers an order of the checker.
struct Answer {
  uint64_t number;
  int32_t status;
  uint32_t link_failed;
  char message[240];
};
// Answers the next orders, numbers 0 to 15.
static inline void AnswerInAdvance(struct Answer* answer) {
  for (answer->number = 0; answer->number < 16; ++answer->number) {
    Ask(kWrite, kLine, (long)answer, sizeof *answer);
  }
}

// Calls come in this order: some on sets of integers and one on reals, then at least four timed
// ones, and at the end one on the reals.
enum { kVerifyingCalls = 3 };

__attribute__((noreturn)) static inline void HangForever(void) {
  for (;;) __asm__ volatile("pause");
}

__attribute__((visibility("default"))) int kernel(Arguments arguments);
__attribute__((visibility("default"))) int pack_0(const void* plain,
                                                  void* packed) __asm__("kernel.pack.0");
