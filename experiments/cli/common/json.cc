#include "experiments/cli/common/json.h"

#include "env/base/json.h"

namespace schedulegym {
namespace {

Json Convert(const JsonObject& object);

Json Convert(const JsonValue& value) {
  return std::visit(
      [](const auto& held) -> Json {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, JsonObject>) {
          return Convert(held);
        } else if constexpr (std::is_same_v<T, std::vector<JsonValue>>) {
          Json array = Json::Array();
          for (const JsonValue& element : held) array.Add(Convert(element));
          return array;
        } else {
          return held;
        }
      },
      value.value());
}

Json Convert(const JsonObject& object) {
  Json converted = Json::Object();
  for (const JsonField& field : object) converted.Set(field.name, Convert(field.value));
  return converted;
}

}  // namespace

JsonValue::JsonValue() : value_(nullptr) {}
JsonValue::JsonValue(bool value) : value_(value) {}
JsonValue::JsonValue(int value) : value_(static_cast<int64_t>(value)) {}
JsonValue::JsonValue(int64_t value) : value_(value) {}
JsonValue::JsonValue(uint64_t value) : value_(static_cast<int64_t>(value)) {}
JsonValue::JsonValue(double value) : value_(value) {}
JsonValue::JsonValue(const char* value) : value_(std::string(value)) {}
JsonValue::JsonValue(std::string value) : value_(std::move(value)) {}
JsonValue::JsonValue(JsonObject value) : value_(std::move(value)) {}
JsonValue::JsonValue(std::vector<JsonValue> value) : value_(std::move(value)) {}

JsonValue::JsonValue(const JsonValue&) = default;
JsonValue::JsonValue(JsonValue&&) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue&) = default;
JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;
JsonValue::~JsonValue() = default;

std::string ToJson(const JsonObject& object) {
  return Convert(object).ToText({.replace_invalid = true});
}

}  // namespace schedulegym
