#include "experiments/cli/doctor/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::HasSubstr;

TEST(StoreFindingsTest, AnSqliteWithTheBugIsNamed) {
  const Finding old = SqliteFinding("3.40.1", 3040001);
  EXPECT_EQ(old.value, "3.40.1");
  EXPECT_THAT(old.advice, HasSubstr("3.51.3"));
  EXPECT_EQ(ToJson(old.fields), R"({"version":"3.40.1","wal_reset_bug":true})");
  EXPECT_EQ(SqliteFinding("3.51.3", 3051003).advice, "");
}

TEST(StoreFindingsTest, WhereTheStoreLies) {
  EXPECT_EQ(StorePlaceFinding("a.db", std::nullopt, false).value, "a.db, local");
  EXPECT_EQ(StorePlaceFinding("a.db", std::nullopt, false).advice, "");
  const Finding far = StorePlaceFinding("a.db", "nfs", false);
  EXPECT_EQ(far.value, "a.db, on nfs");
  EXPECT_THAT(far.advice, HasSubstr("--store"));
  EXPECT_EQ(ToJson(far.fields), R"({"path":"a.db","network":"nfs","in_memory":false})");
  EXPECT_THAT(StorePlaceFinding("a.db", std::nullopt, true).advice, HasSubstr("disk"));
}

TEST(StoreFindingsTest, ThisMachines) {
  const std::vector<Finding> findings = StoreFindings("some.db");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].name, "sqlite");
  EXPECT_EQ(findings[1].name, "store");
  EXPECT_THAT(StoreFindings("/dev/shm/some.db")[1].value, HasSubstr("in memory"));
}

}  // namespace
}  // namespace schedulegym
