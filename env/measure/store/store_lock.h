// StoreLock: makes its holder the only writer of a store.
#pragma once

#include <string>

namespace schedulegym {

// Holds FILE-lock, which contains the holder's process id and when it took the lock. A dead
// holder's lock is no lock: the system lets go of it.
class StoreLock {
 public:
  // Throws InputError naming the holder if there is one, or when the lock file cannot be made.
  explicit StoreLock(const std::string& store_path);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

  // Whether the last holder died without letting go.
  bool recovered() const { return recovered_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  bool recovered_ = false;
};

}  // namespace schedulegym
