#include "tests/fuzz/files/text_change.h"

#include <cctype>

namespace schedulegym {
namespace {

using Words = std::vector<std::string>;

size_t PlaceIn(size_t size, Rng& rng) {
  return size == 0 ? 0 : static_cast<size_t>(rng.Below(static_cast<int64_t>(size)));
}

bool IsWordPart(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '.';
}

// Splits into words, single signs, spaces and newlines; joined they are the text.
Words WordsOf(const std::string& text) {
  Words words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (IsWordPart(text[at]) && end < text.size() && IsWordPart(text[end])) ++end;
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string Joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word;
  return text;
}

enum class WordKind : uint8_t { kName, kNumber, kSign };

WordKind KindOf(const std::string& word) {
  if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) return WordKind::kNumber;
  return IsWordPart(word[0]) ? WordKind::kName : WordKind::kSign;
}

// Positions of the words of a kind.
std::vector<size_t> PlacesOf(const Words& words, WordKind kind) {
  std::vector<size_t> places;
  for (size_t i = 0; i < words.size(); ++i) {
    if (KindOf(words[i]) == kind) places.push_back(i);
  }
  return places;
}

void ChangeNumber(Words& words, Rng& rng) {
  const std::vector<size_t> places = PlacesOf(words, WordKind::kNumber);
  if (!places.empty()) words[places[PlaceIn(places.size(), rng)]] = SomeNumber(rng);
}

// Replaces a name by another one of the text.
void ExchangeName(Words& words, Rng& rng) {
  const std::vector<size_t> places = PlacesOf(words, WordKind::kName);
  if (places.empty()) return;
  words[places[PlaceIn(places.size(), rng)]] = words[places[PlaceIn(places.size(), rng)]];
}

void ExchangeSign(Words& words, Rng& rng) {
  constexpr const char* kSigns[] = {
      "+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", "&&", "||",
      "!", ",", "(", ")", "[",  "]", "=", ":",  "\n", "#",  " "};
  const std::vector<size_t> places = PlacesOf(words, WordKind::kSign);
  if (places.empty()) return;
  words[places[PlaceIn(places.size(), rng)]] =
      kSigns[static_cast<size_t>(rng.Below(std::ssize(kSigns)))];
}

Words LinesOf(const std::string& text) {
  Words lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

// Removes, doubles or moves a line, or takes one from another file.
void ChangeLines(std::string& text, const std::vector<std::string>& seeds, Rng& rng) {
  Words lines = LinesOf(text);
  if (lines.empty()) return;
  const auto from = lines.begin() + static_cast<std::ptrdiff_t>(PlaceIn(lines.size(), rng));
  const auto to = static_cast<std::ptrdiff_t>(PlaceIn(lines.size(), rng));
  const std::string line = *from;
  switch (rng.Below(4)) {
    case 0: lines.erase(from); break;
    case 1: lines.insert(lines.begin() + to, line); break;
    case 2:
      lines.erase(from);
      lines.insert(lines.begin() + std::min<std::ptrdiff_t>(to, std::ssize(lines)), line);
      break;
    default: {
      const Words others = LinesOf(AnyOf(seeds, rng));
      lines.insert(lines.begin() + to, others[PlaceIn(others.size(), rng)]);
    }
  }
  text = Joined(lines);
}

// Repeats a part of the text very often, or nests a value in many brackets.
void Grow(std::string& text, Rng& rng) {
  const auto times = static_cast<size_t>(int64_t{1} << rng.Below(14));
  const size_t at = PlaceIn(text.size(), rng);
  if (rng.Chance(0.3)) {
    const std::string open = rng.Chance(0.5) ? "(" : "-";
    std::string grown;
    for (size_t i = 0; i < times; ++i) grown += open;
    text.insert(at, grown);
    return;
  }
  const std::string part = text.substr(at, 1 + static_cast<size_t>(rng.Below(60)));
  std::string grown;
  for (size_t i = 0; i < times && grown.size() < (1 << 20); ++i) grown += part;
  text.insert(at, grown);
}

// Writes a sum of many terms, or a long chain of definitions: large and valid.
void Lengthen(std::string& text, Rng& rng) {
  const int64_t count = int64_t{1} << rng.Below(12);
  Words lines = LinesOf(text);
  if (lines.empty()) return;
  std::string& line = lines[PlaceIn(lines.size(), rng)];
  const bool ends = !line.empty() && line.back() == '\n';
  std::string grown = ends ? line.substr(0, line.size() - 1) : line;
  for (int64_t i = 0; i < count; ++i) grown += rng.Chance(0.5) ? " + 1" : " * 2";
  line = grown + (ends ? "\n" : "");
  text = Joined(lines);
}

}  // namespace

const std::string& AnyOf(const std::vector<std::string>& texts, Rng& rng) {
  return texts[static_cast<size_t>(rng.Below(std::ssize(texts)))];
}

std::string SomeNumber(Rng& rng) {
  constexpr const char* kNumbers[] = {"0",
                                      "1",
                                      "2",
                                      "3",
                                      "4",
                                      "5",
                                      "7",
                                      "8",
                                      "13",
                                      "16",
                                      "31",
                                      "32",
                                      "63",
                                      "64",
                                      "100",
                                      "127",
                                      "128",
                                      "255",
                                      "256",
                                      "512",
                                      "1000",
                                      "4096",
                                      "65535",
                                      "65536",
                                      "1000000",
                                      "16777216",
                                      "2147483647",
                                      "2147483648",
                                      "4294967295",
                                      "9007199254740993",
                                      "1152921504606846976",
                                      "4611686018427387903",
                                      "4611686018427387904",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "1.5",
                                      "1e-5",
                                      "1e308",
                                      "0.0"};
  // Mostly a valid number.
  if (rng.Chance(0.6)) return std::to_string(1 + rng.Below(16));
  return kNumbers[static_cast<size_t>(rng.Below(std::ssize(kNumbers)))];
}

void ChangeBytes(std::string& text, Rng& rng) {
  const size_t at = PlaceIn(text.size(), rng);
  const auto length = static_cast<size_t>(1 + rng.Below(40));
  switch (rng.Below(5)) {
    case 0:
      if (!text.empty()) text[at] = static_cast<char>(text[at] ^ 1 << rng.Below(8));
      break;
    case 1: text.erase(at, length); break;
    case 2: text.insert(at, length, static_cast<char>(rng.Below(256))); break;
    case 3: text.insert(at, text.substr(PlaceIn(text.size(), rng), length)); break;
    default: text.resize(at);
  }
}

std::string ChangedText(const std::vector<std::string>& seeds, Rng& rng) {
  std::string text = AnyOf(seeds, rng);
  // A text with more than one change can rarely be parsed.
  const int64_t changes = rng.Chance(0.7) ? 1 : 1 + rng.Below(4);
  for (int64_t i = 0; i < changes; ++i) {
    const int64_t kind = rng.Below(100);
    if (kind < 70) {
      Words words = WordsOf(text);
      if (kind < 40) ChangeNumber(words, rng);
      if (kind >= 40 && kind < 60) ExchangeName(words, rng);
      if (kind >= 60) ExchangeSign(words, rng);
      text = Joined(words);
    } else if (kind < 86) {
      ChangeLines(text, seeds, rng);
    } else if (kind < 92) {
      Lengthen(text, rng);
    } else if (kind < 94) {
      Grow(text, rng);
    } else {
      ChangeBytes(text, rng);
    }
  }
  return text;
}

}  // namespace schedulegym
