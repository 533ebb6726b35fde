#include "spaces/builtin_spaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::StartsWith;

// The output of `list spaces` is valid input: each name, with and without its parameters.
TEST(BuiltinSpacesTest, EveryEntryCanBeMade) {
  for (const auto& entry : BuiltinSpaces()) {
    EXPECT_EQ(MakeSpace(ParseSpec(entry.name).value())->Name(), entry.name);
    const std::string spec = entry.name + "(" + entry.parameters + ")";
    EXPECT_EQ(MakeSpace(ParseSpec(spec).value())->Name(), ParseSpec(spec).value().ToText());
    EXPECT_FALSE(entry.description.empty());
  }
}

// The listed parameters are the defaults.
TEST(BuiltinSpacesTest, ListsTheDefaults) {
  const auto task = WorkloadTask("conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)", Avx2Target());
  for (const auto& entry : BuiltinSpaces()) {
    Rng plain(3), written(3);
    const auto space = MakeSpace(ParseSpec(entry.name + "(" + entry.parameters + ")").value());
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(MakeSpace(ParseSpec(entry.name).value())->Sample(task, plain).value().TraceText(),
                space->Sample(task, written).value().TraceText());
    }
  }
}

TEST(BuiltinSpacesTest, TellsTheNearestName) {
  try {
    MakeSpace(ParseSpec("schedulegim").value());
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                AllOf(StartsWith("unknown space 'schedulegim': expected one of schedulegym, ansor"),
                      EndsWith(" (did you mean 'schedulegym'?)")));
  }
}

}  // namespace
}  // namespace schedulegym
