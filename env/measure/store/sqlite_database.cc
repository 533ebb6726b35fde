// SQLite with prepared statements kept by text, errors by cause (foreign, damage, place, machine;
// errno tells full disks from others), and limits for files of unknown origin: values up to 4 MiB,
// no trusted schema, triggers or views. Network file systems are found by the type in statfs, FUSE
// ones by /proc/self/mountinfo, since their locks do not hold. HasWalResetBug lists the versions
// with a known bug of write-ahead logs.
#include "env/measure/store/sqlite_database.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr int kBusyMilliseconds = 10'000;
// Limit of one value or row, equal to that of an imported line.
constexpr int kMostBytes = 4 << 20;

SqliteFault FaultOf(int code, int system_error) {
  switch (code & 0xff) {
    case SQLITE_NOTADB: return SqliteFault::kForeign;
    // The statements are fixed, so an error means that the file has other tables than a store.
    case SQLITE_ERROR:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT:
    case SQLITE_CORRUPT:
    case SQLITE_TOOBIG:
    case SQLITE_SCHEMA: return SqliteFault::kDamage;
    case SQLITE_FULL:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: return SqliteFault::kPlace;
    default: break;
  }
  // A limit on the size of files is visible only there.
  const bool full = system_error == EFBIG || system_error == ENOSPC || system_error == EDQUOT;
  return (code & 0xff) == SQLITE_IOERR && full ? SqliteFault::kPlace : SqliteFault::kMachine;
}

// SQLite gives no system error for a failed commit, such as "disk I/O error: File too large". Each
// call starts with errno 0, so errno is that of this call.
SqliteError ErrorOf(sqlite3* handle, int code) {
  const int last_error = errno;
  if (handle == nullptr) return {sqlite3_errstr(code), FaultOf(code, 0)};
  const int noted = sqlite3_system_errno(handle);
  const int system_error = noted != 0 ? noted : last_error;
  std::string message = sqlite3_errmsg(handle);
  if ((code & 0xff) == SQLITE_IOERR && system_error != 0) {
    message += std::string(": ") + std::strerror(system_error);
  }
  return {message, FaultOf(code, system_error)};
}

struct NumberedSystem {
  int64_t type;
  const char* name;
};

// Magic numbers from statfs(2) and the headers of the file systems.
constexpr NumberedSystem kNetworkSystems[] = {
    {0x6969, "nfs"},        {0x517b, "smb"},       {0xfe534d42, "smb2"},   {0xff534d42, "cifs"},
    {0x01021997, "9p"},     {0x00c36400, "ceph"},  {0x0bd00bd0, "lustre"}, {0x47504653, "gpfs"},
    {0x19830326, "beegfs"}, {0x5346414f, "afs"},   {0x73757245, "coda"},   {0x7461636f, "ocfs2"},
    {0x01161970, "gfs2"},   {0xaad7aaea, "panfs"},
};
constexpr int64_t kUserSpace = 0x65735546;  // FUSE

// File systems in user space (FUSE) that are on another machine.
constexpr const char* kNetworkUserSystems[] = {
    "fuse.sshfs",  "fuse.s3fs",     "fuse.gcsfuse",   "fuse.glusterfs", "fuse.rclone",
    "fuse.davfs2", "fuse.cephfs",   "fuse.curlftpfs", "fuse.moosefs",   "fuse.juicefs",
    "fuse.afp",    "fuse.smbnetfs", "fuse.goofys",
};

// The type in a line of mountinfo, "36 35 98:0 / /mnt rw - ext3 /dev/root rw".
std::string_view TypeOfMount(std::string_view line) {
  const size_t dash = line.find(" - ");
  if (dash == std::string_view::npos) return {};
  const std::string_view rest = line.substr(dash + 3);
  return rest.substr(0, rest.find(' '));
}

std::string ReadMounts() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/mountinfo").rdbuf();
  return text.str();
}

}  // namespace

SqliteDatabase::SqliteDatabase(const std::string& path, bool writable, const std::string& vfs) {
  const int flags = writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle_, flags, vfs.empty() ? nullptr : vfs.c_str());
  if (code != SQLITE_OK) {
    const SqliteError error = ErrorOf(handle_, code);
    sqlite3_close(handle_);
    throw error;
  }
  inode_ = StoreInode(path);
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
  // The file may come from anyone: nothing in its tables is executed, and no memory is mapped.
  sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, kMostBytes);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

SqliteDatabase::~SqliteDatabase() {
  for (const auto& [sql, statement] : kept_) sqlite3_finalize(statement);
  sqlite3_close_v2(handle_);
}

void SqliteDatabase::Fail(int code) const { throw ErrorOf(handle_, code); }

sqlite3_stmt* SqliteDatabase::Take(std::string_view sql) {
  const auto kept = kept_.emplace(sql, nullptr).first;
  if (kept->second != nullptr) return std::exchange(kept->second, nullptr);
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) Fail(code);
  return statement;
}

// Finalizes a statement that failed, and a second statement of one text.
void SqliteDatabase::GiveBack(sqlite3_stmt* statement) {
  const bool failed = sqlite3_reset(statement) != SQLITE_OK;
  const auto kept = kept_.find(std::string_view(sqlite3_sql(statement)));
  if (failed || kept == kept_.end() || kept->second != nullptr) {
    sqlite3_finalize(statement);
    return;
  }
  sqlite3_clear_bindings(statement);
  kept->second = statement;
}

void SqliteDatabase::Execute(const std::string& sql) {
  errno = 0;
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) Fail(code);
}

bool SqliteDatabase::TryExecute(const std::string& sql) {
  return sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

std::optional<int64_t> SqliteDatabase::QueryInteger(const std::string& sql) {
  SqliteStatement statement(*this, sql);
  if (!statement.Step()) return std::nullopt;
  return statement.Integer(0);
}

std::optional<std::string> SqliteDatabase::QueryText(const std::string& sql) {
  SqliteStatement statement(*this, sql);
  if (!statement.Step()) return std::nullopt;
  return statement.Text(0);
}

int64_t SqliteDatabase::last_insert_id() const { return sqlite3_last_insert_rowid(handle_); }

void SqliteDatabase::CopyTo(SqliteDatabase& to) {
  sqlite3_backup* backup = sqlite3_backup_init(to.handle_, "main", handle_, "main");
  if (backup == nullptr) to.Fail(sqlite3_errcode(to.handle_));
  sqlite3_backup_step(backup, -1);
  const int code = sqlite3_backup_finish(backup);
  if (code != SQLITE_OK) throw SqliteError(sqlite3_errstr(code), FaultOf(code, 0));
}

SqliteStatement::SqliteStatement(SqliteDatabase& database, std::string_view sql)
    : database_(database), handle_(database.Take(sql)) {}

SqliteStatement::~SqliteStatement() { database_.GiveBack(handle_); }

void SqliteStatement::Check(int code) const {
  if (code != SQLITE_OK) database_.Fail(code);
}

SqliteStatement& SqliteStatement::Reset() {
  sqlite3_reset(handle_);
  bound_ = 0;
  return *this;
}

SqliteStatement& SqliteStatement::Bind(int64_t value) {
  Check(sqlite3_bind_int64(handle_, ++bound_, value));
  return *this;
}

SqliteStatement& SqliteStatement::Bind(double value) {
  Check(sqlite3_bind_double(handle_, ++bound_, value));
  return *this;
}

SqliteStatement& SqliteStatement::Bind(std::string_view text) {
  Check(sqlite3_bind_text64(handle_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8));
  return *this;
}

SqliteStatement& SqliteStatement::BindBlob(std::string_view bytes) {
  // A null pointer would bind NULL rather than nothing.
  const char* data = bytes.empty() ? "" : bytes.data();
  Check(sqlite3_bind_blob64(handle_, ++bound_, data, bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

SqliteStatement& SqliteStatement::BindNull() {
  Check(sqlite3_bind_null(handle_, ++bound_));
  return *this;
}

bool SqliteStatement::Step() {
  errno = 0;
  const int code = sqlite3_step(handle_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.Fail(code);
  return code == SQLITE_ROW;
}

bool SqliteStatement::IsNull(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

int64_t SqliteStatement::Integer(int column) const { return sqlite3_column_int64(handle_, column); }

double SqliteStatement::Number(int column) const { return sqlite3_column_double(handle_, column); }

std::string SqliteStatement::Text(int column) const {
  const void* bytes = sqlite3_column_blob(handle_, column);
  const int size = sqlite3_column_bytes(handle_, column);
  return bytes == nullptr ? "" : std::string(static_cast<const char*>(bytes), size);
}

SqliteTransaction::SqliteTransaction(SqliteDatabase& database) : database_(database) {
  database_.Execute("BEGIN IMMEDIATE");
}

// A rollback fails only where SQLite has rolled back already.
SqliteTransaction::~SqliteTransaction() {
  if (open_) database_.TryExecute("ROLLBACK");
}

void SqliteTransaction::Commit() {
  database_.Execute("COMMIT");
  open_ = false;
}

std::string SqliteVersion() { return sqlite3_libversion(); }

int SqliteVersionNumber() { return sqlite3_libversion_number(); }

bool HasWalResetBug(int version_number) {
  constexpr int kFirst = 3'007'000;
  constexpr int kFixed = 3'051'003;
  if (version_number < kFirst || version_number >= kFixed) return false;
  const int series = version_number / 1000;
  const int patch = version_number % 1000;
  return !(series == 3'044 && patch >= 6) && !(series == 3'050 && patch >= 7);
}

std::optional<std::string> NetworkFileSystemOf(int64_t type, std::string_view mounts,
                                               std::string_view device) {
  for (const NumberedSystem& system : kNetworkSystems) {
    if (system.type == (type & 0xffffffff)) return system.name;
  }
  if (type != kUserSpace) return std::nullopt;
  const std::string wanted = " " + std::string(device) + " ";
  for (const std::string& line : SplitLines(mounts)) {
    if (line.find(wanted) == std::string::npos) continue;
    for (const char* name : kNetworkUserSystems) {
      if (TypeOfMount(line) == name) return name;
    }
  }
  return std::nullopt;
}

std::optional<std::string> NetworkFileSystem(const std::string& path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  struct statfs system {};
  struct stat status {};
  if (statfs(folder.c_str(), &system) != 0 || stat(folder.c_str(), &status) != 0) {
    return std::nullopt;
  }
  const std::string device =
      std::to_string(major(status.st_dev)) + ":" + std::to_string(minor(status.st_dev));
  return NetworkFileSystemOf(system.f_type, ReadMounts(), device);
}

}  // namespace schedulegym
