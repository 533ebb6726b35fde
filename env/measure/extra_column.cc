#include "env/measure/extra_column.h"

#include <nlohmann/json.hpp>

#include "env/base/json_limits.h"
#include "env/measure/json_fields_internal.h"

namespace schedulegym {
namespace {

using Json = nlohmann::json;

constexpr const char* kNote = "note";

Json ObjectOf(const std::string& text) {
  if (text.empty()) return Json::object();
  return BeyondLimits(text) ? Json() : Json::parse(text, nullptr, false);
}

}  // namespace

// Beside what is no object no note has room.
std::string ToExtraColumn(const Record& record) {
  if (record.note.empty()) return record.extra;
  Json object = ObjectOf(record.extra);
  if (!object.is_object()) return record.extra;
  object[kNote] = FromText(record.note);
  return object.dump();
}

void FromExtraColumn(const std::string& column, Record& record) {
  record.extra = column;
  record.note.clear();
  if (column.find("\"note\"") == column.npos) return;  // most have none
  Json object = ObjectOf(column);
  if (!object.is_object() || !object.contains(kNote)) return;
  try {
    record.note = Fields(object).Text(kNote);
  } catch (const FieldError&) {
    return;
  }
  object.erase(kNote);
  record.extra = object.empty() ? "" : object.dump();
}

}  // namespace schedulegym
