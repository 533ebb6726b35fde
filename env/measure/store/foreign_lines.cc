// The lines of Ansor and of AutoTVM, as TVM writes them.
#include <cmath>

#include "env/base/hash.h"
#include "env/base/json.h"
#include "env/base/utf8.h"
#include "env/measure/store/json_fields_internal.h"
#include "env/measure/store/json_lines.h"

namespace schedulegym {
namespace {

// Bytes of a value that a message shows.
constexpr size_t kShownBytes = 80;

std::string Written(const Json& value) { return value.ToText({.sort_keys = true}); }

// For a message: lines may have megabytes.
std::string Begun(const Json& value) {
  const std::string text = Written(value);
  const std::string_view begin = BeginOf(text, kShownBytes);
  return begin.size() == text.size() ? text : std::string(begin) + "...";
}

std::string TextOf(const Json& value) { return value.is_string() ? value.Text() : Written(value); }

std::string TextOr(const Json& object, const char* name, const char* otherwise) {
  const Json* value = object.Find(name);
  return value != nullptr ? TextOf(*value) : otherwise;
}

const Json& ListOf(const Json& object, const char* name, size_t least) {
  const Json& list = object[name];
  if (list.is_array() && list.size() >= least) return list;
  throw FieldError(std::string("field '") + name + "': expected a list of at least " +
                   std::to_string(least));
}

double NumberOf(const Json& value) {
  if (!value.is_number()) throw FieldError("found " + Begun(value) + ", expected a number");
  return value.As<double>();
}

// Reads [costs, error, seconds taken, time]. A failure has no costs: the large number in their
// place is ignored.
void ReadResult(const Json& result, ForeignRecord& record) {
  if (!result[1].is_integer() || !result[0].is_array()) {
    throw FieldError("found result " + Begun(result) + ", expected [[costs], error, ...]");
  }
  record.error = result[1].As<int64_t>();
  record.elapsed = NumberOf(result[2]);
  record.timestamp = NumberOf(result[3]);
  if (record.error != 0) return;
  for (const Json& value : result[0].elements()) {
    const double cost = NumberOf(value);
    if (!(std::isfinite(cost) && cost > 0)) {
      throw FieldError("found cost " + Begun(value) + ", expected a positive number");
    }
    record.costs.push_back(cost);
  }
  if (record.costs.empty()) throw FieldError("a success without a cost");
}

// {"i": [[workload key, target, ...], [[], steps]], "r": result, "v": "v0.6"}.
ForeignRecord ParseAnsor(const Json& object) {
  ForeignRecord record;
  record.kind = "ansor";
  const Json& input = ListOf(object, "i", 2);
  if (!input[0].is_array() || input[0].size() < 2 || !input[1].is_array()) {
    throw FieldError("field 'i': expected [[workload, target, ...], [stages, steps]]");
  }
  record.workload = TextOf(input[0][0]);
  record.target = TextOf(input[0][1]);
  record.configuration = Written(input[1]);
  ReadResult(ListOf(object, "r", 4), record);
  record.version = TextOr(object, "v", "");
  return record;
}

// {"input": [target, task, arguments, ...], "config": {...}, "result": result, "version": 0.2}.
ForeignRecord ParseAutoTvm(const Json& object) {
  ForeignRecord record;
  record.kind = "autotvm";
  const Json& input = ListOf(object, "input", 3);
  record.target = TextOf(input[0]);
  record.workload = Written(Json::Array(input[1], input[2]));
  record.configuration = Written(object["config"]);
  ReadResult(ListOf(object, "result", 4), record);
  record.version =
      TextOr(object, "version", "") + ", tvm " + TextOr(object, "tvm_version", "unknown");
  return record;
}

bool HasAll(const Json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!object.Has(name)) return false;
  }
  return true;
}

}  // namespace

std::string ForeignTargetName(const ForeignRecord& record) {
  const Result<Json> json = ParseJson(record.target);
  if (json && json->is_object()) return TextOr(*json, "kind", "unknown");
  const std::string name = record.target.substr(0, record.target.find(' '));
  return name.empty() ? "unknown" : name;
}

std::optional<ForeignRecord> ParseForeign(const Json& object) {
  std::optional<ForeignRecord> record;
  if (HasAll(object, {"i", "r"})) record = ParseAnsor(object);
  if (HasAll(object, {"input", "config", "result"})) record = ParseAutoTvm(object);
  if (!record) return std::nullopt;
  Hasher hasher;
  hasher.Add(Written(object));
  record->id = hasher.KeyValue().ToText();
  return record;
}

}  // namespace schedulegym
