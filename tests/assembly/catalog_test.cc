#include "assembly/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "assembly/environment_request.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::IsSupersetOf;

std::set<std::string> Names(const std::vector<CatalogLine>& lines) {
  std::set<std::string> names;
  for (const CatalogLine& line : lines) {
    EXPECT_TRUE(names.insert(line.name).second) << line.name;
    EXPECT_NE(line.description, "") << line.name;
  }
  return names;
}

TEST(CatalogTest, HoldsWhatTheProjectPromises) {
  const Catalog catalog = BuiltinCatalog();
  const std::vector<std::string> agents = {"ansor", "dpansor", "droplet", "python", "random"};
  EXPECT_THAT(Names(catalog.agents.lines()), IsSupersetOf(agents));
  EXPECT_THAT(Names(catalog.schedulers.lines()),
              IsSupersetOf(std::vector<std::string>{"gradient", "round_robin"}));
  EXPECT_THAT(Names(catalog.spaces.lines()),
              IsSupersetOf(std::vector<std::string>{"ansor", "schedulegym"}));
  EXPECT_THAT(Names(catalog.measurers.lines()),
              IsSupersetOf(std::vector<std::string>{"analytical", "host", "table"}));
  EXPECT_THAT(Names(catalog.rewards.lines()),
              IsSupersetOf(std::vector<std::string>{"difference", "final", "improvement"}));
  EXPECT_THAT(Names(catalog.observations.lines()),
              IsSupersetOf(std::vector<std::string>{"knobs", "loops"}));
}

TEST(CatalogTest, MakersTakeTheirOptions) {
  const Catalog catalog = BuiltinCatalog();
  const Spec reward = ParseSpec("difference(discount=0.5)").value();
  EXPECT_EQ(catalog.rewards.Find(reward)(reward).discount, 0.5);
  const Spec bad = ParseSpec("ansor(widgets=3)").value();
  EXPECT_THROW(catalog.spaces.Find(bad)(bad), InputError);
  const Spec host = ParseSpec("host(fast=true)").value();
  EXPECT_THROW(catalog.measurers.Find(host)(host), InputError);
}

// An entry added to a copy is in no other catalog.
TEST(CatalogTest, IsAValue) {
  const Catalog catalog = BuiltinCatalog();
  Catalog copy = catalog;
  copy.rewards.Add({"nothing", "", "pays nothing", [](const Spec&) { return Reward(); }});
  EXPECT_EQ(copy.rewards.lines().size(), catalog.rewards.lines().size() + 1);
  EXPECT_THROW(catalog.rewards.Find({"nothing", {}}), InputError);
  EXPECT_EQ(BuiltinCatalog().rewards.lines().size(), catalog.rewards.lines().size());
}

// One entry is enough: environments find it, too.
TEST(CatalogTest, ANewMeasurerEvaluatesEpisodes) {
  const Spec second = {"second", {}};
  Catalog catalog = BuiltinCatalog();
  catalog.measurers.Add({second.name, "", "the estimate's second version", [](const Spec&) {
                           return MakeAnalyticalPlan(ParseSpec("analytical(version=2)").value());
                         }});
  EXPECT_EQ(SourceOf(second, catalog), "model");
  EnvironmentRequest request;
  request.tasks = {TaskOf("input A[64]\nC[i:64] = A[i] + 1\n")};
  const Candidate candidate = {.state = ScheduleState::Initial(request.tasks[0])};
  const auto seconds = [&](const std::string& measurer) {
    request.measurer = measurer;
    const auto parts = MakeEnvironmentParts(request, catalog);
    return parts->measurer->Measure({&candidate, 1}).at(0).timing.value().seconds;
  };
  EXPECT_EQ(seconds("second"), seconds("analytical(version=2)"));
  EXPECT_NE(seconds("second"), seconds(""));
}

TEST(CatalogTest, MeasurersAreSources) {
  const Catalog catalog = BuiltinCatalog();
  const auto source = [&](const char* text) {
    return SourceOf(RequireMeasurer("measure", text), catalog);
  };
  EXPECT_EQ(source("host"), "measured");
  EXPECT_EQ(source("analytical(version=2)"), "model");
  EXPECT_EQ(source("model(a.model)"), "model");
  EXPECT_EQ(source("table(file=none.table,noise=true)"), "table");
}

}  // namespace
}  // namespace schedulegym
