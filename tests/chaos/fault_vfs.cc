#include "tests/chaos/fault_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

namespace schedulegym {
namespace {

using Kind = FileOperation::Kind;

// SQLite's record of an open file: ours, followed by the real one.
struct FaultFile {
  sqlite3_file base;
  FaultVfs* faults;
  const char* path;  // null for temporary files
  sqlite3_file* real;
};

FaultFile& Of(sqlite3_file* file) { return *reinterpret_cast<FaultFile*>(file); }
sqlite3_file* Real(sqlite3_file* file) { return Of(file).real; }
const sqlite3_io_methods& Methods(sqlite3_file* file) { return *Real(file)->pMethods; }

FaultVfs::Answer Ask(sqlite3_file* file, Kind kind, int64_t offset, std::string bytes) {
  const FaultFile& ours = Of(file);
  if (ours.path == nullptr) return FaultVfs::Answer::kGo;
  return ours.faults->Ask({kind, ours.path, offset, std::move(bytes)});
}

int Close(sqlite3_file* file) { return Methods(file).xClose(Real(file)); }

int Read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  return Methods(file).xRead(Real(file), to, size, offset);
}

int Write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  const std::string bytes(static_cast<const char*>(from), static_cast<size_t>(size));
  switch (Ask(file, Kind::kWrite, offset, bytes)) {
    case FaultVfs::Answer::kGo: return Methods(file).xWrite(Real(file), from, size, offset);
    case FaultVfs::Answer::kHalf:
      Methods(file).xWrite(Real(file), from, size / 2, offset);
      return SQLITE_IOERR_WRITE;
    case FaultVfs::Answer::kError: return SQLITE_IOERR_WRITE;
    case FaultVfs::Answer::kFull: return SQLITE_FULL;
  }
  return SQLITE_IOERR_WRITE;
}

int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (Ask(file, Kind::kTruncate, size, "") != FaultVfs::Answer::kGo) return SQLITE_IOERR_TRUNCATE;
  return Methods(file).xTruncate(Real(file), size);
}

int Sync(sqlite3_file* file, int flags) {
  if (Ask(file, Kind::kSync, 0, "") != FaultVfs::Answer::kGo) return SQLITE_IOERR_FSYNC;
  return Methods(file).xSync(Real(file), flags);
}

int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  return Methods(file).xFileSize(Real(file), size);
}
int Lock(sqlite3_file* file, int level) { return Methods(file).xLock(Real(file), level); }
int Unlock(sqlite3_file* file, int level) { return Methods(file).xUnlock(Real(file), level); }
int CheckReservedLock(sqlite3_file* file, int* held) {
  return Methods(file).xCheckReservedLock(Real(file), held);
}
int FileControl(sqlite3_file* file, int what, void* argument) {
  return Methods(file).xFileControl(Real(file), what, argument);
}
int SectorSize(sqlite3_file* file) { return Methods(file).xSectorSize(Real(file)); }
int Characteristics(sqlite3_file* file) { return Methods(file).xDeviceCharacteristics(Real(file)); }
int ShmMap(sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
  return Methods(file).xShmMap(Real(file), page, size, extend, memory);
}
int ShmLock(sqlite3_file* file, int offset, int count, int flags) {
  return Methods(file).xShmLock(Real(file), offset, count, flags);
}
void ShmBarrier(sqlite3_file* file) { Methods(file).xShmBarrier(Real(file)); }
int ShmUnmap(sqlite3_file* file, int remove) { return Methods(file).xShmUnmap(Real(file), remove); }

constexpr sqlite3_io_methods kMethods = {2,
                                         Close,
                                         Read,
                                         Write,
                                         Truncate,
                                         Sync,
                                         FileSize,
                                         Lock,
                                         Unlock,
                                         CheckReservedLock,
                                         FileControl,
                                         SectorSize,
                                         Characteristics,
                                         ShmMap,
                                         ShmLock,
                                         ShmBarrier,
                                         ShmUnmap,
                                         nullptr,
                                         nullptr};

// The registered VFS, with a pointer to the system's own.
struct Registered {
  sqlite3_vfs vfs;
  FaultVfs* faults;
  sqlite3_vfs* system;
};
Registered registered;

int Open(sqlite3_vfs*, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  FaultFile& ours = Of(file);
  ours.faults = registered.faults;
  ours.path = path;
  ours.real = reinterpret_cast<sqlite3_file*>(&ours + 1);
  const int code = registered.system->xOpen(registered.system, path, ours.real, flags, out_flags);
  ours.base.pMethods = ours.real->pMethods != nullptr ? &kMethods : nullptr;
  return code;
}

int Delete(sqlite3_vfs*, const char* path, int sync_folder) {
  const bool go = registered.faults->Ask({Kind::kDelete, path, 0, ""}) == FaultVfs::Answer::kGo;
  if (!go) return SQLITE_IOERR_DELETE;
  return registered.system->xDelete(registered.system, path, sync_folder);
}

int Access(sqlite3_vfs*, const char* path, int flags, int* answer) {
  return registered.system->xAccess(registered.system, path, flags, answer);
}

int FullPath(sqlite3_vfs*, const char* path, int size, char* out) {
  return registered.system->xFullPathname(registered.system, path, size, out);
}

}  // namespace

FaultVfs::FaultVfs() {
  sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
  registered = {*system, this, system};
  registered.vfs.pNext = nullptr;
  registered.vfs.zName = name();
  registered.vfs.szOsFile = static_cast<int>(sizeof(FaultFile)) + system->szOsFile;
  registered.vfs.xOpen = Open;
  registered.vfs.xDelete = Delete;
  registered.vfs.xAccess = Access;
  registered.vfs.xFullPathname = FullPath;
  sqlite3_vfs_register(&registered.vfs, 0);
}

FaultVfs::~FaultVfs() { sqlite3_vfs_unregister(&registered.vfs); }

void FaultVfs::FailAt(int64_t number, FaultKind kind) {
  number_ = number;
  kind_ = kind;
}

FaultVfs::Answer FaultVfs::Ask(FileOperation operation) {
  const Kind kind = operation.kind;
  operations_.push_back(std::move(operation));
  const auto count = static_cast<int64_t>(operations_.size());
  if (number_ == 0 || count < number_) return Answer::kGo;
  const bool is_first = count == number_;
  if (kind_ == FaultKind::kOnce && !is_first) return Answer::kGo;
  // On a full disk operations that need no room succeed.
  if (kind_ == FaultKind::kFull && kind != Kind::kWrite) return Answer::kGo;
  failed_ = true;
  if (kind_ == FaultKind::kFull) return Answer::kFull;
  return kind_ == FaultKind::kTorn && is_first && kind == Kind::kWrite ? Answer::kHalf
                                                                       : Answer::kError;
}

namespace {

void Apply(const FileOperation& operation, std::string& contents) {
  const auto offset = static_cast<size_t>(operation.offset);
  if (operation.kind == Kind::kTruncate) contents.resize(offset);
  if (operation.kind != Kind::kWrite) return;
  contents.resize(std::max(contents.size(), offset + operation.bytes.size()));
  contents.replace(offset, operation.bytes.size(), operation.bytes);
}

}  // namespace

std::map<std::string, std::string> AfterPowerCut(
    const std::vector<FileOperation>& operations, size_t count,
    std::map<std::string, std::string> files,
    const std::function<bool(const FileOperation&)>& keeps) {
  std::map<std::string, size_t> synced;  // index of the last sync of each path
  for (size_t i = 0; i < count; ++i) {
    if (operations[i].kind == Kind::kSync) synced[operations[i].path] = i;
  }
  for (size_t i = 0; i < count; ++i) {
    const FileOperation& operation = operations[i];
    const auto last = synced.find(operation.path);
    const bool is_durable = last != synced.end() && i < last->second;
    if (operation.kind == Kind::kDelete) {
      files.erase(operation.path);
    } else if (is_durable || keeps(operation)) {
      Apply(operation, files[operation.path]);
    }
  }
  return files;
}

}  // namespace schedulegym
