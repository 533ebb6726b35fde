#include "env/measure/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

Protocol Make(const std::string& text) { return MakeProtocol(ParseSpec(text).value()); }

std::string FaultOf(const std::string& text) {
  try {
    Make(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ProtocolTest, DefaultsAndOptions) {
  EXPECT_EQ(Make("paired"), Protocol());
  EXPECT_EQ(Make("final"), FinalProtocol());
  const Protocol protocol = Make(
      "paired(rounds=101, min_rounds=20, long_rounds=5, precision=0.005, seconds=2, "
      "sample=0.002, reject_rounds=0, reject_factor=3)");
  EXPECT_EQ(protocol.max_rounds, 101);
  EXPECT_EQ(protocol.min_rounds, 20);
  EXPECT_EQ(protocol.long_rounds, 5);
  EXPECT_EQ(protocol.precision, 0.005);
  EXPECT_EQ(protocol.max_seconds, 2);
  EXPECT_EQ(protocol.sample_seconds, 0.002);
  EXPECT_EQ(protocol.reject_rounds, 0);
  EXPECT_EQ(protocol.reject_factor, 3);
}

TEST(ProtocolTest, FewRoundsLowerTheLeast) {
  EXPECT_EQ(Make("paired(rounds=5)").min_rounds, 5);
  EXPECT_EQ(Make("paired(rounds=5)").long_rounds, 5);
}

TEST(ProtocolTest, RefusesNonsense) {
  EXPECT_THAT(FaultOf("pared"), testing::HasSubstr("paired"));
  EXPECT_THAT(FaultOf("paired(round=3)"), testing::HasSubstr("round"));
  EXPECT_THAT(FaultOf("paired(rounds=0)"), testing::HasSubstr("1 to 128"));
  EXPECT_THAT(FaultOf("paired(rounds=1000)"), testing::HasSubstr("1 to 128"));
  EXPECT_THAT(FaultOf("paired(seconds=0)"), testing::HasSubstr("more than 0"));
  EXPECT_THAT(FaultOf("paired(precision=-1.0)"), testing::HasSubstr("more than 0"));
}

TEST(ProtocolTest, TheListNamesWhatCanBeMadeWithItsDefaults) {
  for (const ProtocolEntry& entry : BuiltinProtocols()) {
    const Protocol plain = Make(entry.name);
    EXPECT_EQ(Make(entry.name + "(" + entry.parameters + ")"), plain) << entry.name;
  }
}

}  // namespace
}  // namespace schedulegym
