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
  kForeign,  // the file is no database
  kDamage,   // the file is broken
  kPlace,    // the disk is full, or the place may not be written
  kMachine,
};

// What SQLite reports; the store turns it into faults.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(const std::string& message, SqliteFault fault)
      : std::runtime_error(message), fault(fault) {}
  SqliteFault fault;
};

class SqliteDatabase {
 public:
  // ":memory:" is a database without a file. `vfs` names what SQLite reaches files by, "" its own.
  SqliteDatabase(const std::string& path, bool writable, const std::string& vfs = "");
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  void Execute(const std::string& sql);
  // For what may fail without harm: whether it succeeded.
  bool TryExecute(const std::string& sql);
  // The first column of the first row; none without a row.
  std::optional<int64_t> QueryInteger(const std::string& sql);
  std::optional<std::string> QueryText(const std::string& sql);
  int64_t last_insert_id() const;
  // Copies the whole database over that of `to`, as of one moment.
  void CopyTo(SqliteDatabase& to);

 private:
  friend class SqliteStatement;
  [[noreturn]] void Fail(int code) const;
  // One that is kept for this text, else a new one.
  sqlite3_stmt* Take(std::string_view sql);
  void GiveBack(sqlite3_stmt* statement);

  StoreInode inode_;  // let go last
  sqlite3* handle_ = nullptr;
  // By their text, statements that nobody uses: what is run for each record is read once. Null
  // while in use.
  std::map<std::string, sqlite3_stmt*, std::less<>> kept_;
};

// A prepared statement, kept by its database for the next of the same text. Parameters are bound in
// order of the calls, columns counted from 0.
class SqliteStatement {
 public:
  SqliteStatement(SqliteDatabase& database, std::string_view sql);
  ~SqliteStatement();
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  // Ready to be bound and run again.
  SqliteStatement& Reset();
  SqliteStatement& Bind(int64_t value);
  SqliteStatement& Bind(double value);
  SqliteStatement& Bind(std::string_view text);
  SqliteStatement& BindBlob(std::string_view bytes);
  SqliteStatement& BindNull();
  // Whether there is a row to read.
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

// All or nothing: rolls back unless Commit was reached.
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

// The columns of a row, one after the other.
class RowReader {
 public:
  explicit RowReader(const SqliteStatement& row) : row_(row) {}

  bool IsNull() const { return row_.IsNull(column_); }  // the next one
  void Skip(int count) { column_ += count; }
  int64_t Integer() { return row_.Integer(column_++); }
  double Number() { return row_.Number(column_++); }
  std::string Text() { return row_.Text(column_++); }
  bool Flag() { return Integer() != 0; }

  // Throws SqliteError for what is no key.
  Key KeyValue() {
    const std::string text = Text();
    const std::optional<Key> key = ParseKey(text);
    if (key) return *key;
    throw SqliteError("found key '" + text + "', expected 32 hex digits", SqliteFault::kDamage);
  }

  // A blob that is an array.
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

// Of the library that this program runs with, such as "3.40.1".
std::string SqliteVersion();
// The same as SQLite counts: 3040001.
int SqliteVersionNumber();

// Whether a version may lose rows when two connections write or checkpoint one database in WAL mode
// at the same instant: 3.7.0 to 3.51.2, but for the repaired 3.44.6 and 3.50.7 and their followers.
// With one writer it does not arise.
bool HasWalResetBug(int version_number);

// The name of a network file system, such as "nfs", whose locks and shared memory SQLite cannot
// trust; none where the file's folder is local or nothing is known about it.
std::optional<std::string> NetworkFileSystem(const std::string& path);

// The same from the numbers that the system gives: the type of statfs(2), and, for what runs in
// user space, the mount table (/proc/self/mountinfo) and the device as "major:minor".
std::optional<std::string> NetworkFileSystemOf(int64_t type, std::string_view mounts,
                                               std::string_view device);

}  // namespace schedulegym
