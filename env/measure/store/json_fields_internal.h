// Fields: the fields of a JSON object, each asked for as what it must be.
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

// Each throws FieldError for what is missing or something else. The object outlives it.
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
  // None where it is missing or null.
  std::optional<Fields> ObjectIfAny(const char* name) const;

 private:
  const Json& At(const char* name) const;

  const Json& object_;
};

// A string, or {"hex": ...} where it is not UTF-8.
Json FromText(const std::string& text);

// An array of objects, one a kernel, with the names of KernelResources; FieldError for another
// value.
Json FromResources(const std::vector<KernelResources>& resources);
std::vector<KernelResources> ToResources(const Json& list);

// What `object` has beyond `known`, in nested objects too.
Json FieldsBeyond(const Json& object, const Json& known);
// Puts fields into an object where it has none of that name, into nested objects too.
void AddFields(const Json& fields, Json& object);

// The record in a line of another system; none where it is none.
std::optional<ForeignRecord> ParseForeign(const Json& object);

}  // namespace schedulegym
