#include "env/measure/store/json_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/env/measure/record_samples.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

template <typename T>
T Parsed(const std::string& line) {
  Line parsed = ParseLine(line);
  if (const auto* fault = std::get_if<LineFault>(&parsed)) ADD_FAILURE() << fault->message;
  return std::get<T>(parsed);
}

std::string FaultOfLine(std::string_view line) {
  const Line parsed = ParseLine(line);
  const auto* fault = std::get_if<LineFault>(&parsed);
  return fault == nullptr ? "" : fault->message;
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

// A line with `from` replaced by `to`, and the matching checksum.
std::string Resealed(const std::string& line, const std::string& from, const std::string& to) {
  std::string changed = Replaced(line, from, to);
  const size_t at = changed.find("\"crc\":\"") + 7;
  changed.replace(at, 8, LineCrc(changed));
  return changed;
}

TEST(JsonLinesTest, RecordsReadBackAsTheSame) {
  for (const Record& record : {SampleRecord(SampleTask(1), 0, SampleTiming(1.0 / 3)),
                               SampleRecord(SampleTask(2), 1, SampleFailure()),
                               SampleRecord(SampleTask(3), 7, SampleOfSession(0.1, 9))}) {
    const std::string line = ToLine(record);
    EXPECT_THAT(line, Not(HasSubstr("\n")));
    EXPECT_THAT(line, HasSubstr("\"record\":\"" + record.id + "\""));
    EXPECT_EQ(Parsed<Record>(line), record);
    EXPECT_EQ(ToLine(Parsed<Record>(line)), line);
  }
}

TEST(JsonLinesTest, NumbersReadBackToTheLastBit) {
  Record record = SampleRecord(SampleTask(1), 0, SampleTiming(1));
  Timing& timing = *record.measurement.timing;
  timing.samples = {0.1f,
                    1.0f / 3,
                    std::numeric_limits<float>::min(),
                    std::numeric_limits<float>::denorm_min(),
                    std::numeric_limits<float>::max(),
                    std::nextafter(1.0f, 2.0f)};
  timing.seconds = std::nextafter(0.1, 1.0);
  timing.first_call_seconds = std::numeric_limits<double>::denorm_min();
  timing.cpu_per_wall = std::numeric_limits<double>::max();
  record.measurement.seed = ~uint64_t{0};
  record.seed = uint64_t{1} << 63;
  record.started = 1.7e9 + 1e-6;
  record.id = RecordId(record);
  EXPECT_EQ(Parsed<Record>(ToLine(record)), record);
}

TEST(JsonLinesTest, TextsMayHoldAnything) {
  Record record = SampleRecord(SampleTask(1), 0, SampleFailure());
  record.trace = std::string("with\0zero and \"quotes\"\n", 23);
  record.agent = "\xc3\xa9";
  record.space = "splits(\"\xe2\x82\xac\")";
  record.measurement.message = "";
  record.measurement.stderr_tail = "no UTF-8: \xff\xfe\x80";
  record.id = RecordId(record);
  EXPECT_EQ(Parsed<Record>(ToLine(record)), record);
}

TEST(JsonLinesTest, TheRestReadsBackToo) {
  const ControlMeasurement control = SampleControl(12, false);
  EXPECT_EQ(Parsed<ControlMeasurement>(ToLine(control)), control);
  const ForeignRecord foreign = SampleForeign("0123");
  EXPECT_EQ(Parsed<ForeignRecord>(ToLine(foreign)), foreign);
  const LineTrailer trailer = {17, std::string(64, 'a')};
  EXPECT_EQ(Parsed<LineTrailer>(ToLine(trailer)), trailer);
}

TEST(JsonLinesTest, ANoteStandsThereOnlyWhereThereIsOne) {
  Record record = SampleRecord(SampleTask(1), 0, SampleTiming(1));
  EXPECT_THAT(ToLine(record), Not(HasSubstr("note")));
  record.note = "refine(of=\"00\")";
  EXPECT_THAT(ToLine(record), HasSubstr(R"j("note":"refine(of=\"00\")")j"));
  EXPECT_EQ(Parsed<Record>(ToLine(record)), record);
}

TEST(JsonLinesTest, ResourcesStandThereOnlyWhereTheyAreKnown) {
  Record record = SampleRecord(SampleTask(1), 0, SampleTiming(1));
  EXPECT_THAT(ToLine(record), Not(HasSubstr("resources")));
  record.measurement.resources = {{"kernel_0", 40, 8, 12, 16, 4096, 1}};
  const std::string line = ToLine(record);
  EXPECT_THAT(line, HasSubstr(R"("resources":[{"barriers":1,"kernel":"kernel_0","registers":40,)"));
  EXPECT_EQ(Parsed<Record>(line), record);
  EXPECT_THAT(FaultOfLine(Resealed(line, "\"registers\":40", "\"registers\":\"40\"")),
              HasSubstr("field 'registers': expected a whole number"));
}

TEST(JsonLinesTest, UnknownFieldsSurvive) {
  const Record record = SampleRecord(SampleTask(1), 0, SampleOfSession(2, 1));
  std::string line = Resealed(ToLine(record), "\"host\":", "\"aaa\":{\"b\":[1,2.5]},\"host\":");
  line = Resealed(line, "\"cpu_per_wall\":", "\"aux\":null,\"cpu_per_wall\":");
  const Record read = Parsed<Record>(line);
  EXPECT_EQ(read.extra, R"({"aaa":{"b":[1,2.5]},"timing":{"aux":null}})");
  EXPECT_EQ(read.measurement, record.measurement);
  EXPECT_EQ(Parsed<Record>(ToLine(read)), read);
  EXPECT_THAT(ToLine(read), HasSubstr(R"("aux":null,"calls_per_sample")"));
}

TEST(JsonLinesTest, TheChecksumIsTheStandardOne) {
  // CRC-32's check value is that of "123456789"; a line's checksum covers the rest of its fields.
  const std::string line = ToLine(LineTrailer{1, "x"});
  EXPECT_EQ(line, R"({"crc":")" + LineCrc(line) + R"(","trailer":{"count":1,"sha256":"x"},"v":2})");
  EXPECT_EQ(Crc32("123456789"), "cbf43926");
  EXPECT_EQ(LineCrc(line), Crc32(R"({"trailer":{"count":1,"sha256":"x"},"v":2})"));
}

TEST(JsonLinesTest, EveryChangedByteIsFound) {
  const std::string line = ToLine(SampleRecord(SampleTask(1), 0, SampleTiming(2)));
  for (size_t i = 0; i < line.size(); ++i) {
    for (int bit : {0, 3, 6}) {
      std::string changed = line;
      changed[i] = static_cast<char>(changed[i] ^ 1 << bit);
      const Line parsed = ParseLine(changed);
      // A change with the same meaning does not count: 1e5 and 1E5.
      if (const auto* record = std::get_if<Record>(&parsed)) {
        EXPECT_EQ(ToLine(*record), line) << i;
      } else {
        EXPECT_TRUE(std::holds_alternative<LineFault>(parsed)) << i;
      }
    }
  }
}

TEST(JsonLinesTest, EveryTruncationIsFound) {
  const std::string line = ToLine(SampleRecord(SampleTask(1), 0, SampleFailure()));
  for (size_t size = 0; size < line.size(); ++size) {
    EXPECT_NE(FaultOfLine(std::string_view(line).substr(0, size)), "") << size;
  }
  EXPECT_NE(FaultOfLine(line + line), "") << "two in one";
}

TEST(JsonLinesTest, FaultsSayWhatWasFound) {
  const std::string line = ToLine(SampleRecord(SampleTask(1), 0, SampleTiming(2)));
  EXPECT_THAT(FaultOfLine("hello"), HasSubstr("no JSON object"));
  EXPECT_THAT(FaultOfLine("[1]"), HasSubstr("no JSON object"));
  EXPECT_THAT(FaultOfLine("{}"), HasSubstr("field 'v' is missing"));
  EXPECT_THAT(FaultOfLine(Replaced(line, "\"v\":2", "\"v\":3")), HasSubstr("found format 3"));
  EXPECT_THAT(FaultOfLine(Replaced(line, "somewhere", "elsewhere")), HasSubstr("checksum"));
  EXPECT_THAT(FaultOfLine(Resealed(line, "\"index\":0", "\"index\":1")), HasSubstr("its id"));
  EXPECT_THAT(FaultOfLine(Resealed(line, "\"index\":0", "\"index\":0.5")),
              HasSubstr("field 'index': expected a whole number"));
  EXPECT_THAT(FaultOfLine(Resealed(line, "\"host\":", "\"hos\":")),
              HasSubstr("field 'host' is missing"));
  EXPECT_THAT(FaultOfLine(Resealed(line, "\"outcome\":\"ok\"", "\"outcome\":\"fine\"")),
              HasSubstr("unknown outcome 'fine'"));
  EXPECT_THAT(FaultOfLine(Resealed(line, "\"outcome\":\"ok\"", "\"outcome\":\"run_signal\"")),
              HasSubstr("run_signal with a timing"));
  EXPECT_THAT(FaultOfLine(Resealed(line, "\"seconds\":0.0005", "\"seconds\":-1.0")),
              HasSubstr("seconds are no positive number"));
  EXPECT_THAT(FaultOfLine(Resealed(line, "\"seconds\":0.0005", "\"seconds\":true")),
              HasSubstr("field 'seconds': expected a number"));
  EXPECT_THAT(FaultOfLine(Resealed(line, "\"record\":", "\"recorf\":")), HasSubstr("no record"));
}

TEST(JsonLinesTest, DeepNestingHarmsNothing) {
  const std::string deep(100000, '[');
  EXPECT_THAT(FaultOfLine(deep), HasSubstr("nests deeper"));
  EXPECT_THAT(FaultOfLine("{\"v\":" + deep + std::string(100000, ']') + "}"),
              HasSubstr("nests deeper"));
  EXPECT_THAT(FaultOfLine("{\"" + deep + "\\\"" + deep + "\":1}"), HasSubstr("'v' is missing"))
      << "brackets in texts do not nest";
}

TEST(JsonLinesTest, AnIdMayHoldAnythingToo) {
  Record record = SampleRecord(SampleTask(1), 0, SampleTiming(2));
  record.id = "\xff";
  EXPECT_THAT(ToLine(record), HasSubstr(R"("record":{"hex":"ff"})"));
  ForeignRecord foreign;
  foreign.id = foreign.kind = "\xff";
  EXPECT_THAT(ToLine(foreign), HasSubstr(R"("kind":{"hex":"ff"})"));
}

// A foreign store may contain this.
TEST(JsonLinesTest, WhatARecordHoldsBesideItsFieldsMayBeNestedToo) {
  Record record = SampleRecord(SampleTask(1), 0, SampleTiming(2));
  const std::string plain = ToLine(record);
  record.extra = "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_EQ(ToLine(record), plain);
}

TEST(JsonLinesTest, TheVersionBeforeIsRead) {
  const Record record = SampleRecord(SampleTask(1), 0, SampleFailure());
  std::string line = Resealed(ToLine(record), "\"v\":2", "\"v\":1");
  line = Resealed(line, "\"attempt\":0,", "");
  line = Resealed(line, "\"sequence\":0,", "");
  line = Resealed(line, "\"session\":null,", "");
  line = Resealed(line, "\"stderr_tail\":\"\",", "");
  EXPECT_EQ(Parsed<Record>(line), record);
}

constexpr const char* kAnsor =
    R"({"i": [["[\"matmul_add\", 512, 512]", "llvm -keys=cpu", [8, 64, 64, 0, 0, 0, 0, 0], "", 1, )"
    R"([]], [[], [["SP", 2, 0, 512, [16, 1, 4], 1], ["AN", 2, 0, 3]]]], )"
    R"("r": [[0.00123, 0.00125], 0, 2.75, 1617500000], "v": "v0.6"})";

TEST(JsonLinesTest, ALineWithoutASpaceIsWrittenAgainAsItWas) {
  Record record = SampleRecord(SampleTask(1), 0, SampleFailure());
  const std::string line = ToLine(record);
  EXPECT_THAT(line, testing::Not(HasSubstr("space")));
  EXPECT_EQ(ToLine(Parsed<Record>(line)), line);
  record.space = "ansor";
  record.id = RecordId(record);
  EXPECT_THAT(ToLine(record), HasSubstr("\"space\":\"ansor\""));
  EXPECT_EQ(Parsed<Record>(ToLine(record)), record);
}

TEST(JsonLinesTest, AnsorsLinesKeepCostsAndConfiguration) {
  const auto record = Parsed<ForeignRecord>(kAnsor);
  EXPECT_EQ(record.kind, "ansor");
  EXPECT_EQ(record.workload, R"(["matmul_add", 512, 512])");
  EXPECT_EQ(record.target, "llvm -keys=cpu");
  EXPECT_EQ(record.configuration, R"([[],[["SP",2,0,512,[16,1,4],1],["AN",2,0,3]]])");
  EXPECT_THAT(record.costs, ElementsAre(0.00123, 0.00125));
  EXPECT_EQ(record.error, 0);
  EXPECT_EQ(record.elapsed, 2.75);
  EXPECT_EQ(record.timestamp, 1617500000);
  EXPECT_EQ(record.version, "v0.6");
  EXPECT_THAT(record.id, testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_EQ(Parsed<ForeignRecord>(Replaced(kAnsor, "\"v0.6\"}", "\"v0.6\" }")).id, record.id);
  EXPECT_NE(Parsed<ForeignRecord>(Replaced(kAnsor, "0.00123", "0.00124")).id, record.id);
}

TEST(JsonLinesTest, AFailureOfAnsorsHasNoCosts) {
  const std::string failed = Replaced(kAnsor, "[0.00123, 0.00125], 0", "[1e10], 4");
  const auto record = Parsed<ForeignRecord>(failed);
  EXPECT_EQ(record.error, 4);
  EXPECT_THAT(record.costs, IsEmpty());
}

constexpr const char* kAutoTvm =
    R"({"input": ["llvm -keys=cpu", "conv2d_NCHWc.x86", [["TENSOR", [1, 3, 8, 8], "float32"], )"
    R"([1, 1]], {}], "config": {"index": 228, "code_hash": null, "entity": [["tile_ic", "sp", )"
    R"([-1, 1]]]}, "result": [[0.0006], 0, 0.5, 1600000000.25], "version": 0.2, )"
    R"("tvm_version": "0.8.0"})";

TEST(JsonLinesTest, AutoTvmsLinesKeepCostsAndConfiguration) {
  const auto record = Parsed<ForeignRecord>(kAutoTvm);
  EXPECT_EQ(record.kind, "autotvm");
  EXPECT_EQ(record.workload, R"(["conv2d_NCHWc.x86",[["TENSOR",[1,3,8,8],"float32"],[1,1]]])");
  EXPECT_EQ(record.target, "llvm -keys=cpu");
  EXPECT_THAT(record.configuration, HasSubstr("\"index\":228"));
  EXPECT_THAT(record.costs, ElementsAre(0.0006));
  EXPECT_EQ(record.timestamp, 1600000000.25);
  EXPECT_EQ(record.version, "0.2, tvm 0.8.0");
}

TEST(JsonLinesTest, ForeignTargetsHaveAName) {
  ForeignRecord record;
  for (const auto& [target, name] : std::vector<std::pair<std::string, std::string>>{
           {"cuda -keys=cuda,gpu -max_num_threads=1024", "cuda"},
           {"llvm", "llvm"},
           {R"({"kind": "opencl", "keys": ["gpu"]})", "opencl"},
           {R"({"keys": []})", "unknown"},
           {"", "unknown"}}) {
    record.target = target;
    EXPECT_EQ(ForeignTargetName(record), name) << target;
  }
}

TEST(JsonLinesTest, ForeignLinesOfAnotherShapeAreFaults) {
  EXPECT_THAT(FaultOfLine(R"({"i": 1, "r": 2})"), HasSubstr("field 'i'"));
  EXPECT_THAT(FaultOfLine(R"({"i": [[], []], "r": [[1], 0, 1, 1]})"), HasSubstr("field 'i'"));
  EXPECT_THAT(FaultOfLine(Replaced(kAnsor, "2.75", "null")), HasSubstr("expected a number"));
  EXPECT_THAT(FaultOfLine(Replaced(kAnsor, "0.00123", "-1")), HasSubstr("found cost"));
  EXPECT_THAT(FaultOfLine(Replaced(kAnsor, "[0.00123, 0.00125]", "[]")), HasSubstr("without a"));
  EXPECT_THAT(FaultOfLine(Replaced(kAnsor, ", 1617500000", "")), HasSubstr("at least 4"));
  EXPECT_THAT(FaultOfLine(Replaced(kAutoTvm, "[0.0006], 0,", "[0.0006], \"x\",")),
              HasSubstr("found result"));
}

TEST(JsonLinesTest, AMessageShowsTheBeginOfALongValue) {
  const std::string list = "[\"" + std::string(1000, 'x') + "\"]";
  const std::string said = FaultOfLine(Replaced(kAnsor, "2.75", list));
  EXPECT_THAT(said, HasSubstr("found [\"xxxx"));
  EXPECT_THAT(said, HasSubstr("..., expected a number"));
  EXPECT_LT(said.size(), 200);
}

}  // namespace
}  // namespace schedulegym
