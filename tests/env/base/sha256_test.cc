#include "env/base/hash.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

std::string Of(std::string_view bytes) {
  Sha256 sum;
  sum.Add(bytes);
  return sum.ToText();
}

// The examples of FIPS 180-4 and of NIST's test vectors.
TEST(Sha256Test, AgreesWithTheStandardsExamples) {
  EXPECT_EQ(Of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(Of("\xbd"), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
}

TEST(Sha256Test, PiecesAreTheWholeAtEveryLength) {
  for (size_t size = 0; size < 200; ++size) {
    const std::string bytes(size, 'x');
    Sha256 pieces;
    for (size_t i = 0; i < size; i += 7) pieces.Add(std::string_view(bytes).substr(i, 7));
    EXPECT_EQ(pieces.ToText(), Of(bytes)) << size;
    EXPECT_EQ(pieces.ToText(), Of(bytes)) << "asking changes nothing";
  }
}

}  // namespace
}  // namespace schedulegym
