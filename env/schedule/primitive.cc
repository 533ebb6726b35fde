// Text, hash and equality of primitives, generated from their lists of fields: `name(field=value,
// ...)`, lists in brackets, stages by name. Parsing accepts fields in any order; flags may be
// missing, other fields not; lists have at most 256 values. Text and parse are inverse: flags at
// their default are not printed. Errors are of kind kParse and name what was found and what is
// known.
// Cost: O(length * fields).
#include "env/schedule/primitive.h"

#include <cctype>
#include <map>
#include <type_traits>

#include "env/base/hash.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// ---- printing, one overload a field type -----------------------------------------------------

std::string Print(StageRef stage, const StageNames& names) { return names[stage.id]; }
std::string Print(int64_t value, const StageNames&) { return std::to_string(value); }
std::string Print(int value, const StageNames&) { return std::to_string(value); }
std::string Print(bool value, const StageNames&) { return value ? "true" : "false"; }
std::string Print(const std::string& value, const StageNames&) { return value; }
std::string Print(MemoryScope scope, const StageNames&) { return MemoryScopeName(scope); }
std::string Print(Annotation thread, const StageNames&) { return AnnotationName(thread); }

template <typename T>
std::string Print(const std::vector<T>& values, const StageNames& names) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ", ";
    text += Print(values[i], names);
  }
  return text + "]";
}

// ---- hashing -----------------------------------------------------------------------------------

void AddTo(Hasher& hasher, StageRef stage) { hasher.Add(static_cast<uint64_t>(stage.id)); }
void AddTo(Hasher& hasher, const std::string& text) { hasher.Add(std::string_view(text)); }
template <typename T>
requires std::is_integral_v<T> || std::is_enum_v<T>
void AddTo(Hasher& hasher, T value) { hasher.Add(static_cast<uint64_t>(value)); }
template <typename T>
void AddTo(Hasher& hasher, const std::vector<T>& values) {
  hasher.Add(static_cast<uint64_t>(values.size()));
  for (const T& value : values) AddTo(hasher, value);
}

// ---- parsing -----------------------------------------------------------------------------------

// The texts of the fields of one line, by name; lists keep their brackets.
struct FieldTexts {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string_view>> fields;
};

Error ParseError(std::string message) { return {ErrorKind::kParse, std::move(message)}; }

// Cuts "a=1, b=[2, 3]" at the commas outside of brackets.
Result<FieldTexts> SplitFields(std::string_view line) {
  line = Trim(line);
  FieldTexts texts;
  const size_t open = line.find('(');
  if (open == std::string_view::npos || line.back() != ')') {
    return ParseError("found '" + std::string(line) + "', expected name(field=value, ...)");
  }
  texts.name = Trim(line.substr(0, open));
  std::string_view rest = line.substr(open + 1, line.size() - open - 2);
  while (!Trim(rest).empty()) {
    int depth = 0;
    size_t end = 0;
    while (end < rest.size() && (rest[end] != ',' || depth > 0)) {
      depth += rest[end] == '[';
      depth -= rest[end] == ']';
      ++end;
    }
    const std::string_view item = Trim(rest.substr(0, end));
    const size_t equal = item.find('=');
    if (equal == std::string_view::npos) {
      return ParseError("found '" + std::string(item) + "', expected field=value");
    }
    texts.fields.emplace_back(Trim(item.substr(0, equal)), Trim(item.substr(equal + 1)));
    rest = end == rest.size() ? std::string_view() : rest.substr(end + 1);
  }
  return texts;
}

Result<void> Parse(std::string_view text, const StageNames& names, StageRef& stage) {
  for (size_t id = 0; id < names.size(); ++id) {
    if (names[id] != text) continue;
    stage.id = static_cast<int>(id);
    return {};
  }
  return ParseError(UnknownName("stage", text, names));
}

template <typename T>
requires std::is_same_v<T, int> || std::is_same_v<T, int64_t> Result<void> Parse(
    std::string_view text, const StageNames&, T& value) {
  const auto parsed = ParseInteger(text);
  if (!parsed || *parsed != static_cast<T>(*parsed)) {
    return ParseError("found '" + std::string(text) + "', expected an integer");
  }
  value = static_cast<T>(*parsed);
  return {};
}

Result<void> Parse(std::string_view text, const StageNames&, bool& value) {
  if (text != "true" && text != "false") {
    return ParseError("found '" + std::string(text) + "', expected true or false");
  }
  value = text == "true";
  return {};
}

Result<void> Parse(std::string_view text, const StageNames&, std::string& value) {
  value = std::string(text);
  return {};
}

// The value of an enum by its name.
template <typename T>
Result<void> ParseNamed(std::string_view what, std::string_view text, const std::vector<T>& values,
                        const char* (*name_of)(T), T& value) {
  std::vector<std::string> known;
  for (T candidate : values) {
    known.push_back(name_of(candidate));
    if (known.back() != text) continue;
    value = candidate;
    return {};
  }
  return ParseError(UnknownName(what, text, known));
}

Result<void> Parse(std::string_view text, const StageNames&, MemoryScope& scope) {
  return ParseNamed<MemoryScope>("scope", text,
                                 {MemoryScope::kGlobal, MemoryScope::kShared, MemoryScope::kLocal},
                                 MemoryScopeName, scope);
}

Result<void> Parse(std::string_view text, const StageNames&, Annotation& thread) {
  return ParseNamed<Annotation>(
      "thread", text,
      {Annotation::kVthread, Annotation::kBlockX, Annotation::kBlockY, Annotation::kBlockZ,
       Annotation::kThreadX, Annotation::kThreadY, Annotation::kThreadZ},
      AnnotationName, thread);
}

template <typename T>
Result<void> Parse(std::string_view text, const StageNames& names, std::vector<T>& values) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return ParseError("found '" + std::string(text) + "', expected a list [...]");
  }
  constexpr size_t kMostValues = 256;
  text = Trim(text.substr(1, text.size() - 2));
  while (!text.empty()) {
    if (values.size() == kMostValues) {
      return ParseError("found a list of more than " + std::to_string(kMostValues) +
                        " values, expected at most so many");
    }
    const size_t end = text.find(',');
    T value{};
    if (auto result = Parse(Trim(text.substr(0, end)), names, value); !result) return result;
    values.push_back(value);
    text = end == std::string_view::npos ? std::string_view() : Trim(text.substr(end + 1));
  }
  return {};
}

template <typename P>
Result<Primitive> ParseFields(const FieldTexts& texts, const StageNames& names) {
  P primitive;
  std::vector<std::string> known;
  std::vector<std::string_view> missing;
  std::optional<Error> failure;
  size_t used = 0;
  ForEachField<P>([&](const auto& field) {
    known.emplace_back(field.name);
    using Member = std::remove_reference_t<decltype(primitive.*field.member)>;
    bool found = false;
    for (const auto& [name, text] : texts.fields) {
      if (name != field.name) continue;
      if (found && !failure) failure = ParseError("field '" + std::string(name) + "' stands twice");
      found = true;
      ++used;
      auto result = Parse(text, names, primitive.*field.member);
      if (!result && !failure)
        failure = ParseError(std::string(name) + ": " + result.error().message);
    }
    const bool optional = std::is_same_v<Member, bool>;
    if (!found && !optional) missing.push_back(field.name);
  });
  if (failure) return *failure;
  for (const auto& [name, text] : texts.fields) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return ParseError(UnknownName("field of " + std::string(P::kName), name, known));
  }
  if (!missing.empty()) {
    return ParseError(std::string(P::kName) + " lacks its field '" + std::string(missing[0]) + "'");
  }
  return Primitive(std::move(primitive));
}

// Calls `visitor` with a null pointer of each alternative's type.
template <typename Visitor, size_t... I>
void ForEachKind(const Visitor& visitor, std::index_sequence<I...>) {
  (visitor(static_cast<const std::variant_alternative_t<I, Primitive>*>(nullptr)), ...);
}
constexpr auto kAllKinds = std::make_index_sequence<std::variant_size_v<Primitive>>{};

}  // namespace

std::string_view NameOf(const Primitive& primitive) {
  return std::visit([](const auto& p) { return p.kName; }, primitive);
}

bool operator==(const Primitive& a, const Primitive& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& left) {
        using P = std::decay_t<decltype(left)>;
        bool equal = true;
        ForEachField<P>([&](const auto& field) {
          equal = equal && left.*field.member == std::get<P>(b).*field.member;
        });
        return equal;
      },
      a);
}

uint64_t HashOf(const Primitive& primitive) {
  Hasher hasher;
  hasher.Add(primitive.index());
  std::visit(
      [&](const auto& p) {
        ForEachField<std::decay_t<decltype(p)>>(
            [&](const auto& field) { AddTo(hasher, p.*field.member); });
      },
      primitive);
  return hasher.Value();
}

std::string ToText(const Primitive& primitive, const StageNames& names) {
  return std::visit(
      [&](const auto& p) {
        using P = std::decay_t<decltype(p)>;
        std::string text;
        ForEachField<P>([&](const auto& field) {
          using Member = std::decay_t<decltype(p.*field.member)>;
          if constexpr (std::is_same_v<Member, bool>) {
            if (p.*field.member == P().*field.member) return;
          }
          if (!text.empty()) text += ", ";
          text += std::string(field.name) + "=" + Print(p.*field.member, names);
        });
        return std::string(P::kName) + "(" + text + ")";
      },
      primitive);
}

Result<Primitive> ParsePrimitive(std::string_view line, const StageNames& names) {
  auto texts = SplitFields(line);
  if (!texts) return texts.error();
  std::vector<std::string> known;
  std::optional<Result<Primitive>> result;
  ForEachKind(
      [&](const auto* kind) {
        using P = std::decay_t<decltype(*kind)>;
        known.emplace_back(P::kName);
        if (P::kName == texts->name) result = ParseFields<P>(*texts, names);
      },
      kAllKinds);
  if (result) return *std::move(result);
  return ParseError(UnknownName("primitive", texts->name, known));
}

std::vector<PrimitiveEntry> AllPrimitives() {
  std::vector<PrimitiveEntry> entries;
  ForEachKind(
      [&](const auto* kind) {
        using P = std::decay_t<decltype(*kind)>;
        PrimitiveEntry entry{std::string(P::kName), {}, std::string(P::kHelp)};
        ForEachField<P>(
            [&](const auto& field) { entry.fields.emplace_back(field.name, field.help); });
        entries.push_back(std::move(entry));
      },
      kAllKinds);
  return entries;
}

}  // namespace schedulegym
