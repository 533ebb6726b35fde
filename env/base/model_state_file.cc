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
// Nesting of parts: a search's state holds its agent's, and that holds the states of its models.
constexpr int kMostLevels = 3;

// First bytes of files that were written before there was the header line.
struct OldFile {
  std::string_view begin;
  const char* kind;
};
constexpr OldFile kOldFiles[] = {{"{", "boosted 1"}, {"schedulegym checkpoint 1\n", "harl 1"}};

bool IsOneOf(const SavedModelState& saved, const std::vector<std::string>& kinds) {
  return std::ranges::find(kinds, saved.kind) != kinds.end();
}

// The rest of the first line after `begin`, and the text after that line. nullopt where the text
// starts otherwise.
std::optional<std::pair<std::string_view, std::string_view>> CutLine(std::string_view text,
                                                                     std::string_view begin) {
  const size_t end = text.substr(0, kMostLine).find('\n');
  if (!text.starts_with(begin) || end == text.npos) return std::nullopt;
  return std::pair(text.substr(begin.size(), end - begin.size()), text.substr(end + 1));
}

// Removes a line `part BYTES KIND`, that many bytes and a newline from the front of the text.
// nullopt where the text does not start so.
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

// Splits the whole text into parts; nullopt where it is no sequence of parts.
std::optional<std::vector<SavedModelState>> TakeParts(std::string_view text) {
  std::vector<SavedModelState> parts;
  while (!text.empty()) {
    std::optional<SavedModelState> part = TakePart(text);
    if (!part) return std::nullopt;
    parts.push_back(*std::move(part));
  }
  return parts;
}

// The first part of one of these kinds; else the first one within the parts, at most `levels` deep.
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
