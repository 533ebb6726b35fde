// Stable hashes: the same bytes give the same key on every machine; SHA-256 for files that travel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schedulegym {

// A 128-bit key. Its text is 32 lower-case hex digits.
struct Key {
  uint64_t high = 0;
  uint64_t low = 0;

  bool operator==(const Key&) const = default;
  auto operator<=>(const Key&) const = default;
  std::string ToText() const;
};

// nullopt unless `text` has exactly the form of Key::ToText.
std::optional<Key> ParseKey(std::string_view text);

// Feeds numbers and texts into two independent 64-bit lanes. Not cryptographic.
class Hasher {
 public:
  void Add(uint64_t value) {
    a_ = Mix(a_ ^ value, 0x9e3779b97f4a7c15u);
    b_ = Mix(b_ + value, 0xc2b2ae3d27d4eb4fu);
  }
  void Add(std::string_view text);

  uint64_t Value() const { return Mix(a_, 0xff51afd7ed558ccdu); }
  Key KeyValue() const { return {Value(), Mix(b_, 0xc4ceb9fe1a85ec53u)}; }

 private:
  static uint64_t Mix(uint64_t value, uint64_t factor) {
    const unsigned __int128 product =
        static_cast<unsigned __int128>(value ^ (value >> 32)) * factor;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64) ^
           0x2545f4914f6cdd1du;
  }

  uint64_t a_ = 0x243f6a8885a308d3u;
  uint64_t b_ = 0x13198a2e03707344u;
};

// Hash for tables of keys. A key is already a hash.
struct KeyHash {
  size_t operator()(const Key& key) const { return static_cast<size_t>(key.low); }
};

// SHA-256 (FIPS 180-4), for files that travel.
class Sha256 {
 public:
  void Add(std::string_view bytes);
  // Returns the digest of all bytes added so far, as 64 lower-case hex digits.
  std::string ToText() const;

 private:
  void Digest(const unsigned char* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};  // its first size_ % 64 bytes are pending
  uint64_t size_ = 0;                      // bytes added
};

}  // namespace schedulegym
