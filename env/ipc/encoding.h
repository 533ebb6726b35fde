// Encoding: converts plain structs to bytes and back, by the list of their fields.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "env/base/result.h"

namespace schedulegym {

// A struct can be encoded if it has `static constexpr auto Fields() { return std::tuple(&T::a,
// ...)}`.
template <typename T>
concept HasFields = requires {
  T::Fields();
};

// Writes values as bytes. A number takes 8 bytes, little-endian. A string or vector starts with its
// size, an optional with a count of 0 or 1.
class Encoder {
 public:
  template <std::integral T>
  void Add(T value) {
    PutWord(static_cast<uint64_t>(value));
  }
  void Add(double value) { PutWord(std::bit_cast<uint64_t>(value)); }
  void Add(float value) { Add(static_cast<double>(value)); }
  void Add(const std::string& text) {
    PutWord(text.size());
    bytes_ += text;
  }
  template <typename T>
  void Add(const std::vector<T>& list) {
    PutWord(list.size());
    for (const T& item : list) Add(item);
  }
  template <typename T>
  void Add(const std::optional<T>& value) {
    PutWord(value ? 1 : 0);
    if (value) Add(*value);
  }
  template <HasFields T>
  void Add(const T& value) {
    std::apply([&](auto... members) { (Add(value.*members), ...); }, T::Fields());
  }

  std::string Take() { return std::move(bytes_); }

 private:
  void PutWord(uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }

  std::string bytes_;
};

// Reads the bytes of an Encoder. After the first error it reads no more; Finished() is then false.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  template <std::integral T>
  void Read(T& value) {
    const uint64_t word = TakeWord();
    value = static_cast<T>(word);
    // A number that changes in the conversion is too large for its field.
    if (static_cast<uint64_t>(value) != word) ok_ = false;
  }
  void Read(bool& value) {
    const uint64_t word = TakeWord();
    value = word == 1;
    if (word > 1) ok_ = false;
  }
  void Read(double& value) { value = std::bit_cast<double>(TakeWord()); }
  void Read(float& value) {
    const uint64_t word = TakeWord();
    value = static_cast<float>(std::bit_cast<double>(word));
    if (std::bit_cast<uint64_t>(static_cast<double>(value)) != word) ok_ = false;
  }
  void Read(std::string& text) {
    const uint64_t size = TakeCount(1);
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  template <typename T>
  void Read(std::vector<T>& list) {
    // Every item takes at least one word. The size of the message therefore bounds the memory,
    // even if the count is wrong.
    const uint64_t count = TakeCount(8);
    list.clear();
    for (uint64_t i = 0; i < count && ok_; ++i) Read(list.emplace_back());
  }
  template <typename T>
  void Read(std::optional<T>& value) {
    const uint64_t count = TakeWord();
    if (count > 1) ok_ = false;
    value.reset();
    if (ok_ && count == 1) Read(value.emplace());
  }
  template <HasFields T>
  void Read(T& value) {
    std::apply([&](auto... members) { (Read(value.*members), ...); }, T::Fields());
  }

  // Whether all values were read without error and no bytes are left.
  bool Finished() const { return ok_ && rest_.empty(); }

 private:
  uint64_t TakeWord() {
    if (!ok_ || rest_.size() < 8) {
      ok_ = false;
      return 0;
    }
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value |= uint64_t{static_cast<unsigned char>(rest_[i])} << (8 * i);
    rest_.remove_prefix(8);
    return value;
  }
  uint64_t TakeCount(uint64_t least_bytes) {
    const uint64_t count = TakeWord();
    if (count <= rest_.size() / least_bytes) return count;
    ok_ = false;
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

template <HasFields T>
std::string Encode(const T& value) {
  Encoder encoder;
  encoder.Add(value);
  return encoder.Take();
}

// GCC 12 warns wrongly that the vectors of an empty optional are read uninitialised.
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
// Returns the error kParse if the bytes are not exactly one T.
template <HasFields T>
Result<T> Decode(std::string_view bytes) {
  Decoder decoder(bytes);
  T value;
  decoder.Read(value);
  if (decoder.Finished()) return value;
  std::string message = "found bytes that are no ";
  return Error{ErrorKind::kParse, message.append(T::kName)};
}
#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif

}  // namespace schedulegym
