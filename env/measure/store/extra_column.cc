#include "env/measure/store/extra_column.h"

#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/measure/store/json_fields_internal.h"

namespace schedulegym {
namespace {

constexpr const char* kNote = "note";

// Null of what is no JSON.
Json ObjectOf(const std::string& text) {
  if (text.empty()) return Json::Object();
  if (BeyondLimits(text)) return Json();
  Result<Json> object = ParseJson(text);
  return object ? *std::move(object) : Json();
}

}  // namespace

// Beside what is no object no note has room.
std::string ToExtraColumn(const Record& record) {
  if (record.note.empty()) return record.extra;
  Json object = ObjectOf(record.extra);
  if (!object.is_object()) return record.extra;
  object.Set(kNote, FromText(record.note));
  return object.ToText({.sort_keys = true});
}

void FromExtraColumn(const std::string& column, Record& record) {
  record.extra = column;
  record.note.clear();
  if (column.find("\"note\"") == column.npos) return;  // most have none
  Json object = ObjectOf(column);
  if (!object.Has(kNote)) return;
  try {
    record.note = Fields(object).Text(kNote);
  } catch (const FieldError&) {
    return;
  }
  object.Erase(kNote);
  record.extra = object.empty() ? "" : object.ToText({.sort_keys = true});
}

}  // namespace schedulegym
