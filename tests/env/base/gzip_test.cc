#include "env/base/gzip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// printf 'hello curves\n' | gzip -n
const std::string kHello(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x57\x48\x2e\x2d\x2a\x4b\x2d\xe6"
    "\x02\x00\x8e\xd4\xe0\x86\x0d\x00\x00\x00",
    33);
constexpr int64_t kMany = 1 << 20;

std::string ComplaintAbout(const std::string& bytes, int64_t most = kMany) {
  return InputFaultOf([&] { Gunzip(bytes, most); });
}

TEST(GzipTest, GivesWhatWasCompressed) {
  EXPECT_TRUE(IsGzip(kHello));
  EXPECT_EQ(Gunzip(kHello, kMany), "hello curves\n");
  EXPECT_EQ(Gunzip(kHello + kHello, kMany), "hello curves\nhello curves\n") << "joined files";
  for (const char* text : {"", "\x1f", "{\"schedulegym_curve\": 1}"}) EXPECT_FALSE(IsGzip(text));
}

TEST(GzipTest, WhatIsCutShortIsRefusedWhereverItIsCut) {
  for (size_t length = 2; length < kHello.size(); ++length) {
    EXPECT_THAT(ComplaintAbout(kHello.substr(0, length)), HasSubstr("are cut short")) << length;
    EXPECT_THAT(ComplaintAbout(kHello + kHello.substr(0, length)), HasSubstr("are cut short"));
  }
}

TEST(GzipTest, WhatIsTornIsRefused) {
  for (const size_t at : {2, 10, 20, 26, 30}) {
    std::string torn = kHello;
    torn[at] = static_cast<char>(~torn[at]);
    EXPECT_THAT(ComplaintAbout(torn), HasSubstr("its compressed data are ")) << at;
  }
  EXPECT_THAT(ComplaintAbout(kHello + "more"), HasSubstr("are torn"));
}

TEST(GzipTest, WhatHoldsTooMuchIsRefused) {
  EXPECT_EQ(Gunzip(kHello, 13), "hello curves\n");
  EXPECT_EQ(ComplaintAbout(kHello, 12), "it holds more than 12 bytes");
}

class PackedFileTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::string Read(const std::string& bytes, int64_t most = kMany) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    return ReadPackedFile(path_, {"a note", most});
  }

  std::string ComplaintAbout(const std::string& bytes, int64_t most = kMany) const {
    return InputFaultOf([&] { Read(bytes, most); });
  }

  const std::string path_ = testing::TempDir() + "packed_" + std::to_string(getpid()) + ".note";
};

TEST_F(PackedFileTest, ReadsWhatIsCompressedAndWhatIsNot) {
  EXPECT_EQ(Read(kHello), "hello curves\n");
  for (const char* text : {"", "\x1f", "hello curves\n"}) EXPECT_EQ(Read(text), text);
}

TEST_F(PackedFileTest, RefusalsAreOneLineWithTheFileAndTheKind) {
  const std::string begin = "cannot read '" + path_ + "': ";
  EXPECT_EQ(ComplaintAbout(kHello.substr(0, 20)),
            begin + "its compressed data are cut short, expected a note");
  EXPECT_EQ(ComplaintAbout(kHello + "more"),
            begin + "its compressed data are torn, expected a note");
}

TEST_F(PackedFileTest, TheLimitHoldsForWhatIsUnpacked) {
  // head -c 1000 /dev/zero | gzip -n9
  const std::string zeros(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x63\x60\x18\x05\xa3\x60\x14\x0c\x77\x00\x00\x80"
      "\x17\x0b\x06\xe8\x03\x00\x00",
      29);
  EXPECT_EQ(Read(zeros, 1000), std::string(1000, '\0'));
  EXPECT_EQ(ComplaintAbout(zeros, 999),
            "cannot read '" + path_ + "': it holds more than 999 bytes, expected a note");
}

}  // namespace
}  // namespace schedulegym
