// JSON values over the SAX parser of nlohmann/json: depth up to 1000 without recursion of ours, of
// equal keys the later one counts. Texts are checked for UTF-8 by the byte table of the Unicode
// standard (table 3-7). Numbers are written as the shortest text that reads back the same; those
// that are not finite as null. Cost: O(bytes).
#include "env/base/json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "env/base/utf8.h"

namespace schedulegym {
namespace {

// Deeper values would overflow the stack when they are copied or written.
constexpr size_t kMostDepth = 1000;

// The kind of a value, for messages.
const char* KindName(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return "a bool";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "a string";
  return value.is_array() ? "an array" : "an object";
}

[[noreturn]] void Refuse(const Json& found, const char* expected) {
  throw JsonError(std::string("found ") + KindName(found) + ", expected " + expected);
}

// Position of the character that contains the last of these bytes.
size_t LastCharacter(std::string_view text, size_t bytes) {
  const size_t last = std::min(bytes > 0 ? bytes - 1 : 0, text.size());
  size_t at = last;
  while (at > 0 && at < text.size() && last - at < 3 && (text[at] & 0xc0) == 0x80) --at;
  return at + CharacterAt(text, at).size() > last ? at : last;
}

// The parser reads bytes, so its message may end within a character.
std::string WithWholeCharacter(std::string_view message, std::string_view text, size_t bytes) {
  std::string whole(message);
  const size_t begin = LastCharacter(text, bytes);
  const std::string_view part = text.substr(begin, bytes > begin ? bytes - begin : 0);
  const size_t at = part.empty() ? whole.npos : whole.rfind(part);
  const std::string_view character = CharacterAt(text, begin);
  if (character.size() > 1 && at != whole.npos) whole.replace(at, part.size(), character);
  return Shown(whole);
}

// Builds the value of a text that nlohmann's parser reads.
class Builder {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  const std::string& fault() const { return fault_; }
  Json Take() && { return std::move(top_); }

  bool null() { return Put(Json()); }
  bool boolean(bool value) { return Put(value); }
  bool number_integer(int64_t value) { return Put(value); }
  bool number_unsigned(uint64_t value) { return Put(value); }
  bool number_float(double value, const std::string&) { return Put(value); }
  bool string(std::string& value) { return Put(value); }
  bool binary(std::vector<uint8_t>&) { return false; }

  bool start_array(size_t) { return Open(Json::Array()); }
  bool end_array() { return Close(); }
  bool start_object(size_t) { return Open(Json::Object()); }
  bool end_object() { return Close(); }

  bool key(std::string& name) {
    Json& object = *open_.back();
    slot_ = object.Find(name);
    if (slot_ != nullptr) return true;
    object.members().push_back({name, Json()});
    slot_ = &object.members().back().value;
    return true;
  }

  // Its messages: "[name.number] parse error at line 1, column 2: ..." or "[...] number overflow".
  bool parse_error(size_t bytes, const std::string&, const nlohmann::json::exception& error) {
    std::string_view message = error.what();
    message.remove_prefix(message.find("] ") + 2);
    if (message.starts_with("parse error at ")) message.remove_prefix(message.find(": ") + 2);
    fault_ = PlaceOf(text_, LastCharacter(text_, bytes)) + ": " +
             WithWholeCharacter(message, text_, bytes);
    return false;
  }

 private:
  // Stores a value as the next member, the next element, or the top value.
  template <typename Value>
  Json& Place(Value&& value) {
    if (slot_ != nullptr) return *std::exchange(slot_, nullptr) = Json(std::forward<Value>(value));
    if (open_.empty()) return top_ = Json(std::forward<Value>(value));
    return open_.back()->elements().emplace_back(std::forward<Value>(value));
  }

  template <typename Value>
  bool Put(const Value& value) {
    Place(value);
    return true;
  }

  bool Open(Json value) {
    if (open_.size() == kMostDepth) {
      fault_ = "it nests deeper than " + std::to_string(kMostDepth) + " levels";
      return false;
    }
    open_.push_back(&Place(std::move(value)));
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  Json top_;
  std::vector<Json*> open_;  // incomplete arrays and objects, each in the one before it
  Json* slot_ = nullptr;     // the member whose name was read last
  std::string fault_;
};

class Writer {
 public:
  explicit Writer(const JsonStyle& style) : style_(style) {}

  std::string Take() && { return std::move(text_); }

  void Write(const Json& value) {
    if (value.is_object()) return WriteObject(value.members());
    if (value.is_array()) return WriteArray(value.elements());
    if (value.is_string()) return WriteString(value.Text());
    if (value.is_double()) return WriteDouble(value.As<double>());
    if (value.is_bool()) {
      text_ += value.As<bool>() ? "true" : "false";
    } else if (value.is_unsigned()) {
      text_ += std::to_string(value.As<uint64_t>());
    } else if (value.is_integer()) {
      text_ += std::to_string(value.As<int64_t>());
    } else {
      text_ += "null";
    }
  }

 private:
  void WriteArray(const std::vector<Json>& elements) {
    text_ += '[';
    for (const Json& element : elements) {
      if (&element != elements.data()) text_ += ',';
      Write(element);
    }
    text_ += ']';
  }

  void WriteObject(const std::vector<JsonMember>& members) {
    std::vector<const JsonMember*> order;
    for (const JsonMember& member : members) order.push_back(&member);
    if (style_.sort_keys) std::ranges::sort(order, {}, &JsonMember::name);
    text_ += '{';
    for (const JsonMember* member : order) {
      if (member != order.front()) text_ += ',';
      WriteString(member->name);
      text_ += ':';
      Write(member->value);
    }
    text_ += '}';
  }

  void WriteDouble(double value) {
    if (!std::isfinite(value)) {
      text_ += "null";
      return;
    }
    char digits[64];
    text_.append(digits, nlohmann::detail::to_chars(digits, digits + sizeof(digits), value));
  }

  void WriteString(std::string_view string) {
    const bool is_ascii = std::ranges::all_of(string, [](char c) { return c >= 0 && c < 0x7f; });
    if (!is_ascii && (style_.ascii || !IsUtf8(string))) return WriteOther(string);
    text_ += '"';
    size_t begin = 0;  // first byte that is not written yet
    for (size_t i = 0; i < string.size(); ++i) {
      const char c = string[i];
      if (c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20) continue;
      text_.append(string, begin, i - begin);
      WriteEscape(c);
      begin = i + 1;
    }
    text_.append(string, begin);
    text_ += '"';
  }

  void WriteEscape(char c) {
    constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
    const size_t at = kEscaped.find(c);
    if (at != kEscaped.npos) {
      text_ += '\\';
      text_ += kLetters[at];
      return;
    }
    char code[8];
    std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(c));
    text_ += code;
  }

  // Writes a string that is escaped to ASCII, or has bytes that are not UTF-8.
  void WriteOther(std::string_view string) {
    if (!style_.replace_invalid && !IsUtf8(string)) {
      throw JsonError("found a text that is not UTF-8, expected UTF-8");
    }
    text_ += nlohmann::json(IsUtf8(string) ? std::string(string) : Shown(string))
                 .dump(-1, ' ', style_.ascii);
  }

  const JsonStyle& style_;
  std::string text_;
};

bool AreEqual(const std::vector<JsonMember>& left, const Json& right) {
  return left.size() == right.size() && std::ranges::all_of(left, [&](const JsonMember& member) {
           const Json* other = right.Find(member.name);
           return other != nullptr && member.value == *other;
         });
}

bool AreEqualNumbers(const Json& left, const Json& right) {
  if (left.is_double() || right.is_double()) return left.As<double>() == right.As<double>();
  const auto is_negative = [](const Json& value) {
    return !value.is_unsigned() && value.As<int64_t>() < 0;
  };
  return is_negative(left) == is_negative(right) && left.As<uint64_t>() == right.As<uint64_t>();
}

}  // namespace

Json::Json() : value_(nullptr) {}
Json::Json(std::string_view text) : value_(std::make_unique<std::string>(text)) {}

Json Json::EmptyArray(size_t room) {
  Json array;
  array.value_ = std::make_unique<Elements>();
  array.elements().reserve(room);
  return array;
}

Json Json::Object(std::initializer_list<JsonEntry> entries) {
  Json object;
  object.value_ = std::make_unique<Members>();
  object.members().reserve(entries.size());
  for (const JsonEntry& entry : entries) object.Set(entry.name, std::move(entry.value));
  return object;
}

Json::Json(const Json& other)
    : value_(std::visit(
          [](const auto& held) -> decltype(value_) {
            if constexpr (requires { *held; }) {
              return std::make_unique<std::decay_t<decltype(*held)>>(*held);
            } else {
              return held;
            }
          },
          other.value_)) {}
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json& other) { return *this = Json(other); }
// The other may be a part of this one.
Json& Json::operator=(Json&& other) noexcept {
  auto taken = std::move(other.value_);
  value_.swap(taken);
  return *this;
}
Json::~Json() = default;

size_t Json::size() const {
  if (is_array()) return elements().size();
  if (is_object()) return members().size();
  return is_null() ? 0 : 1;
}

bool Json::Bool() const {
  if (const bool* value = std::get_if<bool>(&value_)) return *value;
  Refuse(*this, "a bool");
}

const std::string& Json::Text() const {
  if (is_string()) return *std::get<std::unique_ptr<std::string>>(value_);
  Refuse(*this, "a string");
}

double Json::Double() const {
  if (const double* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<uint64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<int64_t>(&value_)) return static_cast<double>(*value);
  Refuse(*this, "a number");
}

int64_t Json::Signed() const {
  if (const auto* value = std::get_if<int64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<uint64_t>(&value_)) return static_cast<int64_t>(*value);
  const double number = Double();
  if (number >= -0x1p63 && number < 0x1p63) return static_cast<int64_t>(number);
  Refuse(*this, "a number of 64 bits");
}

uint64_t Json::Unsigned() const {
  if (!is_double()) return static_cast<uint64_t>(Signed());
  const double number = Double();
  if (number > -1 && number < 0x1p64) return static_cast<uint64_t>(number);
  Refuse(*this, "a number of 64 bits that is not below 0");
}

const Json& Json::operator[](std::string_view name) const {
  if (const Json* value = Find(name)) return *value;
  if (!is_object()) Refuse(*this, "an object");
  throw JsonError("found no member '" + std::string(name) + "'");
}

const Json& Json::operator[](size_t index) const {
  if (index < elements().size()) return elements()[index];
  throw JsonError("found " + std::to_string(elements().size()) + " elements, expected at least " +
                  std::to_string(index + 1));
}

const Json* Json::Find(std::string_view name) const {
  if (!is_object()) return nullptr;
  for (const JsonMember& member : members()) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

Json* Json::Find(std::string_view name) {
  return const_cast<Json*>(std::as_const(*this).Find(name));
}

const std::vector<Json>& Json::elements() const {
  if (is_array()) return *std::get<std::unique_ptr<Elements>>(value_);
  Refuse(*this, "an array");
}

std::vector<Json>& Json::elements() {
  return const_cast<Elements&>(std::as_const(*this).elements());
}

const std::vector<JsonMember>& Json::members() const {
  if (is_object()) return *std::get<std::unique_ptr<Members>>(value_);
  Refuse(*this, "an object");
}

std::vector<JsonMember>& Json::members() {
  return const_cast<Members&>(std::as_const(*this).members());
}

void Json::Add(Json value) { elements().push_back(std::move(value)); }

void Json::Set(std::string_view name, Json value) {
  if (Json* known = Find(name)) {
    *known = std::move(value);
  } else {
    members().push_back({std::string(name), std::move(value)});
  }
}

void Json::Erase(std::string_view name) {
  std::erase_if(members(), [&](const JsonMember& member) { return member.name == name; });
}

std::string Json::ToText(const JsonStyle& style) const {
  Writer writer(style);
  writer.Write(*this);
  return std::move(writer).Take();
}

bool operator==(const Json& left, const Json& right) {
  if (left.is_number() && right.is_number()) return AreEqualNumbers(left, right);
  if (left.value_.index() != right.value_.index()) return false;
  if (left.is_string()) return left.Text() == right.Text();
  if (left.is_array()) return left.elements() == right.elements();
  if (left.is_object()) return AreEqual(left.members(), right);
  return left.is_null() || left.As<bool>() == right.As<bool>();
}

Result<Json> ParseJson(std::string_view text) {
  text = WithoutByteOrderMark(text);
  Builder builder(text);
  if (nlohmann::json::sax_parse(text, &builder)) return std::move(builder).Take();
  return Error{ErrorKind::kParse, builder.fault()};
}

bool IsJson(std::string_view text) { return nlohmann::json::accept(text); }

}  // namespace schedulegym
