#include "env/base/hash.h"

#include <bit>
#include <cstring>

namespace schedulegym {
namespace {

constexpr uint32_t kRounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t Word(const unsigned char* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

uint32_t SmallSigma(uint32_t x, int a, int b, int shift) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ (x >> shift);
}

uint32_t LargeSigma(uint32_t x, int a, int b, int c) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ std::rotr(x, c);
}

}  // namespace

std::string Key::ToText() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (int i = 0; i < 16; ++i) {
    text[15 - i] = kDigits[(high >> (4 * i)) & 15];
    text[31 - i] = kDigits[(low >> (4 * i)) & 15];
  }
  return text;
}

std::optional<Key> ParseKey(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  uint64_t words[2] = {0, 0};
  for (size_t i = 0; i < text.size(); ++i) {
    const char digit = text[i];
    const bool decimal = digit >= '0' && digit <= '9';
    if (!decimal && (digit < 'a' || digit > 'f')) return std::nullopt;
    words[i / 16] = words[i / 16] << 4 | static_cast<uint64_t>(digit - (decimal ? '0' : 'a' - 10));
  }
  return Key{words[0], words[1]};
}

void Hasher::Add(std::string_view text) {
  Add(static_cast<uint64_t>(text.size()));
  while (!text.empty()) {
    uint64_t word = 0;
    const size_t count = text.size() < 8 ? text.size() : 8;
    for (size_t i = 0; i < count; ++i) {
      word |= static_cast<uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
    }
    Add(word);
    text.remove_prefix(count);
  }
}

void Sha256::Digest(const unsigned char* block) {
  uint32_t w[64];
  for (int i = 0; i < 16; ++i) w[i] = Word(block + 4 * i);
  for (int i = 16; i < 64; ++i) {
    w[i] =
        w[i - 16] + SmallSigma(w[i - 15], 7, 18, 3) + w[i - 7] + SmallSigma(w[i - 2], 17, 19, 10);
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (int i = 0; i < 64; ++i) {
    const uint32_t t1 = h + LargeSigma(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
    const uint32_t t2 = LargeSigma(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const uint32_t sums[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state_[i] += sums[i];
}

void Sha256::Add(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t filled = size_ % block_.size();
    const size_t count = std::min(block_.size() - filled, bytes.size());
    std::memcpy(block_.data() + filled, bytes.data(), count);
    size_ += count;
    bytes.remove_prefix(count);
    if (size_ % block_.size() == 0) Digest(block_.data());
  }
}

std::string Sha256::ToText() const {
  Sha256 padded = *this;
  std::string padding(1, '\x80');
  padding.append((119 - size_ % 64) % 64, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) {
    padding.push_back(static_cast<char>(size_ * 8 >> shift));
  }
  padded.Add(padding);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint32_t word : padded.state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text.push_back(kDigits[word >> shift & 15]);
  }
  return text;
}

}  // namespace schedulegym
