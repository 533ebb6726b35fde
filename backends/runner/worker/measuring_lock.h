// MeasuringLock: at most one process of this machine times kernels at any moment.
#pragma once

#include <string>

#include "env/ipc/descriptor.h"

namespace schedulegym {

// Lock file that all users of the machine share: SCHEDULEGYM_LOCK, else one in /run/lock or /tmp.
std::string MeasuringLockPath();
// Lock file of the machine's GPUs: held exclusively to time kernels there, shared to run them only.
// SCHEDULEGYM_LOCK with ".device" appended, else beside MeasuringLockPath().
std::string DeviceLeasePath();

class MeasuringLock {
 public:
  // Throws MachineError if the file can neither be opened nor made.
  explicit MeasuringLock(const std::string& path);

  // Waits for the lock. The system releases it when the holder dies.
  void Take();
  // Takes the lock only if it is free. Returns whether it did.
  bool TryTake();
  // Waits for a shared lock. Releases a lock that is held already first.
  void Share();
  void Release();
  // Whether another process holds it now. The holder must not call it.
  bool IsHeldByOther();

 private:
  Descriptor file_;
};

// Holds the lock for its lifetime.
class MeasuringTurn {
 public:
  explicit MeasuringTurn(MeasuringLock& lock) : lock_(lock) { lock_.Take(); }
  // Calls `before_wait` before it waits, if it must.
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

// Shares the lock for its lifetime, or holds it exclusively for a while.
class DeviceUse {
 public:
  explicit DeviceUse(MeasuringLock& lease) : lease_(lease) { lease_.Share(); }
  ~DeviceUse() { lease_.Release(); }
  DeviceUse(const DeviceUse&) = delete;
  DeviceUse& operator=(const DeviceUse&) = delete;

  // Call it before a wait for another lock: its holder may be waiting for this one.
  void LetGo() { lease_.Release(); }
  void TakeAlone() { lease_.Take(); }
  void ShareAgain() { lease_.Share(); }

 private:
  MeasuringLock& lease_;
};

}  // namespace schedulegym
