// ThreadCores: the cores on which the system may run a thread of this process, changed for a while.
#pragma once

#include <sched.h>

namespace schedulegym {

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

}  // namespace schedulegym
