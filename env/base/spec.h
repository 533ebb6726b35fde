// Spec: a name with options, and its text form name(key=value, ...).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "env/base/result.h"

namespace schedulegym {

struct SpecOption;

// Keys are unique and keep their order in the text.
struct Spec {
  std::string name;
  std::vector<SpecOption> options;

  bool operator==(const Spec&) const;
  // Parses back to an equal spec. Without options there are no brackets.
  std::string ToText() const;
};

// An integer, a decimal, true or false, a quoted string, or a word (a spec without options).
struct SpecValue {
  std::variant<int64_t, double, bool, std::string, Spec> value;

  bool operator==(const SpecValue&) const = default;
  std::string ToText() const;
};

struct SpecOption {
  std::string key;
  SpecValue value;

  bool operator==(const SpecOption&) const = default;
};

// Grammar: name [ "(" [ key "=" value { "," key "=" value } ] ")" ]; spaces are free. A name is a
// letter, digit or one of _ . / - + ~ followed by more of them, so a path is a name too.
Result<Spec> ParseSpec(std::string_view text);

// Reads the options of a spec by key, each at most once. Throws InputError for a value of the wrong
// type and, in Finish, for keys that were not read; it names the spec and the existing keys.
class SpecReader {
 public:
  // `what` names the kind of thing in messages, such as "agent".
  SpecReader(const Spec& spec, std::string what);

  int64_t Integer(const std::string& key, int64_t default_value);
  double Number(const std::string& key, double default_value);
  bool Flag(const std::string& key, bool default_value);
  // A word or a quoted string.
  std::string Word(const std::string& key, const std::string& default_value);
  // A word out of `choices`.
  std::string Choice(const std::string& key, const std::string& default_value,
                     const std::vector<std::string>& choices);
  // nullopt if the key is absent.
  std::optional<int64_t> OptionalInteger(const std::string& key);
  std::optional<Spec> OptionalSpec(const std::string& key);
  // Throws InputError if the key is absent.
  int64_t RequiredInteger(const std::string& key);

  void Finish() const;

 private:
  const SpecValue* Take(const std::string& key);
  [[noreturn]] void WrongType(const std::string& key, const SpecValue& value,
                              const std::string& expected) const;

  Spec spec_;
  std::string what_;
  std::vector<std::string> asked_;
};

// Parses a spec. Throws InputError if it is none; the message begins with the option's name.
Spec RequireSpec(const std::string& option, std::string_view text);

}  // namespace schedulegym
