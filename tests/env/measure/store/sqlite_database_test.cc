#include "env/measure/store/sqlite_database.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

class SqliteDatabaseTest : public testing::Test {
 protected:
  SqliteDatabaseTest() { database_.Execute("CREATE TABLE t (a INTEGER UNIQUE, b)"); }

  void Insert(int64_t a, std::string_view b) {
    SqliteStatement(database_, "INSERT INTO t VALUES (?, ?)").Bind(a).Bind(b).Step();
  }

  SqliteDatabase database_{":memory:", true};
};

TEST_F(SqliteDatabaseTest, StatementsOfOneTextBeginAnew) {
  Insert(1, "one");
  Insert(2, "two");
  {
    SqliteStatement bound(database_, "INSERT INTO t VALUES (?, ?)");
    bound.Bind(int64_t{3}).Bind("never");
  }
  SqliteStatement half(database_, "INSERT INTO t VALUES (?, ?)");
  half.Bind(int64_t{4}).Step();
  EXPECT_EQ(database_.QueryInteger("SELECT COUNT(*) FROM t"), 3);
  EXPECT_EQ(database_.QueryInteger("SELECT b IS NULL FROM t WHERE a = 4"), 1);
}

TEST_F(SqliteDatabaseTest, TwoOfOneTextAreReadSideBySide) {
  Insert(1, "one");
  Insert(2, "two");
  constexpr const char* kAll = "SELECT a FROM t ORDER BY a";
  SqliteStatement outer(database_, kAll);
  int64_t pairs = 0;
  while (outer.Step()) {
    SqliteStatement inner(database_, kAll);
    while (inner.Step()) pairs += 10 * outer.Integer(0) + inner.Integer(0);
  }
  EXPECT_EQ(pairs, 11 + 12 + 21 + 22);
}

TEST_F(SqliteDatabaseTest, WhatFailedOnceMayBeRunAgain) {
  Insert(1, "one");
  EXPECT_THROW(Insert(1, "again"), SqliteError);
  Insert(2, "two");
  EXPECT_THROW(SqliteStatement(database_, "SELECT a FROM nothing"), SqliteError);
  EXPECT_THROW(SqliteStatement(database_, "SELECT a FROM nothing"), SqliteError);
  EXPECT_EQ(database_.QueryInteger("SELECT COUNT(*) FROM t"), 2);
}

// A table may be changed between two runs of one text.
TEST_F(SqliteDatabaseTest, KeptStatementsSeeLaterTables) {
  Insert(1, "one");
  EXPECT_EQ(database_.QueryInteger("SELECT COUNT(*) FROM t"), 1);
  database_.Execute("DROP TABLE t");
  EXPECT_THROW(database_.QueryInteger("SELECT COUNT(*) FROM t"), SqliteError);
  database_.Execute("CREATE TABLE t (c)");
  EXPECT_EQ(database_.QueryInteger("SELECT COUNT(*) FROM t"), 0);
}

}  // namespace
}  // namespace schedulegym
