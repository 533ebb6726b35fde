// Fields: the fields of a JSON object, each asked for as what it must be.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include "env/base/hash.h"
#include "env/measure/store_batch.h"

namespace schedulegym {

class FieldError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Each throws FieldError for what is missing or something else. The object outlives it.
class Fields {
 public:
  explicit Fields(const nlohmann::json& object) : object_(object) {}

  const nlohmann::json& value() const { return object_; }
  bool Has(const char* name) const;
  double Number(const char* name) const;
  int64_t Integer(const char* name) const;
  uint64_t Unsigned(const char* name) const;
  bool Flag(const char* name) const;
  std::string Text(const char* name) const;
  Key KeyValue(const char* name) const;
  std::vector<double> Numbers(const char* name) const;
  Fields Object(const char* name) const;
  // None where it is missing or null.
  std::optional<Fields> ObjectIfAny(const char* name) const;

 private:
  const nlohmann::json& At(const char* name) const;

  const nlohmann::json& object_;
};

// A string, or {"hex": ...} where it is not UTF-8.
nlohmann::json FromText(const std::string& text);

// What `object` has beyond `known`, in nested objects too.
nlohmann::json FieldsBeyond(const nlohmann::json& object, const nlohmann::json& known);
// Puts fields into an object where it has none of that name, into nested objects too.
void AddFields(const nlohmann::json& fields, nlohmann::json& object);

// The record in a line of another system; none where it is none.
std::optional<ForeignRecord> ParseForeign(const nlohmann::json& object);

}  // namespace schedulegym
