#include "env/measure/store/store_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/base/fault.h"
#include "env/measure/store/record_store.h"
#include "env/measure/store/sqlite_database.h"
#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

Record SecondTasksFailure() { return SampleRecord(SampleTask(2), 2, SampleFailure()); }

class StoreReportTest : public testing::Test {
 protected:
  StoreReportTest() {
    const std::vector<Record> records = {SampleRecord(SampleTask(1), 0, SampleOfSession(2, 1)),
                                         SampleRecord(SampleTask(1), 1, SampleTiming(2)),
                                         SecondTasksFailure()};
    const std::vector<ControlMeasurement> controls = {SampleControl(1, true),
                                                      SampleControl(2, false)};
    const std::vector<ForeignRecord> foreign = {SampleForeign("a"), SampleForeign("b")};
    const std::vector<ImportEntry> imports = {{"a.jsonl", 1.5e9, 9, 5, 3, 1}};
    OpenStore(path_, StoreMode::kWrite)->Write({records, controls, foreign, imports});
  }

  // The lines of a check after `sql` has changed the file.
  std::vector<std::string> LinesAfter(const std::string& sql) {
    SqliteDatabase(path_, true).Execute(sql);
    return CheckStore(path_).lines;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.Path("store.db");
};

TEST_F(StoreReportTest, ACheckIsWatchedAndStopped) {
  const StoreCheck check = CheckStore(path_, [](int64_t done, int64_t total) {
    EXPECT_EQ(total, 3);
    return done < 2;
  });
  EXPECT_TRUE(check.stopped);
  EXPECT_EQ(check.records, 2);
  EXPECT_EQ(check.faults, 0);
}

TEST_F(StoreReportTest, StatsCountEverything) {
  const StoreStats stats = ReadStoreStats(path_);
  EXPECT_EQ(stats.format, 3);
  EXPECT_EQ(stats.bytes, static_cast<int64_t>(std::filesystem::file_size(path_)));
  EXPECT_EQ(stats.records, 3);
  EXPECT_EQ(stats.tasks, 2);
  EXPECT_EQ(stats.candidates, 3);
  EXPECT_EQ(stats.hosts, 1);
  EXPECT_EQ(stats.sessions, 1);
  EXPECT_EQ(stats.controls, 2);
  EXPECT_EQ(stats.bad_controls, 1);
  EXPECT_THAT(stats.outcomes, ElementsAre(Pair("ok", 2), Pair("wrong_output", 1)));
  EXPECT_THAT(stats.failures, ElementsAre(Pair("wrong_output", SecondTasksFailure().id)));
  EXPECT_THAT(stats.foreign, ElementsAre(Pair("ansor", 2)));
  EXPECT_THAT(stats.imports, ElementsAre(ImportEntry{"a.jsonl", 1.5e9, 9, 5, 3, 1}));
}

TEST_F(StoreReportTest, OfEachFailureTheLatestIsNamed) {
  const Record later = SampleRecord(SampleTask(1), 9, SampleFailure());
  OpenStore(path_, StoreMode::kWrite)->Append({&later, 1});
  EXPECT_THAT(ReadStoreStats(path_).failures, ElementsAre(Pair("wrong_output", later.id)));
}

TEST_F(StoreReportTest, HalfAStoreIsADamagedOne) {
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  const StoreCheck check = CheckStore(path_);
  EXPECT_EQ(check.faults, 1);
  EXPECT_THAT(check.lines, ElementsAre(HasSubstr("malformed")));
  EXPECT_THROW(ReadStoreStats(path_), InputError);
}

TEST_F(StoreReportTest, AWholeStorePassesBesideItsWriter) {
  const auto writer = OpenStore(path_, StoreMode::kWrite);
  writer->Append(std::vector<Record>{SampleRecord(SampleTask(3), 5, SampleTiming(1))});
  const StoreCheck check = CheckStore(path_);
  EXPECT_EQ(check.records, 4);
  EXPECT_EQ(check.faults, 0);
  EXPECT_THAT(check.lines, IsEmpty());
  EXPECT_EQ(ReadStoreStats(path_).records, 4);
}

TEST_F(StoreReportTest, AnOldStoreIsLookedAtToo) {
  const std::string old = SG_SOURCE_DIR "/tests/env/measure/data/store_v1.sqlite";
  std::filesystem::copy_file(old, folder_.Path("old.db"));
  const StoreCheck check = CheckStore(folder_.Path("old.db"));
  EXPECT_EQ(check.records, 4);
  EXPECT_THAT(check.lines, IsEmpty());
  EXPECT_EQ(ReadStoreStats(folder_.Path("old.db")).format, 1);
}

TEST_F(StoreReportTest, ARecordWhoseFieldsWereChangedIsFound) {
  EXPECT_THAT(LinesAfter("UPDATE measurement SET trial = 77 WHERE id = 1"),
              ElementsAre(HasSubstr("its id is not that of its fields")));
}

TEST_F(StoreReportTest, ACandidateWhoseTraceWasChangedIsFound) {
  EXPECT_THAT(LinesAfter("UPDATE candidate SET trace = trace || ' ' WHERE id = 3"),
              ElementsAre(HasSubstr("its id is not"), HasSubstr("candidate 3: found key")));
}

TEST_F(StoreReportTest, AnUnknownOutcomeIsFoundAndTheRestStillLookedAt) {
  EXPECT_THAT(LinesAfter("UPDATE measurement SET outcome = 'fine' WHERE id = 1;"
                         "UPDATE measurement SET seconds = -1 WHERE id = 2"),
              testing::IsSupersetOf({HasSubstr("outcome 'fine'"), HasSubstr("its seconds are")}));
}

TEST_F(StoreReportTest, ImpossibleNumbersAreFound) {
  for (const char* change :
       {"seconds = 0", "seconds = 9e999", "ratio = NULL", "ratio_low = ratio * 2", "calls = 0",
        "cpu_per_wall = -1", "compile_seconds = -1", "started = 9e999"}) {
    const std::string copy = folder_.Path("copy.db");
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    SqliteDatabase(copy, true)
        .Execute(std::string("UPDATE measurement SET ") + change + " WHERE id = 2");
    EXPECT_EQ(CheckStore(copy).faults, 1) << change;
  }
}

TEST_F(StoreReportTest, MissingRowsAreFound) {
  EXPECT_THAT(LinesAfter("DELETE FROM host"),
              testing::Contains(HasSubstr("of table measurement refers to a missing row of table "
                                          "host")));
}

TEST_F(StoreReportTest, MissingSamplesAreFound) {
  EXPECT_THAT(LinesAfter("DELETE FROM sample WHERE measurement = 1"),
              ElementsAre(HasSubstr("samples stand with a success only")));
}

TEST_F(StoreReportTest, AnotherTasksKeyIsFound) {
  EXPECT_THAT(LinesAfter("UPDATE measurement SET task_key = 'x' WHERE id = 2"),
              ElementsAre(HasSubstr("its task's key")));
}

TEST_F(StoreReportTest, BrokenPagesAreFound) {
  {
    const auto store = OpenStore(path_, StoreMode::kWrite);
    for (int i = 10; i < 60; ++i) {
      store->Append(std::vector<Record>{SampleRecord(SampleTask(1), i, SampleTiming(1 + i))});
    }
  }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  for (int page = 20; page < 30; ++page) {
    file.seekp(page * 4096);
    file << std::string(64, '\x5a');
  }
  file.close();
  const StoreCheck check = CheckStore(path_);
  EXPECT_GT(check.faults, 0);
  EXPECT_LE(check.lines.size(), 20u);
  for (const std::string& line : check.lines) EXPECT_THAT(line, testing::Not(HasSubstr("\n")));
}

TEST_F(StoreReportTest, OtherFilesAreRefused) {
  std::ofstream(path_) << "hello\n";
  EXPECT_THROW(CheckStore(path_), InputError);
  EXPECT_THROW(ReadStoreStats(path_), InputError);
  EXPECT_THROW(CheckStore(folder_.Path("none.db")), InputError);
}

}  // namespace
}  // namespace schedulegym
