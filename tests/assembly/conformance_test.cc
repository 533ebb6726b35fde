#include "assembly/conformance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "assembly/plugins.h"
#include "env/base/fault.h"
#include "env/base/required_spec.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Of the rules that it breaks.
std::map<std::string, std::string> FaultsOf(const std::string& agent, const Catalog& catalog) {
  std::map<std::string, std::string> faults;
  for (const RuleCheck& check : CheckConformance(RequireSpec("agent", agent), catalog)) {
    EXPECT_EQ(check.fault.find('\n'), std::string::npos) << check.fault;
    if (!check.fault.empty()) faults[check.rule] = check.fault;
  }
  return faults;
}

Catalog WithPlugin(const std::string& name) {
  setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1);
  Catalog catalog = BuiltinCatalog();
  AddPlugins({std::string(SG_PLUGINS) + "/" + name + ".so"}, catalog);
  return catalog;
}

TEST(ConformanceTest, TheProjectsOwnAgentsKeepAllRules) {
  const Catalog catalog = BuiltinCatalog();
  for (const char* agent : {"random", "hill", "local", "annealing", "genetic(population=8,elite=2)",
                            "droplet", "ansor(population=32,round=8,model=analytical)",
                            "ansor(population=32,round=8)", "greedy(round=8)"}) {
    EXPECT_THAT(FaultsOf(agent, catalog), testing::IsEmpty()) << agent;
  }
}

TEST(ConformanceTest, ChanceOfItsOwnIsFound) {
  const auto faults = FaultsOf("breaking", WithPlugin("broken_kMoody"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults.at("proposes the same again for the same seed"), "proposal 0 differs");
}

TEST(ConformanceTest, OtherProposalsFromTheSameMemoryAreFound) {
  const auto faults = FaultsOf("breaking", WithPlugin("broken_kForgetful"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults.at("proposes the same again from what it saved"), HasSubstr("was loaded"));
}

TEST(ConformanceTest, TooManySchedulesAndAnyOptionAreFound) {
  const auto faults = FaultsOf("breaking", WithPlugin("broken_kGreedy"));
  EXPECT_THAT(faults.at("answers with schedules of the task, at most as many as asked"),
              HasSubstr("found too many schedules"));
  EXPECT_THAT(faults.at("refuses an option that it does not have"), HasSubstr("no_such_option"));
}

TEST(ConformanceTest, ACrashAndWhatIsThrownAreFoundWhereTheyHappen) {
  const Catalog catalog = WithPlugin("several");
  EXPECT_THAT(FaultsOf("crashes", catalog).at("goes on where candidates or the machine fail"),
              HasSubstr("agent crashes ended: SIGSEGV"));
  EXPECT_THAT(FaultsOf("throws", catalog).at("proposes the same again for the same seed"),
              HasSubstr("Propose threw: beyond the end"));
}

TEST(ConformanceTest, AnUnknownAgentIsRefused) {
  EXPECT_THROW(CheckConformance({"no_such_agent", {}}, BuiltinCatalog()), InputError);
}

}  // namespace
}  // namespace schedulegym
