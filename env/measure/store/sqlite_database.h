// SqliteDatabase: one connection to an SQLite file, and its statements.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/hash.h"
#include "env/measure/store/store_inode.h"

struct sqlite3;

struct sqlite3_stmt;

namespace schedulegym {

enum class SqliteFault : uint8_t {
  kForeign,  // the file is not a database
  kDamage,   // the file is broken
  kPlace,    // the disk is full, or the place may not be written
  kMachine,
};

// An error that SQLite reports; the store converts it into InputError or MachineError.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(const std::string& message, SqliteFault fault)
      : std::runtime_error(message), fault(fault) {}
  SqliteFault fault;
};

class SqliteDatabase {
 public:
  // ":memory:" is a database without a file. `vfs` is the name of SQLite's VFS, "" its default.
  SqliteDatabase(const std::string& path, bool writable, const std::string& vfs = "");
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  void Execute(const std::string& sql);
  // Returns whether it succeeded; for statements that may fail without harm.
  bool TryExecute(const std::string& sql);
  // Returns the first column of the first row; nullopt without a row.
  std::optional<int64_t> QueryInteger(const std::string& sql);
  std::optional<std::string> QueryText(const std::string& sql);
  int64_t last_insert_id() const;
  // Overwrites the database `to` with a consistent copy of this one.
  void CopyTo(SqliteDatabase& to);

 private:
  friend class SqliteStatement;
  [[noreturn]] void Fail(int code) const;
  // Returns a cached statement for this text, else a new one.
  sqlite3_stmt* Take(std::string_view sql);
  void GiveBack(sqlite3_stmt* statement);

  StoreInode inode_;  // released last
  sqlite3* handle_ = nullptr;
  // Cached statements by their text, so that SQLite parses a statement once, not for each record.
  // Null while in use.
  std::map<std::string, sqlite3_stmt*, std::less<>> kept_;
};

// A prepared statement; its database caches it for the next one with the same text. Parameters are
// bound in order of the calls. Columns count from 0.
class SqliteStatement {
 public:
  SqliteStatement(SqliteDatabase& database, std::string_view sql);
  ~SqliteStatement();
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  // Resets the statement, so that it can be bound and run again.
  SqliteStatement& Reset();
  SqliteStatement& Bind(int64_t value);
  SqliteStatement& Bind(double value);
  SqliteStatement& Bind(std::string_view text);
  SqliteStatement& BindBlob(std::string_view bytes);
  SqliteStatement& BindNull();
  // Returns whether there is a row to read.
  bool Step();

  bool IsNull(int column) const;
  int64_t Integer(int column) const;
  double Number(int column) const;
  std::string Text(int column) const;  // of texts and blobs

 private:
  void Check(int code) const;

  SqliteDatabase& database_;
  sqlite3_stmt* handle_ = nullptr;
  int bound_ = 0;
};

// A transaction that its destructor rolls back unless Commit was called.
class SqliteTransaction {
 public:
  explicit SqliteTransaction(SqliteDatabase& database);
  ~SqliteTransaction();
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;
  void Commit();

 private:
  SqliteDatabase& database_;
  bool open_ = true;
};

// Reads the columns of a row, one after the other.
class RowReader {
 public:
  explicit RowReader(const SqliteStatement& row) : row_(row) {}

  bool IsNull() const { return row_.IsNull(column_); }  // the next one
  void Skip(int count) { column_ += count; }
  int64_t Integer() { return row_.Integer(column_++); }
  double Number() { return row_.Number(column_++); }
  std::string Text() { return row_.Text(column_++); }
  bool Flag() { return Integer() != 0; }

  // Throws SqliteError if the column is not a key.
  Key KeyValue() {
    const std::string text = Text();
    const std::optional<Key> key = ParseKey(text);
    if (key) return *key;
    throw SqliteError("found key '" + text + "', expected 32 hex digits", SqliteFault::kDamage);
  }

  // Returns a blob as an array.
  template <typename T>
  std::vector<T> Array() {
    const std::string bytes = Text();
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  const SqliteStatement& row_;
  int column_ = 0;
};

template <typename T>
std::string_view BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// Version of the SQLite library in use, such as "3.40.1".
std::string SqliteVersion();
// The same as SQLite's number: 3040001.
int SqliteVersionNumber();

// Whether a version may lose rows when two connections write or checkpoint one database in WAL mode
// at the same instant: 3.7.0 to 3.51.2, except the repaired 3.44.6 and 3.50.7 and their successors.
// The bug does not arise with one writer.
bool HasWalResetBug(int version_number);

// Returns the name of the file's network file system, such as "nfs", on whose locks and shared
// memory SQLite cannot rely; nullopt if the file's folder is local or its file system is unknown.
std::optional<std::string> NetworkFileSystem(const std::string& path);

// The same from the system's values: the type of statfs(2), and, for file systems in user space,
// the mount table (/proc/self/mountinfo) and the device as "major:minor".
std::optional<std::string> NetworkFileSystemOf(int64_t type, std::string_view mounts,
                                               std::string_view device);

}  // namespace schedulegym
