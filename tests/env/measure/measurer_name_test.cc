#include "env/measure/measurement.h"

#include <gtest/gtest.h>

#include "tests/env/measure/record_samples.h"

namespace schedulegym {
namespace {

Measurement OfProtocol(const std::string& protocol) {
  MeasuringSession session = *SampleSession();
  session.protocol = protocol;
  Measurement measurement = SampleTiming(2);
  measurement.session = std::make_shared<const MeasuringSession>(std::move(session));
  return measurement;
}

TEST(MeasurerNameTest, TellsWhatItIsFrom) {
  EXPECT_EQ(MeasurerOf(SampleTiming(2)), "host");  // of an earlier version, without a session
  EXPECT_EQ(MeasurerOf(OfProtocol("cpu1(rounds=5)")), "host");
  EXPECT_EQ(MeasurerOf(OfProtocol("analytical")), "analytical");
  EXPECT_EQ(MeasurerOf(OfProtocol("table")), "table");
  EXPECT_TRUE(WasMeasured(OfProtocol("cpu1")));
  EXPECT_FALSE(WasMeasured(OfProtocol("analytical")));
  EXPECT_FALSE(WasMeasured(OfProtocol("table")));
}

}  // namespace
}  // namespace schedulegym
