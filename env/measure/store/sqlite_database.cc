#include "env/measure/store/sqlite_database.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace schedulegym {
namespace {

constexpr int kBusyMilliseconds = 10'000;
// Of one value or row, as of the longest line that is imported.
constexpr int kMostBytes = 4 << 20;

SqliteFault FaultOf(int code, int system_error) {
  switch (code & 0xff) {
    case SQLITE_NOTADB: return SqliteFault::kForeign;
    // Of the fixed texts that are run: the file's tables are others than a store has.
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
  // A limit on the size of files shows only there.
  const bool full = system_error == EFBIG || system_error == ENOSPC || system_error == EDQUOT;
  return (code & 0xff) == SQLITE_IOERR && full ? SqliteFault::kPlace : SqliteFault::kMachine;
}

// "disk I/O error: File too large". SQLite gives no system error for a failed commit; what errno
// says then is that call's, for each begins with none.
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
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
  // A stranger may have made the file: nothing that its tables say is run, and nothing is mapped.
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

// One that failed is not used again, nor a second of a text.
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

}  // namespace schedulegym
