// StoreInode: a store's file by device and inode, whatever name it was reached by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace schedulegym {

// The system forgets every lock that SQLite has on a file as soon as this process closes any
// descriptor of that file. So all that use a file here share one, which is closed with the last.
class StoreInode {
 public:
  using Id = std::pair<uint64_t, uint64_t>;  // device and inode

  StoreInode() = default;
  // Of no file where the path leads to none, or to one that may not be read.
  explicit StoreInode(const std::string& path);
  ~StoreInode();
  StoreInode(StoreInode&& other) noexcept : id_(std::exchange(other.id_, std::nullopt)) {}
  StoreInode& operator=(StoreInode&& other) noexcept;

  bool is_open() const { return id_.has_value(); }
  // As its one writer, in all processes; false where there is one, in this process or another. The
  // system lets go of it when this process ends.
  bool Lock();
  void Unlock();
  // The process that has the lock, where the system says so.
  std::optional<int64_t> Holder() const;
  // How many names it has; 0 of no file.
  int64_t links() const;
  // Whether its content goes on in a log (FILE-wal), as its first bytes say.
  bool HasLog() const;

 private:
  std::optional<Id> id_;
};

}  // namespace schedulegym
