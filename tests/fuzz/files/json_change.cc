#include "tests/fuzz/files/json_change.h"

#include "env/base/json.h"
#include "tests/fuzz/files/text_change.h"

namespace schedulegym {
namespace {

// A random value, found from the top down; most values are deep.
Json& AnyValue(Json& top, Rng& rng) {
  Json* at = &top;
  while ((at->is_array() || at->is_object()) && !at->empty() && !rng.Chance(0.08)) {
    const int64_t next = rng.Below(static_cast<int64_t>(at->size()));
    at = at->is_array() ? &at->elements()[next] : &at->members()[next].value;
  }
  return *at;
}

Json SomeScalar(Rng& rng) {
  switch (rng.Below(8)) {
    case 0: return nullptr;
    case 1: return rng.Chance(0.5);
    case 2: return SomeNumber(rng);
    case 3: return rng.Uniform() * 100;
    case 4: return -1 - rng.Below(4);
    case 5: return Json::Array();
    case 6: return Json::Object();
    default: break;
  }
  const Result<Json> number = ParseJson(SomeNumber(rng));
  return number ? *number : Json(0);
}

Json SameKind(const Json& value, Rng& rng) {
  if (value.is_double()) return rng.Chance(0.8) ? Json(rng.Uniform() * 10) : SomeScalar(rng);
  if (value.is_number()) return rng.Chance(0.5) ? Json(rng.Below(9) - 1) : SomeScalar(rng);
  if (value.is_bool()) return !value.As<bool>();
  if (!value.is_string()) return SomeScalar(rng);
  const std::string& text = value.Text();
  if (rng.Chance(0.5)) return ChangedText({text.empty() ? std::string("x") : text}, rng);
  return SomeNumber(rng);
}

// Removes, doubles or repeats entries.
void ChangeList(Json& list, Rng& rng) {
  if (list.empty()) {
    list.Add(SomeScalar(rng));
    return;
  }
  const auto at = static_cast<size_t>(rng.Below(static_cast<int64_t>(list.size())));
  if (rng.Chance(0.4)) {
    list.elements().erase(list.elements().begin() + static_cast<std::ptrdiff_t>(at));
    return;
  }
  const Json copy = list[at];
  const int64_t times = rng.Chance(0.03) ? int64_t{1} << rng.Below(14) : 1;
  for (int64_t i = 0; i < times; ++i) list.Add(copy);
}

void ChangeObject(Json& object, Rng& rng) {
  if (object.empty()) {
    object.Set("x", SomeScalar(rng));
    return;
  }
  const std::string name = object.members()[rng.Below(static_cast<int64_t>(object.size()))].name;
  if (rng.Chance(0.4)) {
    object.Erase(name);
  } else if (rng.Chance(0.3)) {
    object.Set(name + "x", object[name]);
  } else {
    object.Set(name, SomeScalar(rng));
  }
}

// As text, because nothing here can hold such a deep value.
std::string Nested(const std::string& json, Rng& rng) {
  const size_t at = json.find_first_of(
      "0123456789", static_cast<size_t>(rng.Below(static_cast<int64_t>(json.size()))));
  if (at == json.npos) return json;
  const auto depth = static_cast<size_t>(int64_t{1} << rng.Below(18));
  return json.substr(0, at) + std::string(depth, '[') + json[at] + std::string(depth, ']') +
         json.substr(at + 1);
}

}  // namespace

std::string ChangedJson(const std::string& json, Rng& rng) {
  if (rng.Chance(0.02)) return Nested(json, rng);
  if (rng.Chance(0.1)) {
    std::string text = json;
    ChangeBytes(text, rng);
    return text;
  }
  Result<Json> parsed = ParseJson(json);
  if (!parsed) return json;
  Json& top = *parsed;
  const int64_t changes = rng.Chance(0.7) ? 1 : 1 + rng.Below(5);
  for (int64_t i = 0; i < changes; ++i) {
    Json& value = AnyValue(top, rng);
    if (value.is_array()) {
      ChangeList(value, rng);
    } else if (value.is_object()) {
      ChangeObject(value, rng);
    } else {
      value = SameKind(value, rng);
    }
  }
  return top.ToText({.replace_invalid = true});
}

}  // namespace schedulegym
