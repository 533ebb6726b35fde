#include "assembly/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/base/spec.h"
#include "tests/assembly/shipped_table.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

std::unique_ptr<SearchSpace> Named(const std::string& text) {
  return NamedSpace(RequireSpec("space", text), BuiltinCatalog());
}

TEST(NamedSpaceTest, IsASpaceOrWhatATableKnows) {
  EXPECT_EQ(Named("ansor(rfactor=false)")->Name(), "ansor(rfactor=false)");
  const std::string file = ShippedTable("conv2d");
  const auto plan = BuiltinCatalog().measurers.Find({"table", {}})(
      RequireSpec("measurer", "table(file=\"" + file + "\")"));
  const auto space = Named("table(file=\"" + file + "\")");
  Rng rng(1);
  const Result<ScheduleState> drawn = space->Sample(plan->OnlyTask(), rng);
  ASSERT_TRUE(drawn);
  EXPECT_TRUE(space->Admit(*drawn));
}

TEST(NamedSpaceTest, WhatIsWrongIsThrown) {
  EXPECT_THROW(Named("table(file=missing.jsonl)"), InputError);
  try {
    Named("anser");
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("unknown space 'anser'"));
  }
}

}  // namespace
}  // namespace schedulegym
