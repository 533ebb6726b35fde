// StoreLock: admits one writer of a store at a time, by any name of its file.
#pragma once

#include <string>

#include "env/measure/store/store_inode.h"

namespace schedulegym {

// Locks FILE-lock, which contains the holder's process id and the time of locking, and the file
// itself (StoreInode): a hard link or a mount is another name of it, with another FILE-lock. The
// system releases the lock of a dead holder.
class StoreLock {
 public:
  // `store_path` is without links (StoreFileOf); `what` is its kind in messages. Throws InputError
  // naming the holder if it keeps the lock for `patience_seconds`, or if FILE-lock cannot be made.
  explicit StoreLock(const std::string& store_path, std::string what = "store",
                     double patience_seconds = 0);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

  // Locks the file, too, if it was created since. Throws InputError naming the holder.
  void HoldFile();

  // Returns whether the last holder died without releasing the lock.
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
