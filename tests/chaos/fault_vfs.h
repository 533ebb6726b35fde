// FaultVfs: a VFS for SQLite that logs the operations on files in order and fails at a given one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace schedulegym {

struct FileOperation {
  enum class Kind : uint8_t { kWrite, kTruncate, kSync, kDelete };
  Kind kind;
  std::string path;
  int64_t offset = 0;  // of a write; the length of a truncation
  std::string bytes;   // of a write
};

enum class FaultKind : uint8_t {
  kOnce,      // that operation fails, like at a bad sector
  kFromThen,  // it and all later ones fail, like on a disk that is gone
  kFull,      // each growth from then on fails, like on a full disk
  kTorn,      // half of that write is done, then all operations fail
};

// Operations of all kinds are counted from 1. A process has at most one instance at a time.
class FaultVfs {
 public:
  FaultVfs();
  ~FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

  // The VFS name for OpenStore.
  const char* name() const { return "schedulegym-fault"; }

  void FailAt(int64_t number, FaultKind kind);
  bool has_failed() const { return failed_; }
  const std::vector<FileOperation>& operations() const { return operations_; }

  // Called by SQLite before each operation. kHalf: write the first half of a torn write.
  enum class Answer : uint8_t { kGo, kHalf, kError, kFull };
  Answer Ask(FileOperation operation);

 private:
  std::vector<FileOperation> operations_;
  int64_t number_ = 0;  // 0: never
  FaultKind kind_ = FaultKind::kOnce;
  bool failed_ = false;
};

// The files' contents after the first `count` operations and a power cut. Operations on a file
// after its last sync survive only if `keeps` returns true. `before` holds the files that existed
// before.
std::map<std::string, std::string> AfterPowerCut(
    const std::vector<FileOperation>& operations, size_t count,
    std::map<std::string, std::string> before,
    const std::function<bool(const FileOperation&)>& keeps);

}  // namespace schedulegym
