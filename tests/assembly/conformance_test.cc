#include "assembly/conformance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "assembly/plugins.h"
#include "assembly/processes/hosted_agents.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "tests/conformance/small_agents.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Faults of the agent, by the rule that it breaks.
std::map<std::string, std::string> FaultsOf(const std::string& agent, const Catalog& catalog,
                                            double answer_seconds = kLongestAnswerSeconds) {
  std::map<std::string, std::string> faults;
  for (const RuleCheck& check :
       CheckConformance(RequireSpec("agent", agent), catalog, answer_seconds)) {
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

// All registered agents, except those that load foreign code.
TEST(ConformanceTest, AnAgentOfThisProjectKeepsAllRules) {
  const Catalog catalog = BuiltinCatalog();
  EXPECT_THAT(FaultsOf("ansor(population=32,round=8,model=analytical)", catalog),
              testing::IsEmpty());
  EXPECT_THAT(FaultsOf(SmallSpecOf("local"), catalog), testing::IsEmpty());
}

// All agents; takes a minute.
TEST(OwnAgentsConformanceTest, TheProjectsOwnAgentsKeepAllRules) {
  setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1);
  const Catalog catalog = BuiltinCatalog();
  const std::vector<AgentEntry> learned = HostedAgents();
  std::vector<std::string> agents = {"ansor(population=32,round=8,model=analytical)"};
  for (const CatalogLine& line : catalog.agents.lines()) {
    if (line.name == "python" || line.name == "process") continue;
    const bool is_learned =
        std::ranges::find(learned, line.name, &AgentEntry::name) != learned.end();
    if (is_learned && SG_HAS_TORCH == 0) continue;
    agents.push_back(SmallSpecOf(line.name));
  }
  EXPECT_GT(agents.size(), 10u);
  for (const std::string& agent : agents) {
    EXPECT_THAT(FaultsOf(agent, catalog), testing::IsEmpty()) << agent;
  }
}

// Each rule makes agents of its own.
TEST(ConformanceTest, EachRuleIsToldBeforeTheNextBegins) {
  int made = 0;
  Catalog catalog = BuiltinCatalog();
  const AgentFactory make = catalog.agents.Find({"random", {}});
  catalog.agents.Replace("random", [&made, make](const AgentContext& context) {
    ++made;
    return make(context);
  });
  std::vector<int> made_before;
  std::vector<std::string> rules;
  const auto checks = CheckConformance({"random", {}}, catalog, 60, [&](const RuleCheck& check) {
    made_before.push_back(made);
    rules.push_back(check.rule);
  });
  ASSERT_EQ(rules.size(), checks.size());
  for (size_t i = 0; i < checks.size(); ++i) EXPECT_EQ(rules[i], checks[i].rule);
  EXPECT_GT(made_before[0], 0);
  for (size_t i = 1; i < made_before.size(); ++i) EXPECT_GT(made_before[i], made_before[i - 1]);
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

TEST(ConformanceTest, ThinkingOnIsFound) {
  const auto faults = FaultsOf("breaking", WithPlugin("broken_kDeaf"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults.at("stops in the midst of thinking"), HasSubstr("for more than 0.25 seconds"));
}

TEST(ConformanceTest, GivingUpIsFound) {
  const auto faults = FaultsOf("breaking", WithPlugin("broken_kSulky"));
  EXPECT_THAT(faults.at("goes on where candidates or the machine fail"),
              HasSubstr("once the machine had failed"));
  EXPECT_THAT(faults.at("proposes again what was never measured"), HasSubstr("says_nothing"));
  EXPECT_EQ(faults.size(), 2U);
}

TEST(ConformanceTest, NothingTwiceEvenWhereItWasLostIsFound) {
  const auto faults = FaultsOf("breaking", WithPlugin("broken_kStrict"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults.at("proposes again what was never measured"), HasSubstr("not_reached"));
}

TEST(ConformanceTest, LookingForEverForWhatIsNotThereIsFound) {
  constexpr double kPatience = 1;
  const auto faults = FaultsOf("breaking", WithPlugin("broken_kEndless"), kPatience);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults.at("answers where no schedule is left"),
              HasSubstr("said nothing for 1.0 seconds"));
}

TEST(ConformanceTest, AShareOfTheTrialsThatIsNothingIsFound) {
  const auto faults = FaultsOf("breaking", WithPlugin("broken_kThrifty"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults.at("takes any budget, also one trial at a time"),
              HasSubstr("question 0 of 1 trials"));
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
