// Files of model states: a first line `schedulegym memory: KIND`, then the text; composite ones
// hold parts, each after a line `part BYTES KIND`, searched up to 3 levels deep. Two older formats
// are read. A file of another kind is refused with both names. Cost: O(bytes).
#include "env/base/model_state_file.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr std::string_view kHeader = "schedulegym memory: ";
constexpr std::string_view kPart = "part ";
constexpr size_t kMostLine = 128;
// Of parts within parts: a search's, whose agent's is made of its model's and others.
constexpr int kMostLevels = 3;

// What files of before the line begin with.
struct OldFile {
  std::string_view begin;
  const char* kind;
};
constexpr OldFile kOldFiles[] = {{"{", "boosted 1"}, {"schedulegym checkpoint 1\n", "harl 1"}};

bool IsOneOf(const SavedModelState& saved, const std::vector<std::string>& kinds) {
  return std::ranges::find(kinds, saved.kind) != kinds.end();
}

// What follows `begin` in the first line, and all after that; none where it begins otherwise.
std::optional<std::pair<std::string_view, std::string_view>> CutLine(std::string_view text,
                                                                     std::string_view begin) {
  const size_t end = text.substr(0, kMostLine).find('\n');
  if (!text.starts_with(begin) || end == text.npos) return std::nullopt;
  return std::pair(text.substr(begin.size(), end - begin.size()), text.substr(end + 1));
}

// A line `part BYTES KIND`, so many bytes, and the end of a line; they are cut off. None where they
// do not stand there.
std::optional<SavedModelState> TakePart(std::string_view& text) {
  const auto cut = CutLine(text, kPart);
  if (!cut) return std::nullopt;
  const auto [size, kind] = Cut(cut->first, ' ');
  const std::optional<int64_t> bytes = ParseInteger(size);
  const std::string_view rest = cut->second;
  if (!bytes || *bytes < 0 || *bytes >= std::ssize(rest)) return std::nullopt;
  const auto length = static_cast<size_t>(*bytes);
  if (rest[length] != '\n') return std::nullopt;
  text = rest.substr(length + 1);
  return SavedModelState{std::string(kind), std::string(rest.substr(0, length))};
}

// All of it; none of what is no text of parts.
std::optional<std::vector<SavedModelState>> TakeParts(std::string_view text) {
  std::vector<SavedModelState> parts;
  while (!text.empty()) {
    std::optional<SavedModelState> part = TakePart(text);
    if (!part) return std::nullopt;
    parts.push_back(*std::move(part));
  }
  return parts;
}

// Of these parts the first of such a kind; else of the parts that one is made of, so many levels
// deep.
std::optional<SavedModelState> FirstOf(const std::vector<SavedModelState>& parts,
                                       const std::vector<std::string>& kinds, int levels) {
  for (const SavedModelState& part : parts) {
    if (IsOneOf(part, kinds)) return part;
  }
  if (levels == 0) return std::nullopt;
  for (const SavedModelState& part : parts) {
    const auto inner = TakeParts(part.text);
    if (!inner) continue;
    const auto found = FirstOf(*inner, kinds, levels - 1);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

std::string JoinModelStates(const std::vector<SavedModelState>& parts) {
  std::string text;
  for (const SavedModelState& part : parts) {
    text += std::string(kPart) + std::to_string(part.text.size()) + " " + part.kind + "\n";
    text += part.text + "\n";
  }
  return text;
}

std::vector<SavedModelState> SplitModelStates(std::string_view text, const std::string& source) {
  std::optional<std::vector<SavedModelState>> parts = TakeParts(text);
  if (!parts) throw InputError(source + ": it is not made of whole parts");
  return *std::move(parts);
}

std::string ToBytes(const SavedModelState& saved) {
  return std::string(kHeader) + saved.kind + "\n" + saved.text;
}

SavedModelState ParseModelState(std::string bytes, const std::string& source) {
  for (const OldFile& old : kOldFiles) {
    if (bytes.starts_with(old.begin)) return {old.kind, std::move(bytes)};
  }
  if (const auto cut = CutLine(bytes, kHeader)) {
    return {std::string(cut->first), std::string(cut->second)};
  }
  throw InputError(source + ": found no file of tune --save-model, expected a first line '" +
                   std::string(kHeader) + "KIND'");
}

SavedModelState ReadModelState(const std::string& path, const FileKind& file,
                               const std::vector<std::string>& kinds) {
  const std::string source = "cannot read '" + path + "' as " + file.name;
  SavedModelState saved = ParseModelState(ReadUntrustedFile(path, file), source);
  if (IsOneOf(saved, kinds)) return saved;
  if (saved.text.starts_with(kPart)) {
    auto part = FirstOf(SplitModelStates(saved.text, source), kinds, kMostLevels);
    if (part) return *std::move(part);
  }
  throw InputError(source + ": found kind '" + saved.kind + "', expected '" +
                   Join(kinds, "' or '") + "'");
}

}  // namespace schedulegym
