// Typed access to fields of a JSON object, with FieldErrors that name field and expectation. Texts
// that are not UTF-8 are objects {"hex": ...}. Unknown fields of a record are kept and written
// again: FieldsBeyond is the difference of two objects, AddFields merges it back without
// overwriting. Cost: O(size).
#include "env/base/json.h"
#include "env/base/utf8.h"
#include "env/measure/store/json_fields_internal.h"

namespace schedulegym {
namespace {

[[noreturn]] void Refuse(const char* name, const char* expected) {
  throw FieldError(std::string("field '") + name + "': expected " + expected);
}

constexpr char kDigits[] = "0123456789abcdef";

std::string ToHex(const std::string& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

std::optional<std::string> FromHex(const std::string& text) {
  if (text.size() % 2 != 0) return std::nullopt;
  const std::string_view digits = kDigits;
  std::string bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    const size_t high = digits.find(text[i]);
    const size_t low = digits.find(text[i + 1]);
    if (high == digits.npos || low == digits.npos) return std::nullopt;
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return bytes;
}

}  // namespace

Json FromText(const std::string& text) {
  if (IsUtf8(text)) return text;
  return Json::Object({{"hex", ToHex(text)}});
}

const Json& Fields::At(const char* name) const {
  const Json* found = object_.Find(name);
  if (found == nullptr) throw FieldError(std::string("field '") + name + "' is missing");
  return *found;
}

bool Fields::Has(const char* name) const { return object_.Has(name); }

double Fields::Number(const char* name) const {
  const Json& value = At(name);
  if (!value.is_number()) Refuse(name, "a number");
  return value.As<double>();
}

int64_t Fields::Integer(const char* name) const {
  const Json& value = At(name);
  const bool too_large = value.is_unsigned() && value.As<uint64_t>() > INT64_MAX;
  if (!value.is_integer() || too_large) Refuse(name, "a whole number");
  return value.As<int64_t>();
}

uint64_t Fields::Unsigned(const char* name) const {
  const Json& value = At(name);
  if (!value.is_unsigned()) Refuse(name, "a whole number of at least 0");
  return value.As<uint64_t>();
}

bool Fields::Flag(const char* name) const {
  const Json& value = At(name);
  if (!value.is_bool()) Refuse(name, "true or false");
  return value.As<bool>();
}

std::string Fields::Text(const char* name) const {
  const Json& value = At(name);
  if (value.is_string()) return value.Text();
  const Json* hex = value.size() == 1 ? value.Find("hex") : nullptr;
  if (hex != nullptr && hex->is_string()) {
    if (auto bytes = FromHex(hex->Text())) return *std::move(bytes);
  }
  Refuse(name, "a text");
}

Key Fields::KeyValue(const char* name) const {
  const std::optional<Key> key = ParseKey(Text(name));
  if (!key) Refuse(name, "32 hex digits");
  return *key;
}

std::vector<double> Fields::Numbers(const char* name) const {
  const Json& value = At(name);
  if (!value.is_array()) Refuse(name, "a list of numbers");
  std::vector<double> numbers;
  for (const Json& element : value.elements()) {
    if (!element.is_number()) Refuse(name, "a list of numbers");
    numbers.push_back(element.As<double>());
  }
  return numbers;
}

Fields Fields::Object(const char* name) const {
  const Json& value = At(name);
  if (!value.is_object()) Refuse(name, "an object");
  return Fields(value);
}

std::optional<Fields> Fields::ObjectIfAny(const char* name) const {
  if (!Has(name) || At(name).is_null()) return std::nullopt;
  return Object(name);
}

Json FromResources(const std::vector<KernelResources>& resources) {
  Json list = Json::Array();
  for (const KernelResources& kernel : resources) {
    list.Add(Json::Object({{"kernel", FromText(kernel.kernel)},
                           {"registers", kernel.registers},
                           {"spill_store_bytes", kernel.spill_store_bytes},
                           {"spill_load_bytes", kernel.spill_load_bytes},
                           {"stack_bytes", kernel.stack_bytes},
                           {"shared_bytes", kernel.shared_bytes},
                           {"barriers", kernel.barriers}}));
  }
  return list;
}

std::vector<KernelResources> ToResources(const Json& list) {
  if (!list.is_array()) Refuse("resources", "a list of kernels");
  std::vector<KernelResources> resources;
  for (const Json& element : list.elements()) {
    if (!element.is_object()) Refuse("resources", "a list of kernels");
    const Fields kernel(element);
    resources.push_back({kernel.Text("kernel"), static_cast<int32_t>(kernel.Integer("registers")),
                         kernel.Integer("spill_store_bytes"), kernel.Integer("spill_load_bytes"),
                         kernel.Integer("stack_bytes"), kernel.Integer("shared_bytes"),
                         static_cast<int32_t>(kernel.Integer("barriers"))});
  }
  return resources;
}

Json FieldsBeyond(const Json& object, const Json& known) {
  Json beyond = Json::Object();
  for (const auto& [name, value] : object.members()) {
    const Json* found = known.Find(name);
    if (found == nullptr) {
      beyond.Set(name, value);
    } else if (value.is_object() && found->is_object()) {
      Json nested = FieldsBeyond(value, *found);
      if (!nested.empty()) beyond.Set(name, std::move(nested));
    }
  }
  return beyond;
}

void AddFields(const Json& fields, Json& object) {
  if (!fields.is_object()) return;
  for (const auto& [name, value] : fields.members()) {
    Json* found = object.Find(name);
    if (found == nullptr) {
      object.Set(name, value);
    } else if (found->is_object()) {
      AddFields(value, *found);
    }
  }
}

}  // namespace schedulegym
