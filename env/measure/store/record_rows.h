// RecordRows: reads and writes records in the tables of an SQLite store.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "env/measure/record.h"
#include "env/measure/store/sqlite_database.h"

namespace schedulegym {

// SQL for the measurement `name`: 0 if the next control measurement of its session is bad, else
// 1.
std::string NotSuspect(const std::string& name);
// SQL for whether the row `name` was measured (WasMeasured).
std::string Measured(const std::string& name);
// SQL for whether no later measurement of m's candidate is about it (MayLearnFrom) and not suspect.
std::string IsLatest();
// SQL for whether m has the toolchain of the latest measured success of the task whose key is
// parameter ?1.
std::string IsOfLatestToolchain();

class RecordRows {
 public:
  explicit RecordRows(SqliteDatabase& database) : database_(database) {}

  // Inserts within the caller's transaction. Returns false if the record's id exists already.
  bool Insert(const Record& record);

  // `rest` follows the FROM clause, in which the measurement is called m; `parameter` takes the
  // place of its question mark.
  void Select(const std::string& rest, const std::optional<std::string>& parameter,
              const std::function<void(const Record&)>& visit);
  // Visits all, until `visit` returns false. `bad` receives the reason for each unreadable row.
  void SelectEach(const std::function<bool(const Record&)>& visit,
                  const std::function<void(const std::string&)>& bad);
  // Visits the rows of Select that pass `records check`, until `visit` returns false. `bad`
  // receives the reason for each other row.
  void SelectWhole(const std::string& rest, const std::optional<std::string>& parameter,
                   const std::function<bool(const Record&)>& visit,
                   const std::function<void(const std::string&)>& bad);

 private:
  void InsertMeasurement(const Record& record);
  Record Read(const SqliteStatement& row);

  SqliteDatabase& database_;
  // Cached by row.
  std::map<int64_t, std::shared_ptr<const TaskInfo>> tasks_;
  std::map<int64_t, std::shared_ptr<const MeasuringSession>> sessions_;
};

// Returns a JSON object of `extra`, the note (field `note`) and the kernels' resources (field
// `resources`); "" if all are empty. Older programs, which do not read these two fields, preserve
// them.
std::string ToExtraColumn(const Record& record);

// Sets extra, note and resources. Accepts any text.
void FromExtraColumn(const std::string& column, Record& record);

}  // namespace schedulegym
