#include "env/measure/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/measure/gpu_protocol.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

Protocol Make(const std::string& text) { return MakeProtocol(ParseSpec(text).value()); }

std::string FaultOf(const std::string& text) {
  return InputFaultOf([&] { Make(text); });
}

TEST(ProtocolTest, TheDefaultsAreThoseOfCpu1) {
  const Protocol protocol = Make("cpu1");
  EXPECT_EQ(protocol, Protocol());
  EXPECT_EQ(protocol.warmup_calls, 3);
  EXPECT_EQ(protocol.warmup_seconds, 0.005);
  EXPECT_EQ(protocol.sample_seconds, 0.001);
  EXPECT_EQ(protocol.min_rounds, 15);
  EXPECT_EQ(protocol.max_rounds, 51);
  EXPECT_EQ(protocol.best_rounds, 101);
  EXPECT_EQ(protocol.interval, IntervalRule::kRank);
  EXPECT_EQ(protocol.long_rounds, 7);
  EXPECT_EQ(protocol.precision, 0.01);
  EXPECT_EQ(protocol.settled_rounds, 2);
  EXPECT_EQ(protocol.max_seconds, 1);
  EXPECT_EQ(protocol.reject_rounds, 5);
  EXPECT_EQ(protocol.reject_factor, 1.5);
  EXPECT_EQ(protocol.beaten_rounds, 10);
  EXPECT_EQ(protocol.beaten_margin, 0.005);
  EXPECT_EQ(protocol.final_rounds, 101);
  EXPECT_EQ(protocol.final_processes, 3);
  EXPECT_EQ(protocol.control_candidates, 50);
  EXPECT_EQ(protocol.control_seconds, 60);
  EXPECT_EQ(protocol.control_tolerance, 0.02);
  EXPECT_TRUE(protocol.flush_to_zero);
}

TEST(ProtocolTest, OlderNamesStay) {
  EXPECT_EQ(Make("paired"), Protocol());
  EXPECT_EQ(Make("final"), FinalProtocol());
}

TEST(ProtocolTest, Gpu1HasDefaultsOfItsOwn) {
  const Protocol gpu = Make("gpu1");
  EXPECT_EQ(gpu, GpuProtocol());
  EXPECT_EQ(gpu.min_rounds, 11);
  EXPECT_EQ(gpu.max_rounds, 101);
  EXPECT_EQ(gpu.precision, 0.005);
  EXPECT_EQ(gpu.max_seconds, 0.25);
  EXPECT_EQ(GpuProtocolText(Protocol()), GpuProtocolText(gpu)) << "nothing was asked for";
  EXPECT_THAT(GpuProtocolText(gpu), testing::StartsWith("gpu1(rounds=101,"));
  const Protocol asked = Make("cpu1(rounds=20)");
  EXPECT_EQ(Make(GpuProtocolText(asked)), asked);
}

TEST(ProtocolTest, ControlMeasurementsMayBeNamedSo) {
  const Protocol protocol = Make("cpu1(control=published, control_seconds=30, control_drift=0.1)");
  EXPECT_EQ(protocol, Make("cpu1(sentinel=published, sentinel_seconds=30, sentinel_drift=0.1)"));
  EXPECT_THAT(ProtocolText(protocol), testing::HasSubstr("sentinel_seconds=30"))
      << "what stores have";
  EXPECT_EQ(FaultOf("cpu1(control_drift=0.1, sentinel_drift=0.1)"),
            "protocol: found 'control_drift' and its old name 'sentinel_drift', expected one of "
            "them");
}

TEST(ProtocolTest, ErrorsHaveTheNewNames) {
  for (const char* spec : {"cpu1(control=foo)", "cpu1(control_seconds=x)", "cpu1(contrl=off)",
                           "cpu1(sentinel=foo)", "cpu1(sentinel_tolerance=2)"}) {
    const std::string said = FaultOf(spec);
    EXPECT_THAT(said, testing::HasSubstr("control")) << spec;
    EXPECT_THAT(said, testing::Not(testing::HasSubstr("sentinel"))) << spec;
  }
}

TEST(ProtocolTest, EveryParameterHasItsKey) {
  Protocol expected;
  expected.warmup_calls = 4;
  expected.warmup_seconds = 0.25;
  expected.sample_seconds = 0.002;
  expected.max_rounds = 100;
  expected.best_rounds = 120;
  expected.interval = IntervalRule::kSign;
  expected.min_rounds = 20;
  expected.long_rounds = 5;
  expected.precision = 0.005;
  expected.settled_rounds = 3;
  expected.settle = SettleRule::kVariation;
  expected.variation = 0.05;
  expected.variation_rounds = 4;
  expected.max_seconds = 2;
  expected.order = RoundOrder::kSquare;
  expected.reject = RejectRule::kPublished;
  expected.reject_rounds = 0;
  expected.beaten_rounds = 12;
  expected.beaten_margin = 0.25;
  expected.reject_factor = 3;
  expected.final_rounds = 99;
  expected.final_long_rounds = 9;
  expected.final_seconds = 8;
  expected.final_processes = 2;
  expected.control = ControlRule::kPublished;
  expected.control_candidates = 7;
  expected.control_seconds = 30;
  expected.control_tolerance = 0.03;
  expected.control_drift = 0.1;
  expected.flush_to_zero = false;
  EXPECT_EQ(Make("cpu1(warmup_calls=4, warmup_seconds=0.25, sample=0.002, rounds=100, "
                 "best_rounds=120, interval=sign, "
                 "min_rounds=20, long_rounds=5, order=square, precision=0.005, settled_rounds=3, "
                 "settle=cv, cv=0.05, cv_rounds=4, "
                 "seconds=2, "
                 "reject=published, "
                 "reject_rounds=0, reject_factor=3, beaten_rounds=12, beaten_margin=0.25, "
                 "final_rounds=99, final_long_rounds=9, "
                 "final_seconds=8, final_processes=2, sentinel=published, sentinel_candidates=7, "
                 "sentinel_seconds=30, sentinel_tolerance=0.03, sentinel_drift=0.1, "
                 "flush_to_zero=false)"),
            expected);
  EXPECT_EQ(Make(ProtocolText(expected)), expected);
}

TEST(ProtocolTest, TellsOldNamesWithTheNewOnes) {
  const auto told = [](const char* text) { return OldNamesOfProtocol(ParseSpec(text).value()); };
  EXPECT_THAT(told("cpu1(rounds=9, control_drift=0.1)"), testing::IsEmpty());
  EXPECT_THAT(told("paired(sentinel=published, sentinel_drift=0.1)"),
              testing::ElementsAre("protocol: 'paired' is an old name of 'cpu1'",
                                   "protocol: 'sentinel' is an old name of 'control'",
                                   "protocol: 'sentinel_drift' is an old name of 'control_drift'"));
}

TEST(ProtocolTest, TheTextNamesEveryNumberAndReadsBack) {
  EXPECT_EQ(
      ProtocolText(Protocol()),
      "cpu1(rounds=51,best_rounds=101,min_rounds=15,long_rounds=7,precision=0.01,settled_rounds=2,"
      "settle=interval,cv=0.1,cv_rounds=3,interval=rank,seconds=1.0,"
      "sample=0.001,warmup_calls=3,warmup_seconds=0.005,order=random,reject=graded,reject_rounds=5,"
      "reject_factor=1.5,beaten_rounds=10,beaten_margin=0.005,final_rounds=101,final_long_rounds="
      "15,"
      "final_seconds=5.0,final_processes=3,sentinel=tolerant,sentinel_candidates=50,sentinel_"
      "seconds=60.0,"
      "sentinel_tolerance=0.02,sentinel_drift=0.03,flush_to_zero=true)");
  EXPECT_EQ(ParseSpec(ProtocolText(Protocol())).value().ToText(), ProtocolText(Protocol()));
  EXPECT_EQ(Make(ProtocolText(FinalProtocol())), FinalProtocol());
  Protocol odd;
  odd.precision = 1e-7;
  odd.max_seconds = 1.0 / 3;
  EXPECT_EQ(Make(ProtocolText(odd)), odd);
}

TEST(ProtocolTest, AFinalistHasItsOwnRounds) {
  const Protocol finalist =
      FinalProtocol(Make("cpu1(sample=0.004, final_rounds=9, final_seconds=3)"));
  EXPECT_EQ(finalist.max_rounds, 9);
  EXPECT_EQ(finalist.min_rounds, 9);
  EXPECT_EQ(finalist.best_rounds, 9);
  EXPECT_EQ(finalist.long_rounds, 9);
  EXPECT_EQ(finalist.max_seconds, 3);
  EXPECT_EQ(finalist.reject_rounds, 0);
  EXPECT_EQ(finalist.sample_seconds, 0.004);
  EXPECT_EQ(FinalProtocol(Make("cpu1(settle=cv)")), FinalProtocol());
}

TEST(ProtocolTest, DataTakeFewRoundsAndKeepTheirInterval) {
  const Protocol data = Make("collect");
  EXPECT_EQ(data, CollectProtocol());
  EXPECT_EQ(data.max_rounds, 15);
  EXPECT_EQ(data.best_rounds, 15) << "the best so far is no better known than the others";
  EXPECT_EQ(data.interval, Protocol().interval);
  EXPECT_EQ(Make("collect(rounds=9)").min_rounds, 5);
  EXPECT_EQ(Make(ProtocolText(data)), data);
}

TEST(ProtocolTest, FewRoundsLowerTheLeast) {
  EXPECT_EQ(Make("paired(rounds=5)").min_rounds, 5);
  EXPECT_EQ(Make("paired(rounds=5)").best_rounds, 5);
  EXPECT_EQ(Make("paired(rounds=51)").best_rounds, 51);
  EXPECT_EQ(Make("paired(rounds=5, best_rounds=8)").best_rounds, 8);
  EXPECT_EQ(Make("paired(rounds=5)").long_rounds, 5);
}

TEST(ProtocolTest, RefusesNonsense) {
  EXPECT_THAT(FaultOf("pared"), testing::HasSubstr("paired"));
  EXPECT_THAT(FaultOf("paired(round=3)"), testing::HasSubstr("round"));
  EXPECT_THAT(FaultOf("paired(rounds=0)"), testing::HasSubstr("1 to 128"));
  EXPECT_THAT(FaultOf("paired(rounds=1000)"), testing::HasSubstr("1 to 128"));
  EXPECT_THAT(FaultOf("paired(seconds=0)"), testing::HasSubstr("more than 0"));
  EXPECT_THAT(FaultOf("paired(precision=-1.0)"), testing::HasSubstr("more than 0"));
  EXPECT_THAT(FaultOf("cpu1(sample=0.00005)"), testing::HasSubstr("1e-04 to 1"));
  EXPECT_THAT(FaultOf("cpu1(rounds=10, min_rounds=11)"), testing::HasSubstr("1 to 10"));
  EXPECT_THAT(FaultOf("cpu1(best_rounds=50)"), testing::HasSubstr("51 to 128"));
  EXPECT_THAT(FaultOf("cpu1(interval=wide)"), testing::HasSubstr("sign, rank"));
  EXPECT_THAT(FaultOf("cpu1(settle=mean)"), testing::HasSubstr("interval, cv"));
  EXPECT_THAT(FaultOf("cpu1(cv=0.0)"), testing::HasSubstr("more than 0"));
  EXPECT_THAT(FaultOf("cpu1(cv=0.2)"), testing::HasSubstr("cv belongs to settle=cv"));
  EXPECT_THAT(FaultOf("gpu1(cv_rounds=4)"), testing::HasSubstr("cv_rounds belongs to settle=cv"));
  EXPECT_EQ(Make("cpu1(settle=interval, cv=0.2)").variation, 0.2);  // as in stores
  EXPECT_THAT(FaultOf("cpu1(cv_rounds=1)"), testing::HasSubstr("2 to 128"));
  EXPECT_THAT(FaultOf("cpu1(long_rounds=52)"), testing::HasSubstr("1 to 51"));
  EXPECT_THAT(FaultOf("cpu1(reject_factor=1)"), testing::HasSubstr("more than 1"));
  EXPECT_THAT(FaultOf("cpu1(final_processes=0)"), testing::HasSubstr("1 to 100"));
  EXPECT_THAT(FaultOf("cpu1(reject=hard)"), testing::HasSubstr("published, graded"));
  EXPECT_THAT(FaultOf("cpu1(flush_to_zero=3)"), testing::HasSubstr("true or false"));
}

TEST(ProtocolTest, TheListNamesWhatCanBeMadeWithItsDefaults) {
  for (const auto& entry : BuiltinProtocols()) {
    EXPECT_THAT(entry.parameters, testing::HasSubstr("control_candidates=50"));
    EXPECT_THAT(entry.parameters, testing::Not(testing::HasSubstr("sentinel")));
    const Protocol plain = Make(entry.name);
    EXPECT_EQ(Make(entry.name + "(" + entry.parameters + ")"), plain) << entry.name;
  }
}

}  // namespace
}  // namespace schedulegym
