// MeasuringLock: at most one process of this machine times kernels at any moment.
#pragma once

#include <string>

#include "env/ipc/descriptor.h"

namespace schedulegym {

// A file that all users of the machine share: SCHEDULEGYM_LOCK, else one in /run/lock or /tmp.
std::string MeasuringLockPath();

class MeasuringLock {
 public:
  // Throws MachineError when the file can neither be opened nor made.
  explicit MeasuringLock(const std::string& path);

  // Waits for it. The system lets go of it when the holder dies.
  void Take();
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
  ~MeasuringTurn() { lock_.Release(); }
  MeasuringTurn(const MeasuringTurn&) = delete;
  MeasuringTurn& operator=(const MeasuringTurn&) = delete;

 private:
  MeasuringLock& lock_;
};

}  // namespace schedulegym
