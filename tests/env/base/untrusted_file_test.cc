#include "env/base/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr FileKind kSmall = {"a note", 100};

class UntrustedFileTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string Written(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
    return Path(name);
  }

  // The error of both read functions, which is the same.
  static std::string FaultOf(const std::string& path, const FileKind& kind = kSmall) {
    const std::string fault = FaultOfCall([&] { ReadUntrustedFile(path, kind); });
    EXPECT_EQ(FaultOfCall([&] { OpenUntrustedFile(path, kind); }), fault);
    EXPECT_EQ(fault.find('\n'), std::string::npos);
    return fault;
  }

  static std::string FaultOfCall(const std::function<void()>& call) {
    try {
      call();
      return "none";
    } catch (const InputError& error) {
      return error.what();
    }
  }

 private:
  std::string folder_ = testing::TempDir() + "foreign_file_" + std::to_string(getpid());
};

TEST_F(UntrustedFileTest, GivesTheBytesOfAFile) {
  const std::string bytes("a\0b\r\n\xff", 6);
  EXPECT_EQ(ReadUntrustedFile(Written("a", bytes), kSmall), bytes);
  EXPECT_EQ(ReadUntrustedFile(Written("empty", ""), kSmall), "");
  for (const auto& [text, rest] :
       {std::pair("\ufeffabc", "abc"), {"\ufeff", ""}, {"a\ufeff", "a\ufeff"}}) {
    EXPECT_EQ(ReadUntrustedFile(Written("marked", text), kSmall), rest);
    std::ifstream marked = OpenUntrustedFile(Path("marked"), kSmall);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(marked), {}), rest);
  }
  const std::string most(100, 'x');
  EXPECT_EQ(ReadUntrustedFile(Written("most", most), kSmall), most);
  std::ifstream stream = OpenUntrustedFile(Path("a"), kSmall);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), bytes);
}

TEST_F(UntrustedFileTest, FollowsLinks) {
  std::filesystem::create_symlink(Written("a", "text"), Path("link"));
  EXPECT_EQ(ReadUntrustedFile(Path("link"), kSmall), "text");
}

TEST_F(UntrustedFileTest, SaysWhatIsMissing) {
  EXPECT_EQ(FaultOf(Path("none")),
            "cannot read '" + Path("none") + "': No such file or directory, expected a note");
}

TEST_F(UntrustedFileTest, RefusesWhatIsNoFile) {
  EXPECT_THAT(FaultOf(Path(".")), HasSubstr("Is a directory, expected a note"));
  EXPECT_THAT(FaultOf("/dev/zero"), HasSubstr("it is a device, expected a note"));
  EXPECT_THAT(FaultOf("/dev/null"), HasSubstr("it is a device"));
}

// No process ever writes into the FIFO.
TEST_F(UntrustedFileTest, DoesNotWaitForAFifo) {
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0600), 0);
  EXPECT_THAT(FaultOf(Path("fifo")), HasSubstr("it is a FIFO, expected a note"));
}

TEST_F(UntrustedFileTest, RefusesWhatIsTooLargeUnread) {
  const std::string path = Written("large", "");
  std::filesystem::resize_file(path, int64_t{3} << 40);  // of holes
  EXPECT_THAT(FaultOf(path, kTableFile), HasSubstr("larger than 256 MiB, the most that a table"));
  EXPECT_THAT(FaultOf(Written("101", std::string(101, 'x'))), HasSubstr("larger than"));
}

// The size of this file is 0 until it is read.
TEST_F(UntrustedFileTest, StopsReadingWhatIsLargerThanItSaid) {
  EXPECT_GT(ReadUntrustedFile("/proc/self/status", kTraceFile).size(), 100u);
  EXPECT_THAT(FaultOfCall([] { ReadUntrustedFile("/proc/self/status", kSmall); }),
              HasSubstr("larger than"));
}

TEST_F(UntrustedFileTest, StandardInputMayBeAnythingButTooLarge) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int before = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  const auto put = [&](const std::string& text) {
    EXPECT_EQ(write(ends[1], text.data(), text.size()), std::ssize(text));
  };
  put(std::string(101, 'x'));
  EXPECT_THAT(FaultOfCall([] { ReadStandardInput(kSmall); }),
              HasSubstr("cannot read standard input: larger than"));
  put("trace 1\n");
  close(ends[1]);
  EXPECT_EQ(ReadStandardInput(kSmall), "trace 1\n");
  dup2(before, STDIN_FILENO);
  close(before);
  close(ends[0]);
}

// Each reading of the clock adds a second: there is time for one piece and the end behind it.
class SlowClock : public Clock {
 public:
  double Now() const override { return now_++; }

 private:
  mutable double now_ = 0;
};

TEST_F(UntrustedFileTest, WhatHasNoEndInTimeIsRefused) {
  constexpr FileKind kLarge = {"a book", int64_t{64} << 20};
  const std::string piece(1 << 16, 'x');
  EXPECT_EQ(ReadUntrustedFile(Written("one", piece), kLarge, SlowClock()), piece);
  const std::string longer = Written("longer", piece + piece);
  const std::string fault = FaultOfCall([&] { ReadUntrustedFile(longer, kLarge, SlowClock()); });
  EXPECT_EQ(fault, "cannot read '" + longer + "': it has no end after 2 s, expected a book");
}

}  // namespace
}  // namespace schedulegym
