#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "env/base/fault.h"
#include "env/measure/store/record_store.h"
#include "env/measure/store/sqlite_database.h"
#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class SqliteStoreTest : public testing::Test {
 protected:
  std::unique_ptr<RecordStore> Open(StoreMode mode) { return OpenStore(path_, mode); }

  std::string FaultOf(StoreMode mode) {
    try {
      Open(mode);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path_));
      EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
      return error.what();
    }
    return "";
  }

  void Write(const std::string& contents) { std::ofstream(path_, std::ios::binary) << contents; }

  std::string Contents() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }

  void Execute(const std::string& sql) { SqliteDatabase(path_, true).Execute(sql); }

  void Append(const Record& record) {
    Open(StoreMode::kWrite)->Append(std::vector<Record>{record});
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.Path("store.db");
  Record record_ = SampleRecord(SampleTask(1), 0, SampleTiming(2));
};

// Files of programs that did not yet check references.
TEST_F(SqliteStoreTest, FilesWithoutVerifiedReferencesAreReadAndGetThem) {
  Append(SampleRecord(SampleTask(1), 0, SampleTiming(2)));
  Execute("DROP TABLE whole_reference");
  const Key task = SampleTask(1)->key;
  EXPECT_FALSE(Open(StoreMode::kRead)->IsVerified(task, "llvm"));
  const VerifiedReference verified = {task, "llvm", 1, 2};
  Open(StoreMode::kWrite)->Write({.verified = {&verified, 1}});
  EXPECT_TRUE(Open(StoreMode::kRead)->IsVerified(task, "llvm"));
}

TEST_F(SqliteStoreTest, FilesWithoutEndingsAreReadAndGetThem) {
  Append(record_);
  Execute("DROP TABLE search_ending");
  EXPECT_EQ(Open(StoreMode::kRead)->Ending(record_.id), std::nullopt);
  const SearchEnding ending = {record_.id, "seconds"};
  Open(StoreMode::kWrite)->Write({.endings = {&ending, 1}});
  EXPECT_EQ(Open(StoreMode::kRead)->Ending(record_.id), "seconds");
}

// The reference was checked on other inputs than tasks have now.
TEST_F(SqliteStoreTest, ReferencesThatWereCheckedOnOtherInputsCountForNothing) {
  const VerifiedReference verified = {record_.task->key, "llvm", 1, 2};
  Open(StoreMode::kWrite)->Write({.verified = {&verified, 1}});
  EXPECT_TRUE(Open(StoreMode::kRead)->IsVerified(record_.task->key, "llvm"));
  Execute("UPDATE whole_reference SET inputs = 'cpu1, 0'");
  EXPECT_FALSE(Open(StoreMode::kRead)->IsVerified(record_.task->key, "llvm"));
}

TEST_F(SqliteStoreTest, KeepsRecordsFromOneOpeningToTheNext) {
  Append(record_);
  const Record second = SampleRecord(SampleTask(1), 1, SampleFailure());
  Append(second);
  EXPECT_THAT(Open(StoreMode::kRead)->ForTask(record_.task->key), ElementsAre(record_, second));
}

TEST_F(SqliteStoreTest, LeavesASingleFile) {
  Append(record_);
  EXPECT_THAT(folder_.Names(), ElementsAre("store.db"));
  Open(StoreMode::kRead)->Best(record_.task->key);
  EXPECT_THAT(folder_.Names(), ElementsAre("store.db"));
}

TEST_F(SqliteStoreTest, ASecondWriterIsRefusedAndToldWhoTheFirstIs) {
  const auto first = Open(StoreMode::kWrite);
  EXPECT_THAT(FaultOf(StoreMode::kWrite),
              HasSubstr("process " + std::to_string(getpid()) + " since 2"));
  first->Append(std::vector<Record>{record_});
  EXPECT_EQ(first->ById(record_.id), record_);
}

TEST_F(SqliteStoreTest, ReadersSeeWhatAWriterHasAppended) {
  const auto writer = Open(StoreMode::kWrite);
  writer->Append(std::vector<Record>{record_});
  const auto reader = Open(StoreMode::kRead);
  EXPECT_EQ(reader->ById(record_.id), record_);
  const Record second = SampleRecord(SampleTask(1), 1, SampleTiming(3));
  writer->Append(std::vector<Record>{second});
  EXPECT_EQ(reader->Best(record_.task->key), second);
}

TEST_F(SqliteStoreTest, AReaderDoesNotWrite) {
  Append(record_);
  EXPECT_THROW(Open(StoreMode::kRead)->Append(std::vector<Record>{record_}), std::logic_error);
}

// Appends, reports it, and dies without cleaning up.
TEST_F(SqliteStoreTest, WhatWasAcknowledgedSurvivesAKilledWriter) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto store = Open(StoreMode::kWrite);
    store->Append(std::vector<Record>{record_});
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_THAT(folder_.Names(), testing::Contains("store.db-lock"));
  EXPECT_EQ(Open(StoreMode::kRead)->ById(record_.id), record_);
  const auto next = Open(StoreMode::kWrite);
  EXPECT_EQ(next->ById(record_.id), record_);
}

TEST_F(SqliteStoreTest, AMissingFileIsCreatedOnlyForWriting) {
  EXPECT_THAT(FaultOf(StoreMode::kRead), HasSubstr("does not exist"));
  EXPECT_THAT(folder_.Names(), testing::IsEmpty());
  Open(StoreMode::kWrite);
  EXPECT_THAT(Open(StoreMode::kRead)->BestOfEach(), testing::IsEmpty());
}

TEST_F(SqliteStoreTest, AnEmptyFileIsNoStoreYet) {
  Write("");
  EXPECT_THAT(FaultOf(StoreMode::kRead), HasSubstr("is empty"));
  Append(record_);
  EXPECT_EQ(Open(StoreMode::kRead)->ById(record_.id), record_);
}

TEST_F(SqliteStoreTest, OtherFilesAreRefusedAndLeftAlone) {
  for (const std::string& contents : {std::string("hello\n"), std::string(10000, 'x'),
                                      std::string("SQLite format 3\0junk", 20)}) {
    Write(contents);
    EXPECT_THAT(FaultOf(StoreMode::kWrite), HasSubstr("expected a schedulegym store"));
    EXPECT_THAT(FaultOf(StoreMode::kRead), HasSubstr("expected a schedulegym store"));
    EXPECT_EQ(Contents(), contents);
    EXPECT_THAT(folder_.Names(), ElementsAre("store.db"));
  }
}

TEST_F(SqliteStoreTest, AnotherDatabaseIsRefusedAndLeftAlone) {
  SqliteDatabase(path_, true).Execute("CREATE TABLE task (x); INSERT INTO task VALUES (1)");
  const std::string before = Contents();
  EXPECT_THAT(FaultOf(StoreMode::kWrite), HasSubstr("another kind of database"));
  EXPECT_THAT(FaultOf(StoreMode::kRead), HasSubstr("another kind of database"));
  EXPECT_EQ(Contents(), before);
}

TEST_F(SqliteStoreTest, ANewerFormatIsRefusedAndLeftAlone) {
  Append(record_);
  SqliteDatabase(path_, true).Execute("PRAGMA user_version = 4");
  const std::string before = Contents();
  EXPECT_THAT(FaultOf(StoreMode::kWrite), HasSubstr("format 4, written by a newer version"));
  EXPECT_THAT(FaultOf(StoreMode::kRead), HasSubstr("format 3"));
  EXPECT_EQ(Contents(), before);
}

TEST_F(SqliteStoreTest, AFormatThatNeverWasIsRefused) {
  Append(record_);
  SqliteDatabase(path_, true).Execute("PRAGMA user_version = 0");
  EXPECT_THAT(FaultOf(StoreMode::kWrite), HasSubstr("has format 0; expected format 3"));
}

TEST_F(SqliteStoreTest, ANetworkFileSystemIsReadButNotWritten) {
  Append(record_);
  const StoreOptions options = {.network = [](const std::string&) { return "nfs"; }};
  EXPECT_EQ(OpenStore(path_, StoreMode::kRead, options)->ById(record_.id), record_);
  try {
    OpenStore(path_, StoreMode::kWrite, options);
    FAIL() << "opened";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("network file system (nfs)"));
    EXPECT_THAT(error.what(), HasSubstr("local disk"));
  }
}

// SQLite's VFS with lock files has no shared memory, which the log needs.
TEST_F(SqliteStoreTest, WithoutAWriteAheadLogItIsNotWritten) {
  Append(record_);
  StoreOptions options;
  options.vfs = "unix-dotfile";
  try {
    OpenStore(path_, StoreMode::kWrite, options);
    FAIL() << "opened";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("its journal mode stays 'delete', expected"));
  }
  EXPECT_EQ(Open(StoreMode::kRead)->ById(record_.id), record_);
}

TEST_F(SqliteStoreTest, OneKernelIsOneCandidate) {
  Record again = record_;
  again.started += 5;
  again.id = RecordId(again);
  Record other = SampleRecord(SampleTask(1), 0, SampleOfSession(2, 1));
  other.seed = 8;
  other.id = RecordId(other);
  Open(StoreMode::kWrite)->Append(std::vector<Record>{record_, again, other});
  SqliteDatabase database(path_, false);
  EXPECT_EQ(database.QueryInteger("SELECT COUNT(*) FROM measurement"), 3);
  EXPECT_EQ(database.QueryInteger("SELECT COUNT(*) FROM candidate"), 2)
      << "another toolchain makes another kernel";
  EXPECT_EQ(database.QueryInteger("SELECT COUNT(*) FROM session"), 1);
}

// A program that starts later does not inherit the store's descriptors.
TEST_F(SqliteStoreTest, ItsDescriptorsCloseOnExec) {
  const auto store = Open(StoreMode::kWrite);
  store->Append(std::vector<Record>{record_});
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    const std::string target = std::filesystem::read_symlink(entry.path(), ignored).string();
    if (target.rfind(path_, 0) != 0) continue;
    ++found;
    EXPECT_NE(fcntl(std::stoi(entry.path().filename().string()), F_GETFD) & FD_CLOEXEC, 0)
        << target;
  }
  EXPECT_GE(found, 3) << "database, log and lock";
}

// Runs in a child, because the limit cannot be undone.
TEST_F(SqliteStoreTest, AFullDiskIsReportedAndHarmsNothing) {
  Append(record_);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const auto store = Open(StoreMode::kWrite);
    const rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    int64_t acknowledged = 0;
    try {
      for (int i = 1; i < 10000; ++i) {
        store->Append(std::vector<Record>{SampleRecord(SampleTask(1), i, SampleTiming(1 + i))});
        acknowledged = i;
      }
    } catch (const InputError& error) {
      std::ofstream(folder_.Path("said")) << acknowledged << " " << error.what() << "\n";
      _exit(store->ById(record_.id) == record_ ? 0 : 2);
    }
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  std::ifstream said(folder_.Path("said"));
  int64_t acknowledged = 0;
  std::string message;
  said >> acknowledged;
  std::getline(said, message);
  EXPECT_GT(acknowledged, 10);
  EXPECT_THAT(message, HasSubstr("expected a folder that may be written, with room"));
  const auto records = Open(StoreMode::kWrite)->ForTask(record_.task->key);
  ASSERT_EQ(static_cast<int64_t>(records.size()), acknowledged + 1);
  EXPECT_EQ(records.back().index, acknowledged);
}

TEST_F(SqliteStoreTest, DamageIsFoundAtOpening) {
  {
    const auto store = Open(StoreMode::kWrite);
    for (int i = 0; i < 50; ++i) {
      store->Append(std::vector<Record>{SampleRecord(SampleTask(1), i, SampleTiming(1 + i))});
    }
  }
  const std::string whole = Contents();
  std::string damaged = whole;
  // The header's page stays; all other pages lose their first bytes.
  for (size_t page = 4096; page < damaged.size(); page += 4096) {
    damaged.replace(page, 64, 64, '\x5a');
  }
  Write(damaged);
  EXPECT_NE(FaultOf(StoreMode::kWrite), "");
  EXPECT_NE(FaultOf(StoreMode::kRead), "");
  EXPECT_EQ(Contents(), damaged);
  const std::string half = whole.substr(0, whole.size() / 2);
  Write(half);
  EXPECT_THAT(FaultOf(StoreMode::kWrite),
              HasSubstr("is damaged: database disk image is malformed"));
  EXPECT_THAT(FaultOf(StoreMode::kRead), HasSubstr("is damaged: database disk image is malformed"));
  EXPECT_EQ(Contents(), half);
}

TEST_F(SqliteStoreTest, FoldersAndUnreachablePathsAreRefused) {
  std::filesystem::create_directory(path_);
  EXPECT_THAT(FaultOf(StoreMode::kWrite), HasSubstr("is no file"));
  path_ = folder_.Path("missing/store.db");
  EXPECT_THAT(FaultOf(StoreMode::kWrite), HasSubstr("cannot write"));
}

// Opening these would block, or read without end.
TEST_F(SqliteStoreTest, WhatIsNoFileBesideAStoreIsRefused) {
  Append(record_);
  const std::string before = Contents();
  for (const char* suffix : {"-lock", "-journal", "-wal", "-shm"}) {
    ASSERT_EQ(mkfifo((path_ + suffix).c_str(), 0600), 0);
    EXPECT_THAT(FaultOf(StoreMode::kRead), HasSubstr(suffix + std::string("' is no file")));
    EXPECT_THAT(FaultOf(StoreMode::kWrite), HasSubstr(suffix + std::string("' is no file")));
    std::filesystem::remove(path_ + suffix);
  }
  EXPECT_EQ(Contents(), before);
}

TEST_F(SqliteStoreTest, TablesOfAStrangerAreRefused) {
  for (const char* sql :
       {"DROP TABLE candidate", "ALTER TABLE measurement RENAME COLUMN ratio TO speed",
        "ALTER TABLE measurement RENAME TO m; CREATE VIEW measurement AS WITH RECURSIVE r(x) AS "
        "(SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r",
        "UPDATE measurement SET message = replace(hex(zeroblob(8000000)), '0', 'long')"}) {
    path_ = folder_.Path(std::to_string(std::string(sql).size()) + ".db");
    Append(record_);
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
    try {
      Open(StoreMode::kRead)->ForEach([](const Record&) {});
      ADD_FAILURE() << sql;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("is damaged: ")) << sql;
    }
  }
}

// The trigger does not run.
TEST_F(SqliteStoreTest, NothingOfAStrangersIsRun) {
  Append(record_);
  SqliteDatabase(path_, true)
      .Execute("CREATE TRIGGER t AFTER INSERT ON measurement BEGIN DELETE FROM measurement; END");
  const Record second = SampleRecord(SampleTask(1), 1, SampleFailure());
  Append(second);
  EXPECT_EQ(Open(StoreMode::kRead)->ById(record_.id), record_);
  EXPECT_EQ(Open(StoreMode::kRead)->ById(second.id), second);
}

TEST_F(SqliteStoreTest, WhatSqliteWouldForgetIsRefused) {
  for (const std::string name : {"", ":memory:"}) {
    path_ = name;
    EXPECT_THAT(FaultOf(StoreMode::kWrite), HasSubstr("is no file")) << name;
    EXPECT_THAT(FaultOf(StoreMode::kRead), HasSubstr("is no file")) << name;
  }
}

TEST_F(SqliteStoreTest, MetaSaysWhatMadeIt) {
  Append(record_);
  SqliteDatabase database(path_, false);
  EXPECT_NE(database.QueryText("SELECT value FROM meta WHERE name = 'created_with_sqlite'"),
            std::nullopt);
  EXPECT_EQ(database.QueryInteger("SELECT COUNT(*) FROM host"), 1);
  EXPECT_EQ(database.QueryInteger("SELECT COUNT(*) FROM candidate"), 1);
  EXPECT_EQ(database.QueryInteger("SELECT COUNT(*) FROM sample"), 1);
}

TEST_F(SqliteStoreTest, AppendIsAllOrNothing) {
  const auto store = Open(StoreMode::kWrite);
  // The second record violates a rule, as a replacement for a full disk.
  SqliteDatabase(path_, true).Execute("CREATE UNIQUE INDEX one ON measurement (task_key)");
  const Record second = SampleRecord(SampleTask(1), 1, SampleTiming(3));
  try {
    store->Append(std::vector<Record>{record_, second});
    FAIL() << "the fault was swallowed";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("is damaged: UNIQUE constraint failed"));
  }
  EXPECT_EQ(store->ById(record_.id), std::nullopt);
  store->Append(std::vector<Record>{record_});
  EXPECT_EQ(store->ById(record_.id), record_);
}

}  // namespace
}  // namespace schedulegym
