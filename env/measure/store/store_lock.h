// StoreLock: one writer of a store at a time, by whatever names it is reached.
#pragma once

#include <string>

#include "env/measure/store/store_inode.h"

namespace schedulegym {

// Holds FILE-lock, which contains the holder's process id and when it took the lock, and the file
// itself (StoreInode): a hard link or a mount is another name of it, with another FILE-lock. A dead
// holder's lock is no lock: the system lets go of it.
class StoreLock {
 public:
  // Of a path without links (StoreFileOf); `what` it is, as messages name it. Throws InputError
  // naming the holder if there is one for so many seconds, or when the lock file cannot be made.
  explicit StoreLock(const std::string& store_path, std::string what = "store",
                     double patience_seconds = 0);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

  // Holds the file, too, where it was made since. Throws InputError naming the holder.
  void HoldFile();

  // Whether the last holder died without letting go.
  bool recovered() const { return recovered_; }

 private:
  std::string Quoted() const;
  void TakeLockFile(double patience_seconds);
  void NameHolder();

  std::string store_path_;
  std::string what_;
  std::string path_;
  int descriptor_ = -1;
  bool recovered_ = false;
  StoreInode file_;
};

}  // namespace schedulegym
