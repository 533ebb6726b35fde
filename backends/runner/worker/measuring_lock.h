// MeasuringLock: at most one process of this machine times kernels at any moment.
#pragma once

#include <string>

#include "env/ipc/descriptor.h"

namespace schedulegym {

// A file that all users of the machine share: SCHEDULEGYM_LOCK, else one in /run/lock or /tmp.
std::string MeasuringLockPath();
// Of the machine's GPUs: whoever times kernels there has it alone, and whoever else runs some there
// shares it. SCHEDULEGYM_LOCK with ".device" behind, else beside MeasuringLockPath().
std::string DeviceLeasePath();

class MeasuringLock {
 public:
  // Throws MachineError when the file can neither be opened nor made.
  explicit MeasuringLock(const std::string& path);

  // Waits for it. The system lets go of it when the holder dies.
  void Take();
  // Whether it could be had at once.
  bool TryTake();
  // Waits until nobody has it alone. What is held already is let go of first.
  void Share();
  void Release();
  // Whether somebody else holds it now. Not to be asked by its holder.
  bool IsHeldByOther();

 private:
  Descriptor file_;
};

// Holds it while it lives.
class MeasuringTurn {
 public:
  explicit MeasuringTurn(MeasuringLock& lock) : lock_(lock) { lock_.Take(); }
  // Calls `before_wait` where it must be waited for.
  template <typename Function>
  MeasuringTurn(MeasuringLock& lock, Function before_wait) : lock_(lock) {
    if (lock_.TryTake()) return;
    before_wait();
    lock_.Take();
  }
  ~MeasuringTurn() { lock_.Release(); }
  MeasuringTurn(const MeasuringTurn&) = delete;
  MeasuringTurn& operator=(const MeasuringTurn&) = delete;

 private:
  MeasuringLock& lock_;
};

// Shares it while it lives, or has it alone for a while.
class DeviceUse {
 public:
  explicit DeviceUse(MeasuringLock& lease) : lease_(lease) { lease_.Share(); }
  ~DeviceUse() { lease_.Release(); }
  DeviceUse(const DeviceUse&) = delete;
  DeviceUse& operator=(const DeviceUse&) = delete;

  // Around a wait for another lock: its holder may wait for this one.
  void LetGo() { lease_.Release(); }
  void TakeAlone() { lease_.Take(); }
  void ShareAgain() { lease_.Share(); }

 private:
  MeasuringLock& lease_;
};

}  // namespace schedulegym
