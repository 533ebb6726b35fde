#include "env/gym/tables/tuner_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/env/gym/tables/made_tables.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::Optional;

TEST(TunerInputTest, ParametersComeInOrder) {
  const TunerInput input = ParseTunerInput(MadeInput());
  EXPECT_EQ(input.kernel, "blur");
  EXPECT_EQ(input.device, "Example GPU");
  EXPECT_THAT(input.parameters,
              ElementsAre(TableKnob{"block", {"64", "32", "128"}}, TableKnob{"unroll", {"0", "1"}},
                          TableKnob{"filter", {"15"}}));
  EXPECT_THAT(input.defaults, ElementsAre(Optional(std::string("32")), Optional(std::string("0")),
                                          Optional(std::string("15"))));
}

TEST(TunerInputTest, WhatIsLeftOutIsEmpty) {
  const TunerInput input = ParseTunerInput(R"json({
      "ConfigurationSpace": {"TuningParameters": [
          {"Name": "a", "Values": "range(3)"}, {"Name": "b", "Values": [1, "x", true]}]},
      "KernelSpecification": {"KernelName": "k"}})json");
  EXPECT_EQ(input.kernel, "k");
  EXPECT_EQ(input.device, "");
  EXPECT_THAT(input.parameters,
              ElementsAre(TableKnob{"a", {}}, TableKnob{"b", {"1", "x", "true"}}));
  EXPECT_THAT(input.defaults, ElementsAre(std::nullopt, std::nullopt));
}

TEST(TunerInputTest, WhatIsNoInputIsRefused) {
  for (const char* text :
       {"", "x", "[]", "{}", R"({"ConfigurationSpace": {}})",
        R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "a"}]}})",
        R"({"ConfigurationSpace": {"TuningParameters": [{"Values": "[1]"}]}})"}) {
    EXPECT_THROW(ParseTunerInput(text), InputError) << text;
  }
}

}  // namespace
}  // namespace schedulegym
