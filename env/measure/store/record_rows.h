// RecordRows: records to and from the tables of an SQLite store.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "env/measure/record.h"
#include "env/measure/store/sqlite_database.h"

namespace schedulegym {

// In SQL, of a measurement of this name: 0 if the first control measurement from it on is a bad
// one, else 1.
std::string NotSuspect(const std::string& name);
// In SQL, whether a measurement of this name is one (WasMeasured).
std::string Measured(const std::string& name);
// In SQL, whether no later measurement of m's candidate says something about it.
std::string IsLatest();
// In SQL, whether m is of the toolchain with which a success of the task whose key is parameter ?1
// was measured last.
std::string IsOfLatestToolchain();

class RecordRows {
 public:
  explicit RecordRows(SqliteDatabase& database) : database_(database) {}

  // Within the caller's transaction; false for a record whose id is there.
  bool Insert(const Record& record);

  // `rest` follows the FROM clause, in which the measurement is called m; `parameter` takes the
  // place of its question mark.
  void Select(const std::string& rest, const std::optional<std::string>& parameter,
              const std::function<void(const Record&)>& visit);
  // All, until `visit` answers false; of a row that cannot be read `bad` is told why.
  void SelectEach(const std::function<bool(const Record&)>& visit,
                  const std::function<void(const std::string&)>& bad);
  // Of what Select finds the rows that `records check` finds whole, until `visit` answers false; of
  // the others `bad` is told why.
  void SelectWhole(const std::string& rest, const std::optional<std::string>& parameter,
                   const std::function<bool(const Record&)>& visit,
                   const std::function<void(const std::string&)>& bad);

 private:
  void InsertMeasurement(const Record& record);
  Record Read(const SqliteStatement& row);

  SqliteDatabase& database_;
  // Read so far, by row.
  std::map<int64_t, std::shared_ptr<const TaskInfo>> tasks_;
  std::map<int64_t, std::shared_ptr<const MeasuringSession>> sessions_;
};

// A JSON object of `extra` and, as fields `note` and `resources`, the note and the kernels'
// resources; "" of none of them. Programs of before there were such fields do not know them, and
// keep them.
std::string ToExtraColumn(const Record& record);

// Sets extra, note and resources. Takes any text.
void FromExtraColumn(const std::string& column, Record& record);

}  // namespace schedulegym
