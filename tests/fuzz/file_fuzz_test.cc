#include "tests/fuzz/files/file_fuzz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Uses the processor for `seconds`.
void Work(double seconds) {
  const auto end = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
  while (std::clock() < end) {
  }
}

class FileFuzzTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(options_.folder); }
  void TearDown() override { std::filesystem::remove_all(options_.folder); }

  // Files "0" to "9"; `read` gets the digit.
  static FileTarget Digits(std::function<Reading(char)> read) {
    FileTarget target = {.kind = "digit", .suffix = ".txt", .seeds = {""}};
    target.change = [](const std::vector<std::string>&, Rng& rng) {
      return std::to_string(rng.Below(10));
    };
    target.read = [read](const std::string& path) {
      std::ifstream file(path);
      return read(static_cast<char>(file.get()));
    };
    return target;
  }

  FileFuzzReport Run(std::function<Reading(char)> read) {
    return FuzzFiles(Digits(std::move(read)), options_);
  }

  static std::string Contents(const std::string& diagnostic) {
    std::ifstream file(diagnostic.substr(0, diagnostic.find(':')));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  FileFuzzOptions options_ = {
      .count = 200, .folder = testing::TempDir() + "file_fuzz_" + std::to_string(getpid())};
};

TEST_F(FileFuzzTest, CountsWhatReadersSay) {
  const FileFuzzReport report = Run([](char digit) {
    return Reading{digit > '2', digit > '6', digit > '6' ? "" : "no"};
  });
  EXPECT_EQ(report.files, 200);
  EXPECT_GT(report.past_header, report.accepted);
  EXPECT_GT(report.accepted, 0);
  EXPECT_TRUE(report.ok());
  EXPECT_TRUE(report.diagnostics.empty());
}

TEST_F(FileFuzzTest, ACrashLeavesItsFileAndTheRestIsRead) {
  const FileFuzzReport report = Run([](char digit) {
    if (digit == '7') _exit(66);
    return Reading{true, true, ""};
  });
  EXPECT_GT(report.crashes, 0);
  EXPECT_EQ(report.files, 200);
  EXPECT_EQ(report.accepted + report.crashes, 200);
  ASSERT_EQ(std::ssize(report.diagnostics), report.crashes);
  EXPECT_THAT(report.diagnostics[0], HasSubstr("exit code 66"));
  for (const std::string& diagnostic : report.diagnostics) EXPECT_EQ(Contents(diagnostic), "7");
}

TEST_F(FileFuzzTest, ASignalIsACrash) {
  options_.count = 20;
  const FileFuzzReport report = Run([](char digit) {
    if (digit == '7') raise(SIGKILL);
    return Reading{};
  });
  EXPECT_GT(report.crashes, 0);
  EXPECT_THAT(report.diagnostics.at(0), HasSubstr("ended by Killed"));
}

TEST_F(FileFuzzTest, MessagesThatAreEmptyOrCutAreTold) {
  options_.foreign = true;
  for (const char* message : {"", "found '\xc3'", "found '\\xc3'"}) {
    const FileFuzzReport report = FuzzFiles(Digits([message](char) {
                                              return Reading{true, false, message};
                                            }),
                                            options_);
    EXPECT_GT(report.unclear, 0) << message;
    EXPECT_FALSE(report.ok());
  }
  EXPECT_TRUE(Run([](char) { return Reading{true, false, "found '\u00fc'"}; }).ok());
}

TEST_F(FileFuzzTest, WhatIsThrownIsABug) {
  const FileFuzzReport report = Run([](char digit) {
    if (digit == '7') throw std::logic_error("broken invariant");
    return Reading{};
  });
  EXPECT_GT(report.crashes, 0);
  EXPECT_THAT(report.diagnostics.at(0), HasSubstr("threw: broken invariant"));
  EXPECT_EQ(Contents(report.diagnostics.at(0)), "7");
}

TEST_F(FileFuzzTest, WhatTakesLongIsTold) {
  options_.count = 40;
  options_.most_seconds = 0.05;
  const FileFuzzReport report = Run([](char digit) {
    if (digit == '7') Work(0.06);
    return Reading{};
  });
  EXPECT_GT(report.slow, 0);
  EXPECT_GE(report.worst_seconds, 0.06);
  EXPECT_EQ(Contents(report.diagnostics.at(0)), "7");
}

TEST_F(FileFuzzTest, WhatNeverEndsIsEnded) {
  options_.count = 1;
  options_.hang_seconds = 1;
  const FileFuzzReport report = Run([](char) -> Reading {
    while (true) pause();
  });
  EXPECT_EQ(report.crashes, 1);
  EXPECT_THAT(report.diagnostics.at(0), HasSubstr("ended by Alarm clock"));
}

TEST_F(FileFuzzTest, WhatNeedsMuchMemoryIsTold) {
  options_.count = 40;
  options_.most_bytes = 32 << 20;
  const FileFuzzReport report = Run([](char digit) {
    const std::vector<char> memory(digit == '7' ? 64 << 20 : 1, 'x');
    return Reading{memory.back() == 'x', false, ""};
  });
  EXPECT_GT(report.large, 0);
  EXPECT_GE(report.worst_bytes, 60 << 20);
  EXPECT_EQ(Contents(report.diagnostics.at(0)), "7");
}

TEST_F(FileFuzzTest, UnknownKindsAreRefused) {
  EXPECT_THROW(FuzzFiles("dog", options_), InputError);
}

// The short form of `schedulegym-fuzz files`.
class FileKindTest : public FileFuzzTest, public testing::WithParamInterface<std::string> {};

TEST_P(FileKindTest, ChangedFilesHarmNothingAndHalfOfThemPassTheHeader) {
  options_.count = 150;
  const FileFuzzReport report = FuzzFiles(GetParam(), options_);
  EXPECT_TRUE(report.ok()) << testing::PrintToString(report.diagnostics);
  EXPECT_EQ(report.files, options_.count);
  EXPECT_GE(2 * report.past_header, report.files);
  EXPECT_GT(report.accepted, 0);
  EXPECT_LT(report.accepted, report.files);
}

TEST_P(FileKindTest, MessagesAboutForeignBytesAreWhole) {
  options_.count = 60;
  options_.foreign = true;
  const FileFuzzReport report = FuzzFiles(GetParam(), options_);
  EXPECT_TRUE(report.ok()) << testing::PrintToString(report.diagnostics);
  EXPECT_LT(report.accepted, report.files);
}

// The readers accept unchanged files.
TEST_P(FileKindTest, ValidFilesAreAccepted) {
  options_.count = 10;
  FileTarget target = MakeFileTarget(GetParam(), options_.folder);
  target.change = [](const std::vector<std::string>& seeds, Rng& rng) {
    return seeds[static_cast<size_t>(rng.Below(std::ssize(seeds)))];
  };
  const FileFuzzReport report = FuzzFiles(target, options_);
  EXPECT_TRUE(report.ok()) << testing::PrintToString(report.diagnostics);
  EXPECT_EQ(report.accepted, 10);
}

// Lines of 10 MB, and of 3 MB, the most that is parsed: lists of costs with an error at the end,
// brackets, and a line without either. An intact line before them is recovered.
TEST_F(FileFuzzTest, LongForeignLinesAreReadWithinBounds) {
  options_.count = 12;
  options_.most_seconds = 10;
  options_.most_bytes = 512 << 20;
  FileTarget target = MakeFileTarget("lines", options_.folder);
  target.change = [](const std::vector<std::string>& seeds, Rng& rng) {
    const size_t size = rng.Chance(0.5) ? 10'000'000 : 3'000'000;
    std::string line = R"({"i": [["matmul", "llvm"], [[], []]], "v": "v0.6", "r": [[)";
    const int64_t kind = rng.Below(3);
    const std::string unit = std::vector<std::string>{"0.5, ", "[", "x"}[kind];
    while (line.size() < size) line += unit;
    line += "-1], 0, 2.5, 1]}";
    return seeds[static_cast<size_t>(rng.Below(std::ssize(seeds)))] + "\n" + line + "\n";
  };
  const FileFuzzReport report = FuzzFiles(target, options_);
  EXPECT_TRUE(report.ok()) << testing::PrintToString(report.diagnostics);
  EXPECT_EQ(report.past_header, 12);
  EXPECT_EQ(report.accepted, 0);
}

INSTANTIATE_TEST_SUITE_P(Each, FileKindTest, testing::ValuesIn(FileKinds()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace schedulegym
