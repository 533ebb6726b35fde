// Each thread of a loop begins with a part of the iterations that is its own, in small shares, and
// then takes shares of the others' parts: affinity scheduling (Markatos and LeBlanc, Using
// Processor Affinity in Loop Scheduling on Shared-Memory Multiprocessors, IEEE TPDS 5(4), 1994),
// with shares of one size. From call to call a thread so meets the same memory.
//
// If other programs use the cores too, no thread waits for one that has no core:
// - A helper that has not begun when the work is done is not waited for; its offer is withdrawn.
// - A helper that makes no progress in its last share is moved to the caller's core, which the
//   caller yields. Otherwise it would wait until the other program's time slice ends.
// - A helper that last ran on the caller's core is kept off it, where it would begin when all is
//   done; and gets no offer where there is no other core. So is one that sleeps, wherever it ran:
//   the system wakes it on the core of the thread that wakes it, for the halted core of a virtual
//   machine does not count as idle (available_idle_cpu in Linux' scheduler asks vcpu_is_preempted).
// - A helper waits busily for 50 microseconds, then sleeps; at once if its core was taken.
//   So does one that was woken too late for an offer, as it is after every pause: a halted core
//   takes as long to begin as a small kernel does. Asleep again, it would be late for the next
//   call, too.
#include "backends/team/team.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

#include "backends/team/waiting.h"

namespace schedulegym {
namespace {

constexpr int kLineBytes = 64;
constexpr int64_t kMostHelpers = 1023;
constexpr int64_t kSharesOfAPart = 8;

// Nanoseconds. The busy wait of a helper covers the pause between two calls of a loop over kernels;
// threads of other libraries find the core occupied for that long.
constexpr int64_t kMicrosecond = 1000;
constexpr int64_t kHelperSpins = 50 * kMicrosecond;
// A larger gap between two readings of the clock means that another thread ran.
constexpr int64_t kInterruption = 20 * kMicrosecond;
// How often a caller checks whether the helper it waits for makes progress, and after how long it
// sleeps in any case.
constexpr int64_t kFirstLook = 2 * kMicrosecond, kLook = 20 * kMicrosecond;
constexpr int64_t kCallerSpins = 250 * kMicrosecond, kCallerSleeps = 1000 * kMicrosecond;
constexpr int kTurns = 32;  // between two looks at the clock

// State of a helper. The caller changes absent, free, claimed and done; the helper changes offered,
// taken and awaited. A caller may also withdraw an offer, and go to sleep.
enum State : uint32_t {
  kAbsent,   // no thread yet
  kFree,     // waits for a caller
  kClaimed,  // belongs to a caller, who prepares its part or clears up
  kOffered,  // may begin
  kTaken,    // works
  kAwaited,  // works while the caller sleeps
  kDone,     // has found nothing left to do
  kStopped,  // has no thread and gets none
};

// The iterations that a thread starts with; the parts of one loop form a ring.
struct alignas(kLineBytes) Part {
  std::atomic<int64_t> next;
  int64_t end;
  int64_t step;  // iterations of a share
  int64_t worker;
  Part* following;
};

struct Loop {
  LoopShare* share;
  void* closure;
  unsigned float_mode;
  int core;  // the caller's
};

// All zeros: a thread that is absent.
struct Helper {
  Part part;
  alignas(kLineBytes) std::atomic<uint32_t> state;
  // Futex: 1 from before the helper's last look for an offer.
  std::atomic<uint32_t> asleep;
  std::atomic<int> core_and_one;  // where it ran last; 0 unknown
  const Loop* loop;
  Helper* claimed_before;
  alignas(kLineBytes) std::atomic<pid_t> id;  // 0 until it runs
  clockid_t clock;
  pthread_t thread;
  ThreadCores cores;
};

// Helpers of the process. They are started in order, each when a loop first needs that many.
constinit Helper helpers[kMostHelpers] = {};
constinit std::atomic<bool> watches_forks = false;

// The first iteration of a share that was not taken yet, or the part's end.
int64_t Take(Part& part) {
  if (part.next.load(std::memory_order_relaxed) >= part.end) return part.end;
  return std::min(part.next.fetch_add(part.step, std::memory_order_relaxed), part.end);
}

void Work(const Loop& loop, Part& own) {
  Part* part = &own;
  do {
    for (int64_t begin = Take(*part); begin < part->end; begin = Take(*part)) {
      loop.share(loop.closure, begin, std::min(begin + part->step, part->end), own.worker);
    }
    part = part->following;
  } while (part != &own);
}

// Returns whether an offer came within kHelperSpins and without an interruption.
bool SpinForOffer(Helper& self) {
  const int64_t begin = Now();
  for (int64_t last = begin;;) {
    for (int turn = 0; turn < kTurns; ++turn) {
      if (self.state.load(std::memory_order_relaxed) == kOffered) return true;
      Pause();
    }
    const int64_t now = Now();
    if (now - begin > kHelperSpins || now - last > kInterruption) return false;
    last = now;
    self.core_and_one.store(sched_getcpu() + 1, std::memory_order_relaxed);
  }
}

// Returns false when no offers will come. Does not sleep on the state: an offer that is withdrawn
// immediately leaves the state unchanged, so the helper would sleep on but count as awake.
bool AwaitOffer(Helper& self, bool busily) {
  for (;; busily = true) {
    if (busily && SpinForOffer(self)) return true;
    self.asleep.store(1);
    const uint32_t seen = self.state.load();
    if (seen == kOffered || seen == kStopped) {
      self.asleep.store(0);
      return seen == kOffered;
    }
    Sleep(self.asleep, 1, nullptr);
  }
}

// Called after a change of its state. Returns whether the caller has to wake it.
bool MustWake(Helper& helper) {
  return helper.asleep.load() != 0 && helper.asleep.exchange(0) != 0;
}

// A helper's thread. On the caller's core it does not wait busily.
void* Help(void* argument) {
  Helper& self = *static_cast<Helper*>(argument);
  pthread_getcpuclockid(pthread_self(), &self.clock);
  self.id.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_release);
  bool busily = true;
  while (AwaitOffer(self, busily)) {
    uint32_t seen = kOffered;
    if (!self.state.compare_exchange_strong(seen, kTaken)) continue;
    SetFloatMode(self.loop->float_mode);
    Work(*self.loop, self.part);
    const int core = sched_getcpu();
    self.core_and_one.store(core + 1, std::memory_order_relaxed);
    busily = core != self.loop->core;
    if (self.state.exchange(kDone) == kAwaited) Wake(self.state);
  }
  return nullptr;
}

// Called in a forked process, which has none of the threads.
void ForgetHelpers() {
  for (Helper& helper : helpers) {
    if (helper.state.load() == kAbsent) return;
    new (&helper) Helper();
  }
}

// Returns all signals but faults. Other threads handle these; a thread handles its own faults.
sigset_t SignalsToBlock() {
  sigset_t signals;
  sigfillset(&signals);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) {
    sigdelset(&signals, fault);
  }
  return signals;
}

// Whether the claimed helper has a thread now. If none can be started, later calls do not try
// again.
bool Start(Helper& helper) {
  if (!watches_forks.exchange(true)) pthread_atfork(nullptr, nullptr, &ForgetHelpers);
  const sigset_t blocked = SignalsToBlock();
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  const bool started = pthread_create(&helper.thread, nullptr, &Help, &helper) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!started) helper.state.store(kStopped);
  return started;
}

bool Claim(Helper& helper) {
  uint32_t seen = kFree;
  if (helper.state.compare_exchange_strong(seen, kClaimed)) return true;
  return seen == kAbsent && helper.state.compare_exchange_strong(seen, kClaimed) && Start(helper);
}

// Claims helpers as a list and returns the last one; null when none is free.
Helper* ClaimHelpers(int64_t count) {
  Helper* last = nullptr;
  for (int64_t i = 0; i < std::min(count, kMostHelpers); ++i) {
    if (!Claim(helpers[i])) continue;
    helpers[i].claimed_before = last;
    last = &helpers[i];
  }
  return last;
}

// Contiguous parts, in the order of the ring, which begins with the caller's.
void Deal(int64_t extent, Part& own, Helper* last) {
  int64_t parts = 1;
  own.following = &own;
  for (Helper* helper = last; helper != nullptr; helper = helper->claimed_before, ++parts) {
    helper->part.following = own.following;
    own.following = &helper->part;
  }
  Part* part = &own;
  for (int64_t worker = 0; worker < parts; ++worker, part = part->following) {
    const int64_t begin = extent * worker / parts;
    part->worker = worker;
    part->end = extent * (worker + 1) / parts;
    part->step = std::max((part->end - begin + kSharesOfAPart - 1) / kSharesOfAPart, int64_t{1});
    part->next.store(begin, std::memory_order_relaxed);
  }
}

void Offer(Helper& helper, const Loop& loop) {
  const auto keep_off = [&] { return helper.cores.KeepOff(helper.id.load(), loop.core); };
  const bool in_the_way = helper.core_and_one.load(std::memory_order_relaxed) == loop.core + 1;
  const bool is_kept_off = in_the_way || helper.asleep.load() != 0;
  if (is_kept_off && !keep_off()) return;
  helper.loop = &loop;
  helper.state.store(kOffered);
  if (!MustWake(helper)) return;
  if (!is_kept_off) keep_off();  // it was awake until just before
  Wake(helper.asleep);
}

bool SpinUntilDone(const Helper& helper, int64_t nanoseconds) {
  const int64_t begin = Now();
  do {
    for (int turn = 0; turn < kTurns; ++turn) {
      if (helper.state.load(std::memory_order_acquire) == kDone) return true;
      Pause();
    }
  } while (Now() - begin < nanoseconds);
  return false;
}

// Waits for a helper that is still working.
void AwaitDone(Helper& helper) {
  if (SpinUntilDone(helper, kFirstLook)) return;
  const int64_t begin = Now();
  int64_t worked = NanosecondsOf(helper.clock);
  while (!SpinUntilDone(helper, kLook)) {
    const int64_t before = worked;
    worked = NanosecondsOf(helper.clock);
    const bool stands_still = worked == before && worked != 0;  // 0: the system reports no time
    if (!stands_still && Now() - begin < kCallerSpins) continue;
    uint32_t seen = kTaken;
    if (!helper.state.compare_exchange_strong(seen, kAwaited) && seen == kDone) return;
    if (stands_still) helper.cores.MoveTo(helper.id.load(), sched_getcpu());
    const timespec limit = {0, kCallerSleeps};
    Sleep(helper.state, kAwaited, &limit);
  }
}

// Waits until the helper has finished. A helper that has not begun never will.
void Join(Helper& helper) {
  uint32_t seen = kOffered;
  if (helper.state.compare_exchange_strong(seen, kClaimed)) return;
  if (seen == kTaken) AwaitDone(helper);
}

// Called when no thread reads its part any more.
void Release(Helper& helper) {
  helper.cores.Restore(helper.id.load());
  helper.state.store(kFree);
}

// Called before the code is unloaded. Skips a helper that works at process end: its caller may
// be the thread that ends the process.
[[gnu::destructor]] void StopHelpers() {
  for (Helper& helper : helpers) {
    uint32_t seen = kFree;
    if (helper.state.compare_exchange_strong(seen, kStopped)) {
      if (MustWake(helper)) Wake(helper.asleep);
      pthread_join(helper.thread, nullptr);
    }
    if (seen == kAbsent) return;
  }
}

}  // namespace

// Weak: of several objects in one program the linker keeps one.
[[gnu::weak]] void RunOnTeam(LoopShare* share, void* closure, int64_t extent, int64_t workers) {
  Helper* const last = ClaimHelpers(std::min(workers, extent) - 1);
  if (last == nullptr) return share(closure, 0, extent, 0);
  const Loop loop{share, closure, FloatMode(), sched_getcpu()};
  Part own;
  Deal(extent, own, last);
  for (Helper* h = last; h != nullptr; h = h->claimed_before) Offer(*h, loop);
  Work(loop, own);
  for (Helper* h = last; h != nullptr; h = h->claimed_before) Join(*h);
  for (Helper* h = last; h != nullptr;) Release(*std::exchange(h, h->claimed_before));
}

}  // namespace schedulegym

// The linker keeps one of these, too, and shared objects of one process use that of the first to be
// loaded, which then stays in memory: GNU's unique symbols.
extern "C" {
[[gnu::visibility("default"), gnu::used]] inline constinit schedulegym::Team schedulegym_team_1 = {
    &schedulegym::RunOnTeam};
}
