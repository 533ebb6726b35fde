#include "env/measure/store/store_transfer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/store/json_lines.h"
#include "env/measure/store/sqlite_database.h"
#include "env/measure/store/store_report.h"
#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class StoreTransferTest : public testing::Test {
 protected:
  StoreTransferTest() {
    records_ = {SampleRecord(SampleTask(1), 0, SampleOfSession(2, 1)),
                SampleRecord(SampleTask(1), 1, SampleTiming(2)),
                SampleRecord(SampleTask(2), 2, SampleFailure())};
    records_[1].extra = R"({"later":1})";
    const std::vector<ControlMeasurement> controls = {SampleControl(1, true)};
    const std::vector<ForeignRecord> foreign = {SampleForeign("a")};
    OpenStore(from_, StoreMode::kWrite)->Write({records_, controls, foreign, {}});
  }

  std::string Export(const std::string& path) {
    std::ostringstream out;
    exported_ = ExportStore(path, out);
    return out.str();
  }

  ImportResult Import(const std::string& text, const ProgressCallback& watch = {}) {
    std::istringstream in(text);
    rejected_.clear();
    const ImportParts parts = {
        .file = "a.jsonl",
        .when = 5,
        .store = [this]() -> RecordStore& {
          if (store_ == nullptr) store_ = OpenStore(to_, StoreMode::kWrite);
          return *store_;
        },
        .reject =
            [this](const RejectedLine& line) { rejected_.emplace_back(line.number, line.reason); },
        .watch = watch};
    ImportResult result = ImportLines(in, parts);
    store_ = nullptr;
    return result;
  }

  TemporaryFolder folder_;
  std::string from_ = folder_.Path("from.db");
  std::string to_ = folder_.Path("to.db");
  std::vector<Record> records_;
  std::unique_ptr<RecordStore> store_;
  ExportResult exported_;
  std::vector<std::pair<int64_t, std::string>> rejected_;
};

TEST_F(StoreTransferTest, AStoreTravelsWhole) {
  const std::string text = Export(from_);
  EXPECT_EQ(exported_.records, 3);
  EXPECT_EQ(exported_.controls, 1);
  EXPECT_EQ(exported_.foreign, 1);
  EXPECT_EQ(SplitLines(text).size(), 6u);
  const ImportResult result = Import(text);
  EXPECT_EQ(result.lines, 5);
  EXPECT_EQ(result.records, 3);
  EXPECT_EQ(result.controls, 1);
  EXPECT_THAT(result.foreign, ElementsAre(Pair("ansor", 1)));
  EXPECT_THAT(result.foreign_targets, ElementsAre(Pair("ansor", ElementsAre("llvm"))));
  EXPECT_EQ(result.added, 5);
  EXPECT_EQ(result.known, 0);
  EXPECT_EQ(result.put_aside, 0);
  EXPECT_EQ(result.trailer, TrailerState::kMatches);
  std::vector<Record> all;
  OpenStore(to_, StoreMode::kRead)->ForEach([&](const Record& record) { all.push_back(record); });
  EXPECT_EQ(all, records_);
  EXPECT_EQ(Export(to_), text);
  EXPECT_EQ(CheckStore(to_).faults, 0);
}

TEST_F(StoreTransferTest, ImportingTwiceChangesNothing) {
  const std::string text = Export(from_);
  Import(text);
  const StoreStats before = ReadStoreStats(to_);
  EXPECT_THAT(before.imports, ElementsAre(ImportEntry{"a.jsonl", 5, 5, 5, 0, 0}));
  const ImportResult again = Import(text);
  EXPECT_EQ(again.added, 0);
  EXPECT_EQ(again.known, 5);
  EXPECT_EQ(ReadStoreStats(to_).imports, before.imports);
  EXPECT_EQ(Export(to_), text);
}

TEST_F(StoreTransferTest, AnExportIsWatched) {
  std::vector<std::pair<int64_t, int64_t>> seen;
  std::ostringstream out;
  const ExportResult whole = ExportStore(from_, out, [&](int64_t done, int64_t total) {
    seen.emplace_back(done, total);
    return true;
  });
  EXPECT_FALSE(whole.stopped);
  EXPECT_THAT(seen, ElementsAre(Pair(1, 5), Pair(2, 5), Pair(3, 5), Pair(4, 5), Pair(5, 5)));
}

TEST_F(StoreTransferTest, AnExportStopsWhenItIsTold) {
  const size_t whole = SplitLines(Export(from_)).size();
  for (int64_t last : {1, 3, 4}) {
    std::ostringstream out;
    const ExportResult cut =
        ExportStore(from_, out, [&](int64_t done, int64_t) { return done < last; });
    EXPECT_TRUE(cut.stopped);
    EXPECT_EQ(cut.records + cut.controls + cut.foreign, last);
    EXPECT_LT(SplitLines(out.str()).size(), whole);
    EXPECT_THAT(out.str(), testing::Not(HasSubstr("trailer")));
  }
}

TEST_F(StoreTransferTest, AnImportThatWasStoppedGoesOn) {
  const std::string text = Export(from_);
  const ImportResult cut = Import(text, [](int64_t done, int64_t) { return done < 2; });
  EXPECT_TRUE(cut.stopped);
  EXPECT_EQ(cut.lines, 2);
  EXPECT_EQ(cut.records, 2);
  EXPECT_EQ(CheckStore(to_).faults, 0);
  const ImportResult rest = Import(text);
  EXPECT_FALSE(rest.stopped);
  EXPECT_EQ(rest.known, 2);
  EXPECT_EQ(rest.added, 3);
  EXPECT_EQ(Export(to_), text);
}

TEST_F(StoreTransferTest, AnImportStoppedBeforeAnythingIntactIsNoFault) {
  const ImportResult cut =
      Import("garbage\n" + Export(from_), [](int64_t, int64_t) { return false; });
  EXPECT_TRUE(cut.stopped);
  EXPECT_EQ(cut.put_aside, 1);
  EXPECT_EQ(cut.added, 0);
}

TEST_F(StoreTransferTest, BadLinesArePutAsideByNumber) {
  std::vector<std::string> lines = SplitLines(Export(from_));
  const std::string huge = "\n" + std::string(5 << 20, 'x') + "\n";
  const ImportResult result =
      Import(lines[0] + "\n\n# a comment\ngarbage \x01\xff\n" + lines[1].substr(0, 100) + lines[2] +
             huge + lines[2] + "\r\n" + lines[1].substr(0, 200));
  EXPECT_EQ(result.records, 2);
  EXPECT_EQ(result.lines, 6);
  EXPECT_EQ(result.put_aside, 4);
  EXPECT_EQ(result.trailer, TrailerState::kNone);
  EXPECT_THAT(rejected_,
              ElementsAre(Pair(4, HasSubstr("no JSON")), Pair(5, HasSubstr("no JSON")),
                          Pair(6, HasSubstr("longer than")), Pair(8, HasSubstr("no JSON"))));
  EXPECT_EQ(OpenStore(to_, StoreMode::kRead)->ById(records_[2].id), records_[2]);
}

TEST_F(StoreTransferTest, AMissingOrWrongTrailerIsSaid) {
  const std::string text = Export(from_);
  const std::vector<std::string> lines = SplitLines(text);
  EXPECT_EQ(Import(lines[0] + "\n" + lines[5] + "\n").trailer, TrailerState::kDiffers);
  EXPECT_EQ(Import(text + text).trailer, TrailerState::kMatches) << "one file behind another";
  EXPECT_EQ(Import(text + lines[0] + "\n").trailer, TrailerState::kMatches);
}

TEST_F(StoreTransferTest, WithoutAnIntactLineNothingIsWritten) {
  for (const std::string& text : {std::string(), std::string("\n\n"), std::string("hello\nworld\n"),
                                  std::string(1000, '\0')}) {
    EXPECT_THROW(Import(text), InputError) << text;
    EXPECT_THAT(folder_.Names(), ElementsAre("from.db"));
  }
}

TEST_F(StoreTransferTest, AnEmptyStoreTravelsToo) {
  OpenStore(to_, StoreMode::kWrite);
  const std::string text = Export(to_);
  EXPECT_EQ(SplitLines(text).size(), 1u);
  const ImportResult result = Import(text);
  EXPECT_EQ(result.lines, 0);
  EXPECT_EQ(result.trailer, TrailerState::kMatches);
}

TEST_F(StoreTransferTest, ManyLinesGoInManyCommits) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += ToLine(SampleRecord(SampleTask(1), i, SampleFailure())) + "\n";
  }
  EXPECT_EQ(Import(text).records, 1000);
  EXPECT_EQ(ReadStoreStats(to_).records, 1000);
}

TEST_F(StoreTransferTest, ADamagedRecordDoesNotKeepTheRestFromBeingWritten) {
  SqliteDatabase(from_, true).Execute("UPDATE measurement SET outcome = 'fine' WHERE id = 2");
  const std::string text = Export(from_);
  EXPECT_EQ(exported_.records, 2);
  EXPECT_THAT(exported_.damaged, ElementsAre(HasSubstr(records_[1].id)));
  EXPECT_EQ(Import(text).records, 2);
}

// Any damage that `records check` reports, in the record or in the rows that it refers to.
TEST_F(StoreTransferTest, NothingDamagedIsExportedOrBest) {
  const char* changes[] = {
      "UPDATE measurement SET seconds = -1 WHERE id = 1",
      "UPDATE measurement SET ratio = ratio * 100 WHERE id = 1",
      "UPDATE measurement SET trial = 77 WHERE id = 1",
      "UPDATE measurement SET outcome = 'fine' WHERE id = 1",
      "UPDATE measurement SET task_key = '00000000000000020000000000000000' WHERE id = 1",
      "UPDATE candidate SET key = '00000000000000020000000000000000' WHERE id = 1",
      "UPDATE candidate SET trace = trace || ' ' WHERE id = 1",
      "DELETE FROM sample WHERE measurement = 1",
      "PRAGMA foreign_keys = OFF; UPDATE measurement SET session = 999 WHERE id = 1",
      "PRAGMA foreign_keys = OFF; UPDATE candidate SET toolchain = 999 WHERE id = 1",
      "PRAGMA foreign_keys = OFF; UPDATE measurement SET host = 999 WHERE id = 1",
  };
  const Record faster = SampleRecord(SampleTask(1), 0, SampleTiming(3));
  const Record slower = SampleRecord(SampleTask(1), 1, SampleTiming(2));
  for (const char* change : changes) {
    const std::string path = folder_.Path("damaged.db");
    std::filesystem::remove(path);
    OpenStore(path, StoreMode::kWrite)->Append(std::vector<Record>{faster, slower});
    SqliteDatabase(path, true).Execute(change);
    EXPECT_GE(CheckStore(path).faults, 1) << change;
    const auto store = OpenStore(path, StoreMode::kRead);
    for (const Record& best : store->BestOfEach()) EXPECT_EQ(best.id, slower.id) << change;
    std::ostringstream lines;
    const ExportResult result = ExportStore(path, lines);
    EXPECT_EQ(result.records, 1) << change;
    EXPECT_EQ(lines.str().find(faster.id), std::string::npos) << change;
    EXPECT_NE(lines.str().find(slower.id), std::string::npos) << change;
  }
}

TEST_F(StoreTransferTest, AnOldStoreIsExportedToo) {
  const std::string text = Export(SG_SOURCE_DIR "/tests/env/measure/data/store_v1.sqlite");
  EXPECT_EQ(exported_.records, 4);
  EXPECT_EQ(Import(text).records, 4);
}

TEST_F(StoreTransferTest, WhatIsNoStoreIsNotExported) {
  std::ostringstream out;
  EXPECT_THROW(ExportStore(folder_.Path("none.db"), out), InputError);
  EXPECT_THAT(out.str(), IsEmpty());
}

}  // namespace
}  // namespace schedulegym
