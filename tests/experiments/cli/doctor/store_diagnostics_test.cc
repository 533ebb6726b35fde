#include "experiments/cli/doctor/diagnostic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::HasSubstr;

TEST(StoreDiagnosticsTest, AnSqliteWithTheBugIsNamed) {
  const Diagnostic old = SqliteDiagnostic("3.40.1", 3040001);
  EXPECT_EQ(old.value, "3.40.1");
  EXPECT_THAT(old.advice, HasSubstr("3.51.3"));
  EXPECT_EQ(ToJson(old.fields), R"({"version":"3.40.1","wal_reset_bug":true})");
  EXPECT_EQ(SqliteDiagnostic("3.51.3", 3051003).advice, "");
}

TEST(StoreDiagnosticsTest, WhereTheStoreLies) {
  EXPECT_EQ(StorePlaceDiagnostic("a.db", std::nullopt, false).value, "a.db, local");
  EXPECT_EQ(StorePlaceDiagnostic("a.db", std::nullopt, false).advice, "");
  const Diagnostic far = StorePlaceDiagnostic("a.db", "nfs", false);
  EXPECT_EQ(far.value, "a.db, on nfs");
  EXPECT_THAT(far.advice, HasSubstr("--store"));
  EXPECT_EQ(ToJson(far.fields), R"({"path":"a.db","network":"nfs","in_memory":false})");
  EXPECT_THAT(StorePlaceDiagnostic("a.db", std::nullopt, true).advice, HasSubstr("disk"));
}

TEST(StoreDiagnosticsTest, ThisMachines) {
  const std::vector<Diagnostic> diagnostics = StoreDiagnostics("some.db");
  ASSERT_EQ(diagnostics.size(), 2u);
  EXPECT_EQ(diagnostics[0].name, "sqlite");
  EXPECT_EQ(diagnostics[1].name, "store");
  EXPECT_THAT(StoreDiagnostics("/dev/shm/some.db")[1].value, HasSubstr("in memory"));
}

}  // namespace
}  // namespace schedulegym
