#include "env/measure/sqlite_database.h"

#include <sqlite3.h>

namespace schedulegym {
namespace {

constexpr int kBusyMilliseconds = 10'000;

bool MeansDamage(int code) {
  const int primary = code & 0xff;
  return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || primary == SQLITE_SCHEMA;
}

}  // namespace

SqliteDatabase::SqliteDatabase(const std::string& path, bool writable) {
  const int flags = writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  const int code = sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr);
  if (code != SQLITE_OK) {
    const SqliteError error(handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code),
                            MeansDamage(code));
    sqlite3_close(handle_);
    throw error;
  }
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
}

SqliteDatabase::~SqliteDatabase() { sqlite3_close_v2(handle_); }

void SqliteDatabase::Fail(int code) const {
  throw SqliteError(sqlite3_errmsg(handle_), MeansDamage(code));
}

void SqliteDatabase::Execute(const std::string& sql) {
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

SqliteStatement::SqliteStatement(SqliteDatabase& database, std::string_view sql)
    : database_(database) {
  Check(sqlite3_prepare_v2(database.handle_, sql.data(), static_cast<int>(sql.size()), &handle_,
                           nullptr));
}

SqliteStatement::~SqliteStatement() { sqlite3_finalize(handle_); }

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
