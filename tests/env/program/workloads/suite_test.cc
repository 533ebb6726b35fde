#include "env/program/workloads/suite.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "env/program/analysis.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

TEST(SuiteTest, HasThePromisedNumberOfCases) {
  EXPECT_EQ(FindSuite("ansor_ops")->cases.size(), 80u);
  EXPECT_EQ(FindSuite("ansor_subgraphs")->cases.size(), 16u);
  EXPECT_EQ(FindSuite("expert")->cases.size(), 15u);
  EXPECT_FALSE(FindSuite("ansor"));
}

TEST(SuiteTest, MakesEveryCaseOnce) {
  for (const Suite& suite : BuiltinSuites()) {
    std::set<std::string> specs;
    std::set<Key> keys;
    for (const SuiteCase& one : suite.cases) {
      specs.insert(one.workload.ToText());
      keys.insert(MakeWorkload(one.workload).key());
    }
    EXPECT_EQ(specs.size(), suite.cases.size()) << suite.name;
    EXPECT_EQ(keys.size(), suite.cases.size()) << suite.name;
  }
}

TEST(SuiteTest, HasFourShapesOfEachOperatorInBothBatches) {
  std::map<std::string, int> families;
  const auto cases = FindSuite("ansor_ops")->cases;
  for (const SuiteCase& one : cases) ++families[one.family];
  EXPECT_EQ(families.size(), 10u);
  for (const auto& [family, count] : families) EXPECT_EQ(count, 8) << family;
}

// A batch of 16 is 16 times the work; padding adds no work.
TEST(SuiteTest, OrdersBatchesAlike) {
  for (const char* name : {"ansor_ops", "ansor_subgraphs"}) {
    const auto cases = FindSuite(name)->cases;
    const size_t half = cases.size() / 2;
    for (size_t i = 0; i < half; i += 5) {
      const double one = CountFlops(MakeWorkload(cases[i].workload));
      EXPECT_EQ(CountFlops(MakeWorkload(cases[i + half].workload)), 16 * one);
    }
  }
}

TEST(SuiteTest, SmokeCoversEveryOperatorAndIsSmall) {
  std::set<std::string> names;
  const auto cases = FindSuite("smoke")->cases;
  for (const SuiteCase& one : cases) {
    names.insert(one.workload.name);
    EXPECT_LT(CountFlops(MakeWorkload(one.workload)), 60000) << one.workload.ToText();
  }
  for (const BuiltinOperator& entry : BuiltinOperators()) EXPECT_TRUE(names.contains(entry.name));
}

}  // namespace
}  // namespace schedulegym
