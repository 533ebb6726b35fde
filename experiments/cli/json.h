// JsonValue: what stands in an event's field; objects keep the order of their fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace schedulegym {

struct JsonField;
using JsonObject = std::vector<JsonField>;

class JsonValue {
 public:
  using Variant = std::variant<std::nullptr_t, bool, int64_t, double, std::string, JsonObject,
                               std::vector<JsonValue>>;

  JsonValue() : value_(nullptr) {}
  JsonValue(bool value) : value_(value) {}
  JsonValue(int value) : value_(static_cast<int64_t>(value)) {}
  JsonValue(int64_t value) : value_(value) {}
  JsonValue(uint64_t value) : value_(static_cast<int64_t>(value)) {}
  JsonValue(double value) : value_(value) {}
  JsonValue(const char* value) : value_(std::string(value)) {}
  JsonValue(std::string value) : value_(std::move(value)) {}
  JsonValue(JsonObject value) : value_(std::move(value)) {}
  JsonValue(std::vector<JsonValue> value) : value_(std::move(value)) {}
  // Nothing is null.
  template <typename T>
  JsonValue(const std::optional<T>& value) : JsonValue(value ? JsonValue(*value) : JsonValue()) {}

  const Variant& value() const { return value_; }

 private:
  Variant value_;
};

struct JsonField {
  std::string name;
  JsonValue value;
};

// On one line. Numbers that are not finite become null; bytes that are not UTF-8 are replaced.
std::string ToJson(const JsonObject& object);

}  // namespace schedulegym
