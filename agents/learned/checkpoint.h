// Checkpoint: the learned state of an agent as named texts and numbers, and its file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace schedulegym {

// Numbers in row-major order.
template <typename Number>
struct NamedNumbers {
  std::vector<int64_t> shape;  // at least one dimension, each at least 0
  std::vector<Number> values;  // as many as the shape says

  bool operator==(const NamedNumbers&) const = default;
};

// A value type: entries in the order of Put, with unique names. The file has a line with its kind;
// for each entry a line (`floats actor.0 128x96`) and its bytes, little-endian; and a line with a
// checksum of it all. A version of this program reads its own files on any machine.
class Checkpoint {
 public:
  using Floats = NamedNumbers<float>;
  using Doubles = NamedNumbers<double>;
  using Words = NamedNumbers<uint64_t>;
  using Entry = std::variant<std::string, Floats, Doubles, Words>;

  // Requires a new name of at most 64 characters of [a-z0-9._-]. Floats and doubles are finite.
  // Anything else is a bug of the caller.
  void Put(const std::string& name, Entry entry);

  // Throw InputError, one line, if no entry has this name and kind, or its shape differs.
  const std::string& Text(const std::string& name) const;
  const Floats& FloatsOf(const std::string& name, const std::vector<int64_t>& shape) const;
  const Doubles& DoublesOf(const std::string& name, const std::vector<int64_t>& shape) const;
  // One dimension, of any length.
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

// Throws InputError, one line that begins with `source`, if the bytes are not such a file. Never
// reads beyond `bytes`, and allocates no more memory than their length.
Checkpoint ParseCheckpoint(std::string_view bytes, const std::string& source);

// The file need not be trusted (kCheckpointFile).
Checkpoint ReadCheckpoint(const std::string& path);

// Replaces the file atomically: a failure leaves the old file.
void WriteCheckpoint(const std::string& path, const Checkpoint& checkpoint);

}  // namespace schedulegym
