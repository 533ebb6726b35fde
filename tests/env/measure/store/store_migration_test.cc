#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "env/base/fault.h"
#include "env/measure/store/record_store.h"
#include "env/measure/store/sqlite_database.h"
#include "env/measure/store/store_file.h"
#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A store written by a version that was the newest then.
std::string StoreOf(const std::string& version) {
  return SG_SOURCE_DIR "/tests/env/measure/data/store_v" + version + ".sqlite";
}

std::string ContentsOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> TablesOf(const std::string& path) {
  SqliteDatabase database(path, false);
  SqliteStatement statement(database, "SELECT sql FROM sqlite_master WHERE sql <> '' ORDER BY sql");
  std::vector<std::string> tables;
  while (statement.Step()) tables.push_back(statement.Text(0));
  return tables;
}

// One test for each version.
class StoreMigrationTest : public testing::TestWithParam<const char*> {
 protected:
  StoreMigrationTest() {
    std::filesystem::copy_file(StoreOf(GetParam()), path_);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
    again_.started += 10;
    again_.id = RecordId(again_);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.Path("old.db");
  std::string copy_ = path_ + "-backup-v" + GetParam();
  // The store's records, in this order.
  Record first_ = SampleRecord(SampleTask(1), 0, SampleTiming(1.5));
  Record failed_ = SampleRecord(SampleTask(1), 1, SampleFailure());
  Record other_ = SampleRecord(SampleTask(2), 0, SampleTiming(3.1));
  Record again_ = SampleRecord(SampleTask(1), 0, SampleTiming(1.75));
};

INSTANTIATE_TEST_SUITE_P(Versions, StoreMigrationTest, testing::Values("1", "2"));

TEST_P(StoreMigrationTest, AReaderReadsTheOldFormatAndChangesNothing) {
  const auto store = OpenStore(path_, StoreMode::kRead);
  EXPECT_THAT(store->ForTask(first_.task->key), ElementsAre(first_, failed_, again_));
  EXPECT_THAT(store->BestOfEach(), ElementsAre(again_, other_));
  EXPECT_EQ(store->ById(other_.id), other_);
  EXPECT_EQ(ContentsOf(path_), ContentsOf(StoreOf(GetParam())));
  EXPECT_THAT(folder_.Names(), ElementsAre("old.db"));
}

TEST_P(StoreMigrationTest, AWriterBringsItUpToDateAndKeepsACopy) {
  std::vector<std::string> notes;
  const StoreOptions options = {.note = [&](const std::string& note) { notes.push_back(note); }};
  Record next = SampleRecord(SampleTask(1), 2, SampleOfSession(9, 1));
  next.space = "ansor";
  next.id = RecordId(next);
  {
    const auto store = OpenStore(path_, StoreMode::kWrite, options);
    store->Append(std::vector<Record>{next});
    std::vector<Record> all;
    store->ForEach([&](const Record& record) { all.push_back(record); });
    EXPECT_THAT(all, ElementsAre(first_, failed_, other_, again_, next));
  }
  EXPECT_THAT(notes, ElementsAre(HasSubstr(std::string("was of format ") + GetParam() +
                                           " and is now of format 3")));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("'" + copy_ + "'")));
  EXPECT_THAT(folder_.Names(), ElementsAre("old.db", std::string("old.db-backup-v") + GetParam()));
  EXPECT_THAT(OpenStore(copy_, StoreMode::kRead)->ForTask(first_.task->key),
              ElementsAre(first_, failed_, again_));
  notes.clear();
  EXPECT_EQ(OpenStore(path_, StoreMode::kWrite, options)->ById(next.id), next);
  EXPECT_THAT(notes, testing::IsEmpty()) << "once";
}

TEST_P(StoreMigrationTest, AMigratedStoreHasTheTablesOfANewOne) {
  OpenStore(path_, StoreMode::kWrite);
  OpenStore(folder_.Path("new.db"), StoreMode::kWrite);
  EXPECT_EQ(TablesOf(path_), TablesOf(folder_.Path("new.db")));
  SqliteDatabase database(path_, false);
  EXPECT_EQ(StoreVersion(database), kStoreVersion);
  EXPECT_EQ(database.QueryText("SELECT value FROM meta WHERE name = 'migrated_from'"), GetParam());
  EXPECT_EQ(database.QueryText("SELECT key FROM candidate WHERE id = 2"),
            CandidateKey(failed_).ToText());
  EXPECT_EQ(database.QueryText("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(database.QueryText("PRAGMA foreign_key_check"), std::nullopt);
}

TEST_P(StoreMigrationTest, WithoutACopyNothingIsMigrated) {
  std::filesystem::create_directories(copy_ + "/in the way");
  EXPECT_THROW(OpenStore(path_, StoreMode::kWrite), InputError);
  SqliteDatabase database(path_, false);
  EXPECT_EQ(std::to_string(StoreVersion(database)), GetParam());
}

}  // namespace
}  // namespace schedulegym
