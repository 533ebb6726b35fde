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

// Thrown if a value has another kind than requested or lacks a member or an element, or if a text
// to be written is not UTF-8.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct JsonMember;
struct JsonEntry;

// Options of writing. The output is always one line without blanks.
struct JsonStyle {
  bool sort_keys = false;        // by bytes; else members keep their order of insertion
  bool ascii = false;            // non-ASCII characters are escaped as \uXXXX
  bool replace_invalid = false;  // writes invalid UTF-8 as Shown does; else throws JsonError
};

// Null, a bool, a number, a string, an array or an object. Integers and doubles are distinct kinds:
// 1 is an integer and 1.0 is not, but they compare equal. Members keep their order of insertion;
// names are unique. A Json takes 16 bytes; copies are deep.
class Json {
 public:
  Json();
  Json(std::nullptr_t) : Json() {}
  template <typename T>
  requires std::is_arithmetic_v<T> Json(T value) : value_(Widened(value)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(std::string_view text);
  // nullopt becomes null.
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
  // Object({{"a", 1}, {"b", "x"}}) is {"a":1,"b":"x"}. The values are moved. If a name is repeated,
  // its last value is kept.
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
  // A parsed integer without a sign is unsigned.
  bool is_unsigned() const { return Is<uint64_t>(); }
  bool is_number() const { return is_integer() || is_double(); }
  bool is_string() const { return Is<std::unique_ptr<std::string>>(); }
  bool is_array() const { return Is<std::unique_ptr<Elements>>(); }
  bool is_object() const { return Is<std::unique_ptr<Members>>(); }

  // Number of elements or members; 0 for null, 1 for every other kind.
  size_t size() const;
  bool empty() const { return size() == 0; }

  // T is bool, std::string, a number, or a std::vector or std::array of these. Numbers convert as
  // by static_cast; throws JsonError if a double exceeds the range of 64 bits. The JSON array may
  // be longer than a std::array.
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
  // As<T>() of a member, or `otherwise` if the object has no such member.
  template <typename T>
  T ValueOr(std::string_view name, T otherwise) const {
    (void)members();
    const Json* value = Find(name);
    return value != nullptr ? value->As<T>() : otherwise;
  }
  const std::string& Text() const;

  // The value of a member; an element. Throws JsonError if it does not exist.
  const Json& operator[](std::string_view name) const;
  const Json& operator[](size_t index) const;
  // nullptr if there is no such member or the value is not an object.
  const Json* Find(std::string_view name) const;
  Json* Find(std::string_view name);
  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  // Elements of an array; members of an object.
  const std::vector<Json>& elements() const;
  std::vector<Json>& elements();
  const std::vector<JsonMember>& members() const;
  std::vector<JsonMember>& members();

  // Appends a value to an array.
  void Add(Json value);
  // Replaces the value of a member in place, or appends a new member to the object.
  void Set(std::string_view name, Json value);
  // Removes a member. Does nothing if it does not exist.
  void Erase(std::string_view name);

  // A double is written so that it parses to the same double, never to an integer (2.0, 1e+30).
  // Values that are not finite are written as null.
  std::string ToText(const JsonStyle& style = {}) const;

  // Ignores the order of members.
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

// A member of an object under construction. The value is moved out of the initializer list.
struct JsonEntry {
  std::string_view name;
  mutable Json value;
};

// Parses a whole text. Rejects, with line and column: syntax outside of RFC 8259 (comments, NaN,
// trailing commas), strings that are not UTF-8, numbers that a double cannot hold, and nesting
// deeper than a thousand levels. A repeated name keeps its last value, in the position of the
// first. A byte order mark is skipped.
Result<Json> ParseJson(std::string_view text);

// Returns whether ParseJson accepts the text. Nesting of any depth is allowed.
bool IsJson(std::string_view text);

}  // namespace schedulegym
