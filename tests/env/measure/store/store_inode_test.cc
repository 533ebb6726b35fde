#include "env/measure/store/store_inode.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "env/measure/store/sqlite_database.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

class StoreInodeTest : public testing::Test {
 protected:
  // Uses a separate descriptor, like another process.
  bool IsFree() const {
    const int file = open(path_.c_str(), O_RDONLY);
    const bool is_free = flock(file, LOCK_EX | LOCK_NB) == 0;
    close(file);
    return is_free;
  }
  // Whether SQLite holds its own fcntl locks on the file, from another process's view.
  bool HasSqliteLock() const {
    const pid_t child = fork();
    if (child == 0) {
      struct flock whole = {};
      whole.l_type = F_WRLCK;
      whole.l_whence = SEEK_SET;
      fcntl(open(path_.c_str(), O_RDWR), F_GETLK, &whole);
      _exit(whole.l_type == F_UNLCK ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) == 1;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.Path("a.db");
};

TEST_F(StoreInodeTest, OfNoFileItIsClosed) {
  EXPECT_FALSE(StoreInode(path_).is_open());
  EXPECT_FALSE(StoreInode(folder_.Path("")).is_open());
  EXPECT_EQ(StoreInode(path_).links(), 0);
}

TEST_F(StoreInodeTest, AllNamesAreOneFile) {
  std::ofstream(path_) << "content";
  std::filesystem::create_hard_link(path_, folder_.Path("b.db"));
  std::filesystem::create_symlink("a.db", folder_.Path("c.db"));
  StoreInode first(path_), hard(folder_.Path("b.db")), soft(folder_.Path("c.db"));
  EXPECT_EQ(first.links(), 2);
  EXPECT_TRUE(first.Lock());
  EXPECT_FALSE(hard.Lock());
  EXPECT_FALSE(soft.Lock());
  EXPECT_FALSE(IsFree());
  EXPECT_EQ(soft.Holder(), getpid());
  first.Unlock();
  EXPECT_TRUE(IsFree());
  EXPECT_EQ(soft.Holder(), std::nullopt);
  EXPECT_TRUE(hard.Lock());
}

TEST_F(StoreInodeTest, TheLastUseLetsGo) {
  std::ofstream(path_) << "content";
  {
    StoreInode first(path_);
    ASSERT_TRUE(first.Lock());
    const StoreInode second(path_);
    StoreInode moved = std::move(first);
    EXPECT_FALSE(first.is_open());
    EXPECT_TRUE(moved.is_open());
    EXPECT_FALSE(IsFree());
  }
  EXPECT_TRUE(IsFree());
}

TEST_F(StoreInodeTest, SqliteKeepsItsLocksWhenAnotherUseEnds) {
  SqliteDatabase database(path_, true);
  database.Execute("CREATE TABLE t (x); PRAGMA journal_mode = WAL; SELECT * FROM t");
  ASSERT_TRUE(HasSqliteLock());
  {
    StoreInode other(path_);
    EXPECT_TRUE(other.Lock());
    other.Unlock();
  }
  EXPECT_TRUE(HasSqliteLock());
}

TEST_F(StoreInodeTest, TheFileSaysWhetherItHasALog) {
  std::ofstream(path_) << "content";
  EXPECT_FALSE(StoreInode(path_).HasLog());
  std::filesystem::remove(path_);
  SqliteDatabase database(path_, true);
  database.Execute("CREATE TABLE t (x)");
  EXPECT_FALSE(StoreInode(path_).HasLog());
  database.Execute("PRAGMA journal_mode = WAL");
  EXPECT_TRUE(StoreInode(path_).HasLog());
  database.Execute("PRAGMA journal_mode = DELETE");
  EXPECT_FALSE(StoreInode(path_).HasLog());
}

}  // namespace
}  // namespace schedulegym
