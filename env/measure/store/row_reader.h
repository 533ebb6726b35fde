// RowReader: the columns of a row, one after the other.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "env/base/hash.h"
#include "env/measure/store/sqlite_database.h"

namespace schedulegym {

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

}  // namespace schedulegym
