// SHA-256 (FIPS 180-4), for files that travel.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace schedulegym {

class Sha256 {
 public:
  void Add(std::string_view bytes);
  // Of all that was added so far, 64 lower-case hex digits.
  std::string ToText() const;

 private:
  void Digest(const unsigned char* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};  // its first size_ % 64 bytes wait
  uint64_t size_ = 0;                      // bytes added
};

}  // namespace schedulegym
