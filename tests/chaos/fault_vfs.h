// FaultVfs: a way for SQLite to reach files that remembers what was done to them, in order, and
// fails where it is told to.
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
  kOnce,      // that operation fails, as by a bad sector
  kFromThen,  // it and all after it, as on a disk that is gone
  kFull,      // every growth from then on, as on a full disk
  kTorn,      // that write is half done, then all fail
};

// Operations are counted from 1, whatever their kind. One lives at a time in a process.
class FaultVfs {
 public:
  FaultVfs();
  ~FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

  // For OpenStore.
  const char* name() const { return "schedulegym-fault"; }

  void FailAt(int64_t number, FaultKind kind);
  bool has_failed() const { return failed_; }
  const std::vector<FileOperation>& operations() const { return operations_; }

  // What SQLite calls: whether an operation may go on; a torn write's first half may.
  enum class Answer : uint8_t { kGo, kHalf, kError, kFull };
  Answer Ask(FileOperation operation);

 private:
  std::vector<FileOperation> operations_;
  int64_t number_ = 0;  // 0: never
  FaultKind kind_ = FaultKind::kOnce;
  bool failed_ = false;
};

// The files' contents after the first `count` operations and a power cut: of what was done to a
// file after its last sync only what `keeps` says survives. Files that were there before are in
// `before`.
std::map<std::string, std::string> AfterPowerCut(
    const std::vector<FileOperation>& operations, size_t count,
    std::map<std::string, std::string> before,
    const std::function<bool(const FileOperation&)>& keeps);

}  // namespace schedulegym
