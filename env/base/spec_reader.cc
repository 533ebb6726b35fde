#include <cmath>

#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/base/text.h"

namespace schedulegym {

SpecReader::SpecReader(const Spec& spec, std::string what) : spec_(spec), what_(std::move(what)) {}

int64_t SpecReader::Integer(const std::string& key, int64_t default_value) {
  return OptionalInteger(key).value_or(default_value);
}

double SpecReader::Number(const std::string& key, double default_value) {
  const SpecValue* value = Take(key);
  if (value == nullptr) return default_value;
  if (const auto* number = std::get_if<double>(&value->value)) return *number;
  if (const auto* integer = std::get_if<int64_t>(&value->value)) {
    return static_cast<double>(*integer);
  }
  WrongType(key, *value, "a number");
}

bool SpecReader::Flag(const std::string& key, bool default_value) {
  const SpecValue* value = Take(key);
  if (value == nullptr) return default_value;
  if (const auto* flag = std::get_if<bool>(&value->value)) return *flag;
  WrongType(key, *value, "true or false");
}

std::string SpecReader::Word(const std::string& key, const std::string& default_value) {
  const SpecValue* value = Take(key);
  if (value == nullptr) return default_value;
  if (const auto* text = std::get_if<std::string>(&value->value)) return *text;
  const auto* word = std::get_if<Spec>(&value->value);
  if (word != nullptr && word->options.empty()) return word->name;
  WrongType(key, *value, "a word");
}

std::string SpecReader::Choice(const std::string& key, const std::string& default_value,
                               const std::vector<std::string>& choices) {
  const std::string word = Word(key, default_value);
  for (const std::string& choice : choices) {
    if (choice == word) return word;
  }
  throw InputError(what_ + " '" + spec_.name + "': " + UnknownName(key, word, choices));
}

std::optional<int64_t> SpecReader::OptionalInteger(const std::string& key) {
  const SpecValue* value = Take(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* integer = std::get_if<int64_t>(&value->value)) return *integer;
  const auto* number = std::get_if<double>(&value->value);
  if (number != nullptr && std::trunc(*number) == *number && std::abs(*number) <= 0x1p53) {
    return static_cast<int64_t>(*number);
  }
  WrongType(key, *value, "an integer");
}

std::optional<Spec> SpecReader::OptionalSpec(const std::string& key) {
  const SpecValue* value = Take(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* spec = std::get_if<Spec>(&value->value)) return *spec;
  WrongType(key, *value, "a spec");
}

int64_t SpecReader::RequiredInteger(const std::string& key) {
  const auto value = OptionalInteger(key);
  if (!value) {
    throw InputError(what_ + " '" + spec_.name + "': key '" + key +
                     "' is missing, expected an integer");
  }
  return *value;
}

void SpecReader::Finish() const {
  for (const auto& [key, value] : spec_.options) {
    bool known = false;
    for (const std::string& asked : asked_) known = known || asked == key;
    if (!known)
      throw InputError(what_ + " '" + spec_.name + "': " + UnknownName("key", key, asked_));
  }
}

const SpecValue* SpecReader::Take(const std::string& key) {
  asked_.push_back(key);
  for (const auto& [other, value] : spec_.options) {
    if (other == key) return &value;
  }
  return nullptr;
}

void SpecReader::WrongType(const std::string& key, const SpecValue& value,
                           const std::string& expected) const {
  throw InputError(what_ + " '" + spec_.name + "': key '" + key + "' is " + value.ToText() +
                   ", expected " + expected);
}

}  // namespace schedulegym
