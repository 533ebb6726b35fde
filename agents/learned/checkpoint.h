// Checkpoint: what an agent has learned, as named texts and numbers, and its file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace schedulegym {

// Numbers in rows, the last dimension running fastest.
template <typename Number>
struct NamedNumbers {
  std::vector<int64_t> shape;  // one dimension at least, each at least 0
  std::vector<Number> values;  // as many as the shape says

  bool operator==(const NamedNumbers&) const = default;
};

// A value: entries in the order in which they were put, each name once. The file is a line that
// says what it is, of each entry a line (`floats actor.0 128x96`) and its bytes, little-endian, and
// a line with a checksum of it all; a version of this program reads what it wrote itself, on any
// machine.
class Checkpoint {
 public:
  using Floats = NamedNumbers<float>;
  using Doubles = NamedNumbers<double>;
  using Words = NamedNumbers<uint64_t>;
  using Entry = std::variant<std::string, Floats, Doubles, Words>;

  // Names are of [a-z0-9._-], at most 64 of them; floats and doubles are finite. A bug otherwise,
  // and where the name is there already.
  void Put(const std::string& name, Entry entry);

  // Throw InputError, one line, where there is none of that name and kind, or of another shape.
  const std::string& Text(const std::string& name) const;
  const Floats& FloatsOf(const std::string& name, const std::vector<int64_t>& shape) const;
  const Doubles& DoublesOf(const std::string& name, const std::vector<int64_t>& shape) const;
  // Of any length: one dimension.
  const std::vector<double>& Numbers(const std::string& name) const;
  const std::vector<uint64_t>& WordsOf(const std::string& name) const;

  bool Has(const std::string& name) const { return Find(name) != nullptr; }
  const std::vector<std::pair<std::string, Entry>>& entries() const { return entries_; }

  bool operator==(const Checkpoint&) const = default;

 private:
  const Entry* Find(const std::string& name) const;

  std::vector<std::pair<std::string, Entry>> entries_;
};

// The bytes of a file.
std::string ToBytes(const Checkpoint& checkpoint);

// Throws InputError, one line that begins with `source`, where the bytes are no such file: never
// reads beyond them, and takes no more memory than they are long.
Checkpoint ParseCheckpoint(std::string_view bytes, const std::string& source);

// A foreign file: kCheckpointFile.
Checkpoint ReadCheckpoint(const std::string& path);

// It appears whole, in place of what stood there, or not at all.
void WriteCheckpoint(const std::string& path, const Checkpoint& checkpoint);

}  // namespace schedulegym
