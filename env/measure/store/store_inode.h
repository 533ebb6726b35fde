// StoreInode: a store's file by device and inode, independent of the name it was opened by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace schedulegym {

// The system drops every lock that SQLite has on a file as soon as this process closes any
// descriptor of that file. So all users of a file here share one, and the last of them closes it.
class StoreInode {
 public:
  using Id = std::pair<uint64_t, uint64_t>;  // device and inode

  StoreInode() = default;
  // Holds no file if the path leads to none, or to one that may not be read.
  explicit StoreInode(const std::string& path);
  ~StoreInode();
  StoreInode(StoreInode&& other) noexcept : id_(std::exchange(other.id_, std::nullopt)) {}
  StoreInode& operator=(StoreInode&& other) noexcept;

  bool is_open() const { return id_.has_value(); }
  // Locks the file for one writer among all processes. Returns false if this process or another
  // has the lock. The system releases it when this process ends.
  bool Lock();
  void Unlock();
  // Returns the process that has the lock; nullopt if the system does not list it.
  std::optional<int64_t> Holder() const;
  // Returns the number of names (hard links); 0 without a file.
  int64_t links() const;
  // Returns whether the file is in WAL mode by its first bytes: its content continues in FILE-wal.
  bool HasLog() const;

 private:
  std::optional<Id> id_;
};

}  // namespace schedulegym
