// The lines of Ansor and of AutoTVM, as TVM writes them.
#include <nlohmann/json.hpp>

#include <cmath>

#include "env/base/hash.h"
#include "env/measure/json_fields_internal.h"

namespace schedulegym {
namespace {

using Json = nlohmann::json;

std::string TextOf(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

const Json& ListOf(const Json& object, const char* name, size_t least) {
  const Json& list = object[name];
  if (list.is_array() && list.size() >= least) return list;
  throw FieldError(std::string("field '") + name + "': expected a list of at least " +
                   std::to_string(least));
}

double NumberOf(const Json& value) {
  if (!value.is_number()) throw FieldError("found " + value.dump() + ", expected a number");
  return value.get<double>();
}

// [costs, error, seconds that it took, time]. A failure has no costs, whatever large number
// stands for them.
void ReadResult(const Json& result, ForeignRecord& record) {
  if (!result[1].is_number_integer() || !result[0].is_array()) {
    throw FieldError("found result " + result.dump() + ", expected [[costs], error, ...]");
  }
  record.error = result[1].get<int64_t>();
  record.elapsed = NumberOf(result[2]);
  record.timestamp = NumberOf(result[3]);
  if (record.error != 0) return;
  for (const Json& value : result[0]) {
    const double cost = NumberOf(value);
    if (!(std::isfinite(cost) && cost > 0)) {
      throw FieldError("found cost " + value.dump() + ", expected a positive number");
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
  record.configuration = input[1].dump();
  ReadResult(ListOf(object, "r", 4), record);
  record.version = TextOf(object.value("v", Json("")));
  return record;
}

// {"input": [target, task, arguments, ...], "config": {...}, "result": result, "version": 0.2}.
ForeignRecord ParseAutoTvm(const Json& object) {
  ForeignRecord record;
  record.kind = "autotvm";
  const Json& input = ListOf(object, "input", 3);
  record.target = TextOf(input[0]);
  record.workload = Json::array({input[1], input[2]}).dump();
  record.configuration = object["config"].dump();
  ReadResult(ListOf(object, "result", 4), record);
  record.version = TextOf(object.value("version", Json(""))) + ", tvm " +
                   TextOf(object.value("tvm_version", Json("unknown")));
  return record;
}

bool HasAll(const Json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!object.contains(name)) return false;
  }
  return true;
}

}  // namespace

std::optional<ForeignRecord> ParseForeign(const Json& object) {
  std::optional<ForeignRecord> record;
  if (HasAll(object, {"i", "r"})) record = ParseAnsor(object);
  if (HasAll(object, {"input", "config", "result"})) record = ParseAutoTvm(object);
  if (!record) return std::nullopt;
  Hasher hasher;
  hasher.Add(object.dump());
  record->id = hasher.KeyValue().ToText();
  return record;
}

}  // namespace schedulegym
