// The bytes of a checkpoint: a header, entries of a line and the bytes that it announces, and a
// checksum of all before it:
//   schedulegym checkpoint 1
//   text features 7, then "ansor 3"
//   floats actor.0 2x3, then 24 bytes, little-endian, and the end of the line
//   sum 0123456789abcdef0123456789abcdef
// Kinds are text, floats, doubles, words (uint64). Throws InputError for another header, sizes
// beyond the file, numbers that are not finite, a repeated name, more than 4096 entries, a wrong
// sum. Cost: O(bytes).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "agents/learned/checkpoint_bytes_internal.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/hash.h"
#include "env/base/text.h"
#include "env/base/utf8.h"

namespace schedulegym {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

constexpr std::string_view kHeader = "schedulegym checkpoint 1\n";
constexpr std::string_view kSum = "sum ";
constexpr int64_t kMostEntries = 4096;  // far above any network of ours
constexpr size_t kMostName = 64, kMostDimensions = 4;

std::string SumOf(std::string_view bytes) {
  Hasher hasher;
  hasher.Add(bytes);
  return hasher.KeyValue().ToText();
}

// nullopt if the count is larger than `most`, the numbers that may follow.
std::optional<int64_t> CountOf(const std::vector<int64_t>& shape, int64_t most) {
  int64_t count = 1;
  for (const int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    if (extent > 0 && count > most / extent) return std::nullopt;
    count *= extent;
  }
  return count;
}

template <typename Number>
std::string WhyUnfitNumbers(const NamedNumbers<Number>& numbers) {
  if (numbers.shape.empty() || numbers.shape.size() > kMostDimensions) {
    return "numbers have one to four dimensions";
  }
  const int64_t held = std::ssize(numbers.values);
  if (CountOf(numbers.shape, held) != held) return "numbers are not as many as their shape says";
  if constexpr (std::is_floating_point_v<Number>) {
    for (const Number number : numbers.values) {
      if (!std::isfinite(number)) return "numbers are not finite";
    }
  }
  return "";
}

std::string LineOf(const std::string& name, const Checkpoint::Entry& entry) {
  if (const auto* text = std::get_if<std::string>(&entry)) {
    return "text " + name + " " + std::to_string(text->size()) + "\n";
  }
  if (const auto* floats = std::get_if<Checkpoint::Floats>(&entry)) {
    return "floats " + name + " " + Join(floats->shape, "x") + "\n";
  }
  if (const auto* doubles = std::get_if<Checkpoint::Doubles>(&entry)) {
    return "doubles " + name + " " + Join(doubles->shape, "x") + "\n";
  }
  return "words " + name + " " + Join(std::get<Checkpoint::Words>(entry).shape, "x") + "\n";
}

template <typename Number>
std::string_view BytesOf(const NamedNumbers<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.values.data()),
          numbers.values.size() * sizeof(Number)};
}
std::string_view BytesOf(const std::string& text) { return text; }

// Reads the bytes once, in order.
class Reader {
 public:
  Reader(std::string_view bytes, std::string source) : left_(bytes), source_(std::move(source)) {}

  Checkpoint Read() {
    const size_t length = left_.size();
    const std::string_view all = left_;
    if (!left_.starts_with(kHeader)) Refuse("it does not begin with " + Quoted(kHeader));
    left_.remove_prefix(kHeader.size());
    Checkpoint checkpoint;
    while (!left_.starts_with(kSum)) {
      if (std::ssize(checkpoint.entries()) == kMostEntries) Refuse("more than 4096 entries");
      ReadEntry(checkpoint);
    }
    const std::string expected = SumOf(all.substr(0, length - left_.size()));
    const std::string found(TakeLine().substr(kSum.size()));
    if (found != expected) Refuse("its checksum is not that of its bytes: it is damaged");
    if (!left_.empty()) Refuse("something follows its checksum");
    return checkpoint;
  }

 private:
  [[noreturn]] void Refuse(const std::string& why) const {
    throw InputError("cannot read '" + source_ + "' as a checkpoint: " + why);
  }
  static std::string Quoted(std::string_view line) {
    return "'" + std::string(Trim(BeginOf(line, 80))) + "'";
  }

  std::string_view TakeLine() {
    constexpr size_t kMostLine = 256;
    const size_t end = left_.substr(0, kMostLine).find('\n');
    if (end == left_.npos) Refuse(left_.empty() ? "it ends too early" : "a line without an end");
    const std::string_view line = left_.substr(0, end);
    left_.remove_prefix(end + 1);
    return line;
  }

  // Takes `count` bytes and the end of the line after them.
  std::string_view TakeBytes(int64_t count) {
    if (count >= std::ssize(left_)) Refuse("it ends too early");
    const std::string_view bytes = left_.substr(0, static_cast<size_t>(count));
    left_.remove_prefix(static_cast<size_t>(count));
    if (left_.front() != '\n') Refuse("an entry is longer than its line says");
    left_.remove_prefix(1);
    return bytes;
  }

  void ReadEntry(Checkpoint& checkpoint) {
    const std::string_view line = TakeLine();
    const auto [kind, rest] = Cut(line, ' ');
    const auto [name, shape] = Cut(rest, ' ');
    if (!IsEntryName(name) || shape.empty()) {
      Refuse("found " + Quoted(line) + ", expected a kind, a name and a size");
    }
    if (!names_.emplace(name).second) Refuse("'" + std::string(name) + "' stands in it twice");
    Checkpoint::Entry entry = EntryOf(kind, ShapeOf(shape));
    if (const std::string why = WhyUnfit(entry); !why.empty()) {
      Refuse("'" + std::string(name) + "': " + why);
    }
    checkpoint.Put(std::string(name), std::move(entry));
  }

  std::vector<int64_t> ShapeOf(std::string_view text) const {
    std::vector<int64_t> shape;
    for (std::string_view rest = text; !rest.empty();) {
      const auto [word, others] = Cut(rest, 'x');
      const std::optional<int64_t> extent = ParseInteger(word);
      const bool ends_in_x = others.empty() && rest.size() != word.size();
      if (!extent || *extent < 0 || ends_in_x || shape.size() == kMostDimensions) {
        Refuse("found the size " + Quoted(text) + ", expected one such as 128x96");
      }
      shape.push_back(*extent);
      rest = others;
    }
    return shape;
  }

  Checkpoint::Entry EntryOf(std::string_view kind, const std::vector<int64_t>& shape) {
    if (kind == "floats") return Numbers<float>(shape);
    if (kind == "doubles") return Numbers<double>(shape);
    if (kind == "words") return Numbers<uint64_t>(shape);
    if (kind != "text") {
      Refuse("found " + Quoted(kind) + ", expected text, floats, doubles or words");
    }
    if (shape.size() != 1) Refuse("a text has one size");
    return std::string(TakeBytes(shape[0]));
  }

  template <typename Number>
  NamedNumbers<Number> Numbers(const std::vector<int64_t>& shape) {
    const int64_t most = std::ssize(left_) / static_cast<int64_t>(sizeof(Number));
    const std::optional<int64_t> count = CountOf(shape, most);
    if (!count) Refuse("it ends too early");
    const std::string_view bytes = TakeBytes(*count * static_cast<int64_t>(sizeof(Number)));
    NamedNumbers<Number> numbers = {shape, std::vector<Number>(static_cast<size_t>(*count))};
    if (!bytes.empty()) std::memcpy(numbers.values.data(), bytes.data(), bytes.size());
    return numbers;
  }

  std::string_view left_;
  std::string source_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace

bool IsEntryName(std::string_view name) {
  const auto is_fit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kMostName && std::all_of(name.begin(), name.end(), is_fit);
}

std::string WhyUnfit(const Checkpoint::Entry& entry) {
  return std::visit(
      [](const auto& held) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>)
          return "";
        else
          return WhyUnfitNumbers(held);
      },
      entry);
}

std::string ToBytes(const Checkpoint& checkpoint) {
  SG_CHECK(std::ssize(checkpoint.entries()) <= kMostEntries, "no more than its reader takes");
  std::string bytes(kHeader);
  for (const auto& [name, entry] : checkpoint.entries()) {
    bytes += LineOf(name, entry);
    bytes += std::visit([](const auto& held) { return BytesOf(held); }, entry);
    bytes += '\n';
  }
  return bytes + std::string(kSum) + SumOf(bytes) + "\n";
}

Checkpoint ParseCheckpoint(std::string_view bytes, const std::string& source) {
  return Reader(bytes, source).Read();
}

}  // namespace schedulegym
