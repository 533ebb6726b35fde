#include "env/gym/tables/table_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/rng.h"
#include "env/base/text.h"
#include "env/gym/tables/tuner_file.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;

// The target's text can be parsed again: its memory is known.
std::shared_ptr<const Task> Matmul() {
  Task task = *TaskOf(kTableMatmul);
  task.target.memory_bytes = int64_t{1} << 30;
  return std::make_shared<const Task>(std::move(task));
}

std::string TableFileFault(const std::string& text) {
  try {
    ParseTable(text, "t.table");
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    return error.what();
  }
  return "";
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void ExpectEqual(const Table& a, const Table& b) {
  EXPECT_EQ(TaskKey(*a.task()), TaskKey(*b.task()));
  EXPECT_EQ(a.task()->name, b.task()->name);
  EXPECT_EQ(a.facts(), b.facts());
  ASSERT_EQ(a.size(), b.size());
  for (int64_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.row(i), b.row(i));
    EXPECT_EQ(a.TraceText(i), b.TraceText(i));
  }
}

TEST(TableFileTest, GridsReadBackAsTheyWere) {
  const auto table = MadeGrid(Matmul(), 60);
  const std::string text = TableText(*table);
  const Table again = ParseTable(text, "t.table");
  ExpectEqual(again, *table);
  EXPECT_EQ(again.knobs()->knobs, table->knobs()->knobs);
  EXPECT_EQ(again.knobs()->points, table->knobs()->points);
  ASSERT_EQ(again.knobs()->tiles.size(), table->knobs()->tiles.size());
  EXPECT_EQ(again.knobs()->tiles[0].values, table->knobs()->tiles[0].values);
  EXPECT_EQ(TableText(again), text);
  for (int64_t i = 0; i < again.size(); ++i) {
    EXPECT_TRUE(ReplayText(again.task(), *again.TraceText(i)).ok());
  }
}

TEST(TableFileTest, TreesReadBackAsTheyWere) {
  const auto table = MadeTree(Matmul(), 50);
  const std::string text = TableText(*table);
  const Table again = ParseTable(text, "t.table");
  ExpectEqual(again, *table);
  EXPECT_EQ(again.tree()->parents, table->tree()->parents);
  EXPECT_EQ(TableText(again), text);
  EXPECT_TRUE(IsTableText(text));
  EXPECT_FALSE(IsTableText("{\"results\": []}"));
}

// Rounded to five digits, once.
TEST(TableFileTest, RawSamplesReadBack) {
  for (const auto& made : {MadeGrid(Matmul(), 30), MadeTree(Matmul(), 20)}) {
    const auto table = WithSamples(*made);
    const std::string text = TableText(*table);
    EXPECT_THAT(text, HasSubstr("{\"schedulegym_table\":2,"));
    EXPECT_THAT(text, HasSubstr("\"command\":\"made\""));
    const Table again = ParseTable(text, "t.table");
    EXPECT_EQ(again.facts().command, "made");
    EXPECT_TRUE(again.HasSamples());
    for (int64_t row = 0; row < table->size(); ++row) {
      const RawSamples &samples = again.row(row).samples, &own = table->row(row).samples;
      ASSERT_EQ(samples.candidate.size(), own.candidate.size());
      for (size_t i = 0; i < own.candidate.size(); ++i) {
        EXPECT_NEAR(samples.candidate[i] / own.candidate[i], 1, 8e-6);
        EXPECT_NEAR(samples.reference[i] / own.reference[i], 1, 8e-6);
      }
    }
    EXPECT_EQ(TableText(again), text);
  }
}

// Readers of version 1 can read a table without any feature of version 2.
TEST(TableFileTest, WithoutSamplesAndCommandItIsOfVersionOne) {
  EXPECT_THAT(TableText(*MadeTree(Matmul(), 5)), HasSubstr("{\"schedulegym_table\":1,"));
}

TEST(TableFileTest, SamplesTakeLittle) {
  const auto table = WithSamples(*MadeGrid(Matmul(), 200));
  const size_t more = TableText(*table).size() - TableText(*MadeGrid(Matmul(), 200)).size();
  // Nine rounds of two samples, one of which is always the same.
  EXPECT_LT(more / static_cast<size_t>(table->size()), 9u * 3 + 9 + 10);
}

TEST(TableFileTest, SamplesThatAreNoneAreRefused) {
  const std::string text = TableText(*WithSamples(*MadeTree(Matmul(), 10)));
  const std::vector<std::string> lines = SplitLines(text);
  const size_t at = lines[3].rfind(",\"");
  for (const char* bad : {",7]", ",\"-\"]", ",\"\"]"}) {
    EXPECT_THAT(TableFileFault(Replaced(text, lines[3], lines[3].substr(0, at) + bad)),
                HasSubstr("t.table:"))
        << bad;
  }
  EXPECT_THAT(TableFileFault(Replaced(text, lines[3], lines[3].substr(0, at) + ",\"A\"]")),
              HasSubstr("row 2 of the table: expected samples"));
  EXPECT_THAT(TableFileFault(Replaced(text, lines[3], lines[3].substr(0, at) + "]")),
              HasSubstr("line 4: found no row"));
}

TEST(TableFileTest, TheLargestTableIsSmall) {
  const auto table = MadeGrid(Matmul(), kMostTableRows);
  ASSERT_GT(table->size(), kMostTableRows / 2);
  EXPECT_LT(TableText(*table).size() / static_cast<size_t>(table->size()), 150u);
}

TEST(TableFileTest, WhatIsNoTableIsRefused) {
  EXPECT_THAT(TableFileFault(""), HasSubstr("t.table: holds nothing"));
  EXPECT_THAT(TableFileFault("hello\n"), HasSubstr("is no table"));
  EXPECT_THAT(TableFileFault("{\"results\": []}\n"), HasSubstr("is no table"));
  EXPECT_THAT(TableFileFault("{\"schedulegym_table\": 3}\n"),
              HasSubstr("found a table of version 3, expected version 1 to 2"));
  EXPECT_THAT(TableFileFault("{\"schedulegym_table\": 0}\n"),
              HasSubstr("found a table of version 0"));
  EXPECT_THAT(TableFileFault("{\"schedulegym_table\": 1}\n"),
              HasSubstr("t.table:1: found a field"));
}

TEST(TableFileTest, DamagedTablesAreRefused) {
  const std::string text = TableText(*MadeTree(Matmul(), 10));
  ASSERT_EQ(TableFileFault(text), "");
  const std::vector<std::string> lines = SplitLines(text);
  EXPECT_THAT(TableFileFault(text.substr(0, text.size() - lines.back().size() - 1)),
              HasSubstr("found 9 rows, expected 10"));
  EXPECT_THAT(TableFileFault(Replaced(text, "j:64", "j:32")), HasSubstr("t.table: "));
  EXPECT_THAT(TableFileFault(Replaced(text, "\"kind\":\"tree\"", "\"kind\":\"heap\"")),
              HasSubstr("kind 'heap'"));
  for (const char* bad : {"[]", "{}", "7", "x", "[0,\"a\"]", "[0,\"a\",\"nope\",1]",
                          "[0,\"a\",\"ok\",1,1]", "[0,\"a\",\"run_signal\",1,1]"}) {
    EXPECT_THAT(TableFileFault(Replaced(text, lines[3], bad)), HasSubstr("line 4: found no row"))
        << bad;
  }
  EXPECT_THAT(TableFileFault(Replaced(text, lines[3], "[0,1,\"ok\",1,1,1,1,1]")),
              HasSubstr("t.table:4:"));
  EXPECT_THAT(TableFileFault(Replaced(text, lines[3], "[9,\"a\",\"run_signal\",1]")),
              HasSubstr("row 2 of the table: found parent 9"));
}

// Any bytes give a table, or an InputError of one line.
TEST(TableFileTest, AnyBytesAreATableOrRefused) {
  Rng rng(9);
  int refused = 0;
  for (const auto& table : {MadeGrid(Matmul(), 20), WithSamples(*MadeTree(Matmul(), 15))}) {
    const std::string text = TableText(*table);
    for (int i = 0; i < 400; ++i) {
      std::string other = text;
      for (int64_t count = 1 + rng.Below(3); count > 0; --count) {
        const int64_t at = rng.Below(static_cast<int64_t>(other.size()));
        const char* bytes = "[]{},:\"-09ae\n ";
        other[at] = bytes[rng.Below(15)];
      }
      refused += TableFileFault(other).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 400);
}

TEST(TableFileTest, AnotherTasksKeyIsRefused) {
  const std::string text = TableText(*MadeTree(Matmul(), 10));
  const std::string key = TaskKey(*Matmul()).ToText();
  const std::string other = TaskKey(*TaskOf("input X[24]\nA[i:24] = X[i] + 1\n")).ToText();
  EXPECT_THAT(TableFileFault(Replaced(text, key, other)),
              HasSubstr("found a table of task " + other + ", but its dag and target make task"));
  const Table table = ParseTable(text, "t.table");
  EXPECT_NO_THROW(CheckIsOf(table, *Matmul()));
  EXPECT_THROW(CheckIsOf(table, *TaskOf("input X[24]\nA[i:24] = X[i] + 1\n")), InputError);
  Target target = Matmul()->target;
  EXPECT_NO_THROW(CheckIsFor(table, target));
  ++target.cores;
  EXPECT_THROW(CheckIsFor(table, target), InputError);
}

// The compressed file of a table that the package ships.
std::string ShippedBytes() {
  std::ifstream file(SG_SOURCE_DIR "/bindings/schedulegym/tables/matmul_tree.table",
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text of a table whose file has these bytes, or the error if it is refused.
std::string ReadBack(const std::string& bytes) {
  const std::string path = testing::TempDir() + "packed_" + std::to_string(getpid()) + ".table";
  std::ofstream(path, std::ios::binary) << bytes;
  std::string found;
  try {
    found = TableText(ReadTable(path));
    EXPECT_EQ(TableText(ReadAnyTable(path)), found);
  } catch (const InputError& error) {
    found = error.what();
    EXPECT_THAT(found, HasSubstr(path));
  }
  std::filesystem::remove(path);
  return found;
}

TEST(TableFileTest, ACompressedFileIsReadAsItsText) {
  const std::string bytes = ShippedBytes();
  ASSERT_TRUE(IsGzip(bytes));
  const std::string text = Gunzip(bytes, kTableFile.most_bytes);
  EXPECT_EQ(ReadBack(bytes), ReadBack(text));
  EXPECT_EQ(ReadBack(bytes), TableText(ParseTable(text, "t.table")));
}

TEST(TableFileTest, ADamagedCompressedFileIsRefused) {
  const std::string bytes = ShippedBytes();
  EXPECT_THAT(ReadBack(bytes.substr(0, bytes.size() / 2)), HasSubstr("are cut short"));
  std::string torn = bytes;
  torn[torn.size() / 2] = static_cast<char>(~torn[torn.size() / 2]);
  EXPECT_THAT(ReadBack(torn), HasSubstr("its compressed data are "));
}

TEST(TableFileTest, FilesThatCannotBeReadAreRefused) {
  EXPECT_THROW(ReadTable(testing::TempDir() + "none.table"), InputError);
  EXPECT_THROW(ReadTable(testing::TempDir()), InputError);
}

}  // namespace
}  // namespace schedulegym
