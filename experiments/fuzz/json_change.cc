#include "experiments/fuzz/json_change.h"

#include <nlohmann/json.hpp>

#include "experiments/fuzz/text_change.h"

namespace schedulegym {
namespace {

using Json = nlohmann::ordered_json;

// A value on the way down from the top; deep ones are the most there are.
Json& AnyValue(Json& top, Rng& rng) {
  Json* at = &top;
  while (at->is_structured() && !at->empty() && !rng.Chance(0.08)) {
    auto next = at->begin();
    std::advance(next, rng.Below(static_cast<int64_t>(at->size())));
    at = &*next;
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
    case 5: return Json::array();
    case 6: return Json::object();
    default: break;
  }
  const Json number = Json::parse(SomeNumber(rng), nullptr, false);
  return number.is_discarded() ? Json(0) : number;
}

Json SameKind(const Json& value, Rng& rng) {
  if (value.is_number_float()) return rng.Chance(0.8) ? Json(rng.Uniform() * 10) : SomeScalar(rng);
  if (value.is_number()) return rng.Chance(0.5) ? Json(rng.Below(9) - 1) : SomeScalar(rng);
  if (value.is_boolean()) return !value.get<bool>();
  if (!value.is_string()) return SomeScalar(rng);
  std::string text = value.get<std::string>();
  if (rng.Chance(0.5)) return ChangedText({text.empty() ? std::string("x") : text}, rng);
  return SomeNumber(rng);
}

// Left out, doubled, or repeated.
void ChangeList(Json& list, Rng& rng) {
  if (list.empty()) {
    list.push_back(SomeScalar(rng));
    return;
  }
  const auto at = static_cast<size_t>(rng.Below(static_cast<int64_t>(list.size())));
  if (rng.Chance(0.4)) {
    list.erase(at);
    return;
  }
  const Json copy = list[at];
  const int64_t times = rng.Chance(0.03) ? int64_t{1} << rng.Below(14) : 1;
  for (int64_t i = 0; i < times; ++i) list.push_back(copy);
}

void ChangeObject(Json& object, Rng& rng) {
  if (object.empty()) {
    object["x"] = SomeScalar(rng);
    return;
  }
  auto at = object.begin();
  std::advance(at, rng.Below(static_cast<int64_t>(object.size())));
  const std::string name = at.key();
  if (rng.Chance(0.4)) {
    object.erase(name);
  } else if (rng.Chance(0.3)) {
    object[name + "x"] = object[name];
  } else {
    object[name] = SomeScalar(rng);
  }
}

// As a text, for nothing here may hold so deep a value.
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
  Json top = Json::parse(json, nullptr, false);
  if (top.is_discarded()) return json;
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
  return top.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace schedulegym
