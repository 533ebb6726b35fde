// Fields: typed access to the fields of a JSON object.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "env/base/hash.h"
#include "env/base/json.h"
#include "env/measure/kernel_resources.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

class FieldError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Accessors throw FieldError for a missing field and for one of another type. The object must
// outlive it.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  const Json& value() const { return object_; }
  bool Has(const char* name) const;
  double Number(const char* name) const;
  int64_t Integer(const char* name) const;
  uint64_t Unsigned(const char* name) const;
  bool Flag(const char* name) const;
  std::string Text(const char* name) const;
  Key KeyValue(const char* name) const;
  std::vector<double> Numbers(const char* name) const;
  Fields Object(const char* name) const;
  // Returns nullopt if the field is missing or null.
  std::optional<Fields> ObjectIfAny(const char* name) const;

 private:
  const Json& At(const char* name) const;

  const Json& object_;
};

// Returns a string, or {"hex": ...} if the text is not UTF-8.
Json FromText(const std::string& text);

// An array of one object per kernel, with KernelResources' names. FieldError for another value.
Json FromResources(const std::vector<KernelResources>& resources);
std::vector<KernelResources> ToResources(const Json& list);

// Returns the fields of `object` that `known` lacks, in nested objects too.
Json FieldsBeyond(const Json& object, const Json& known);
// Adds the fields whose names `object` lacks, in nested objects too.
void AddFields(const Json& fields, Json& object);

// Returns the record of another system's line; nullopt if the line is not one.
std::optional<ForeignRecord> ParseForeign(const Json& object);

}  // namespace schedulegym
