// Json: a JSON value, to be parsed, read, built and written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "env/base/result.h"

namespace schedulegym {

// A value has another kind than the one that is asked for, or lacks a member or an element; or a
// text to be written is not UTF-8.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct JsonMember;
struct JsonEntry;

// How a value is written. Always on one line, without blanks.
struct JsonStyle {
  bool sort_keys = false;        // by bytes; else members stand in the order of their insertion
  bool ascii = false;            // what is not ASCII is escaped as \uXXXX
  bool replace_invalid = false;  // a text that is not UTF-8 is as Shown shows it; else JsonError
};

// Null, a bool, a number, a string, an array or an object. Integers and doubles are kept apart:
// 1 is an integer and 1.0 is not, but they are equal. Members keep the order of insertion, names
// are unique. 16 bytes; copies are deep.
class Json {
 public:
  Json();
  Json(std::nullptr_t) : Json() {}
  template <typename T>
  requires std::is_arithmetic_v<T> Json(T value) : value_(Widened(value)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(std::string_view text);
  // None is null.
  template <typename T>
  Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}
  template <typename T>
  Json(const std::vector<T>& list) : Json(ListOf(list)) {}
  template <typename T, size_t kSize>
  Json(const std::array<T, kSize>& list) : Json(ListOf(list)) {}

  // Array(1, "x") is [1,"x"].
  template <typename... Values>
  static Json Array(Values&&... values) {
    Json array = EmptyArray(sizeof...(values));
    (array.Add(Json(std::forward<Values>(values))), ...);
    return array;
  }
  // Object({{"a", 1}, {"b", "x"}}) is {"a":1,"b":"x"}. The values are moved; of equal names the
  // last value counts.
  static Json Object(std::initializer_list<JsonEntry> entries = {});

  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  bool is_null() const { return Is<std::nullptr_t>(); }
  bool is_bool() const { return Is<bool>(); }
  bool is_double() const { return Is<double>(); }
  bool is_integer() const { return Is<int64_t>() || Is<uint64_t>(); }
  // A parsed integer is unsigned where it has no sign.
  bool is_unsigned() const { return Is<uint64_t>(); }
  bool is_number() const { return is_integer() || is_double(); }
  bool is_string() const { return Is<std::unique_ptr<std::string>>(); }
  bool is_array() const { return Is<std::unique_ptr<Elements>>(); }
  bool is_object() const { return Is<std::unique_ptr<Members>>(); }

  // Of elements or members; 0 of null, 1 of all else.
  size_t size() const;
  bool empty() const { return size() == 0; }

  // bool, std::string, a number, or a std::vector or std::array of these. Numbers are converted as
  // static_cast does, but that a double beyond the range of 64 bits is a JsonError. An array may be
  // longer than a std::array.
  template <typename T>
  T As() const {
    if constexpr (std::is_same_v<T, bool>) {
      return Bool();
    } else if constexpr (std::is_same_v<T, std::string>) {
      return Text();
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(Double());
    } else if constexpr (std::is_integral_v<T>) {
      return std::is_signed_v<T> ? static_cast<T>(Signed()) : static_cast<T>(Unsigned());
    } else if constexpr (requires { std::tuple_size<T>::value; }) {
      T list{};
      for (size_t i = 0; i < list.size(); ++i) list[i] = (*this)[i].As<typename T::value_type>();
      return list;
    } else {
      T list;
      list.reserve(elements().size());
      for (const Json& one : elements()) list.push_back(one.As<typename T::value_type>());
      return list;
    }
  }
  // As<T>() of a member, or `otherwise` where the object has none.
  template <typename T>
  T ValueOr(std::string_view name, T otherwise) const {
    (void)members();
    const Json* value = Find(name);
    return value != nullptr ? value->As<T>() : otherwise;
  }
  const std::string& Text() const;

  // A member's value; an element. JsonError where there is none.
  const Json& operator[](std::string_view name) const;
  const Json& operator[](size_t index) const;
  // Null where there is no such member, or no object.
  const Json* Find(std::string_view name) const;
  Json* Find(std::string_view name);
  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  // Of an array; of an object.
  const std::vector<Json>& elements() const;
  std::vector<Json>& elements();
  const std::vector<JsonMember>& members() const;
  std::vector<JsonMember>& members();

  // Puts a value at an array's end.
  void Add(Json value);
  // Replaces the value of a member in its place, or adds one at the object's end.
  void Set(std::string_view name, Json value);
  // Nothing where there is none.
  void Erase(std::string_view name);

  // A double is written so that it reads back as the same, and always as one (2.0, 1e+30); one that
  // is not finite is null.
  std::string ToText(const JsonStyle& style = {}) const;

  // Objects may have their members in any order.
  friend bool operator==(const Json& left, const Json& right);

 private:
  using Elements = std::vector<Json>;
  using Members = std::vector<JsonMember>;

  template <typename T>
  bool Is() const {
    return std::holds_alternative<T>(value_);
  }

  template <typename T>
  static auto Widened(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      return value;
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<double>(value);
    } else if constexpr (std::is_signed_v<T>) {
      return static_cast<int64_t>(value);
    } else {
      return static_cast<uint64_t>(value);
    }
  }

  template <typename List>
  static Json ListOf(const List& list) {
    Json array = EmptyArray(list.size());
    for (const typename List::value_type& value : list) array.Add(Json(value));
    return array;
  }
  static Json EmptyArray(size_t room);

  bool Bool() const;
  double Double() const;
  int64_t Signed() const;
  uint64_t Unsigned() const;

  std::variant<std::nullptr_t, bool, int64_t, uint64_t, double, std::unique_ptr<std::string>,
               std::unique_ptr<Elements>, std::unique_ptr<Members>>
      value_;
};

struct JsonMember {
  std::string name;
  Json value;
};

// A member of an object that is built: its value is moved out of the list that names it.
struct JsonEntry {
  std::string_view name;
  mutable Json value;
};

// A whole text. Refused, with line and column: other syntax than RFC 8259 has (comments, NaN,
// commas at the end), strings that are not UTF-8, numbers that a double cannot hold; and what nests
// deeper than a thousand levels. Of members of one name the last value counts, in the first one's
// place. A byte order mark is skipped.
Result<Json> ParseJson(std::string_view text);

// Whether ParseJson would read it, however deep it nests.
bool IsJson(std::string_view text);

}  // namespace schedulegym
