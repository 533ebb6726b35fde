// JsonValue: the value of an event's field; objects keep the order of their fields.
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

  JsonValue();
  JsonValue(bool value);
  JsonValue(int value);
  JsonValue(int64_t value);
  JsonValue(uint64_t value);
  JsonValue(double value);
  JsonValue(const char* value);
  JsonValue(std::string value);
  JsonValue(JsonObject value);
  JsonValue(std::vector<JsonValue> value);
  // nullopt becomes null.
  template <typename T>
  JsonValue(const std::optional<T>& value) : JsonValue(value ? JsonValue(*value) : JsonValue()) {}

  // Defined where JsonField is complete.
  JsonValue(const JsonValue&);
  JsonValue(JsonValue&&) noexcept;
  JsonValue& operator=(const JsonValue&);
  JsonValue& operator=(JsonValue&&) noexcept;
  ~JsonValue();

  const Variant& value() const { return value_; }

 private:
  Variant value_;
};

struct JsonField {
  std::string name;
  JsonValue value;
};

// Writes one line. Numbers that are not finite become null; bytes that are not UTF-8 are replaced.
std::string ToJson(const JsonObject& object);

}  // namespace schedulegym
