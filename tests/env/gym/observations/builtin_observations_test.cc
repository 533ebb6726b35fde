#include "env/gym/observations/builtin_observations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/text.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string RefusalOf(const std::string& spec) {
  return InputFaultOf([&] { MakeObservation(ParseSpec(spec).value()); });
}

TEST(BuiltinObservationsTest, NamesAreDistinctAndDescribed) {
  std::set<std::string> names;
  for (const auto& entry : BuiltinObservations()) {
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_FALSE(entry.description.empty());
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"loops", "text"}));
}

// The listed parameters are the options and their defaults.
TEST(BuiltinObservationsTest, ParametersAreOptions) {
  for (const auto& entry : BuiltinObservations()) {
    if (entry.name == "text") continue;
    const std::string spec = entry.name + "(" + entry.parameters + ")";
    EXPECT_EQ(RefusalOf(spec), "");
    const auto written = MakeObservation(ParseSpec(spec).value());
    const auto plain = MakeObservation(Spec{entry.name, {}});
    EXPECT_EQ(written->size(), plain->size());
    EXPECT_EQ(plain->Name(), entry.name);
    EXPECT_EQ(ParseSpec(written->Name()).value(), ParseSpec(spec).value());
    EXPECT_NE(RefusalOf(entry.name + "(nothing=1)"), "");
  }
}

TEST(BuiltinObservationsTest, UnknownNamesListWhatExists) {
  const std::string message = RefusalOf("loop");
  for (const auto& entry : BuiltinObservations()) {
    EXPECT_THAT(message, testing::HasSubstr(entry.name));
  }
  EXPECT_THAT(message, testing::HasSubstr("did you mean 'loops'?"));
}

TEST(BuiltinObservationsTest, TextIsNoNumbers) {
  const std::string refusal = RefusalOf("text");
  EXPECT_THAT(refusal,
              StartsWith("observation text is no numbers, expected one of loops, ansor, "));
  EXPECT_THAT(refusal, Not(HasSubstr(", text")));
}

}  // namespace
}  // namespace schedulegym
