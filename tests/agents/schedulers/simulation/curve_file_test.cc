#include "agents/schedulers/simulation/curve_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/text.h"
#include "tests/agents/schedulers/simulation/made_curves.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Curves of two searches; the second has a drifted reference and a failure.
std::vector<RecordedCurve> Curves() {
  RecordedCurve drifted = MadeCurve("conv2d(\"x\")", 0, {{0.123456, std::nullopt}, {0.5, 1.5}});
  drifted.facts = {.counts = {1, 2}, .flops = 3e9, .tag = "sum.f32"};
  drifted.seed = 7;
  drifted.measure = "analytical";
  drifted.whole.AddTurn(std::vector{Success(3), Failure(Outcome::kNoisy)}, 0.25, 1.75);
  drifted.places.push_back(9);
  return {MadeCurve("matmul(m=8)", 2, {{1, 2}, {1, 4}}), drifted};
}

TEST(CurveFileTest, WithoutAMeasurerItWasMeasured) {
  std::string text = CurveText(std::vector{MadeCurve("matmul(m=8)", 2, {{1, 2}})});
  const std::string field = "\"measure\":\"host\",";
  ASSERT_NE(text.find(field), text.npos);
  text.erase(text.find(field), field.size());
  EXPECT_EQ(ParseCurves(text, "old.curves")[0].measure, "host");
}

std::string ComplaintAbout(const std::string& text) {
  return InputFaultOf([&] { ParseCurves(text, "file.curves"); });
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void ExpectSame(const RecordedCurve& read, const RecordedCurve& written) {
  EXPECT_EQ(read.task, written.task);
  EXPECT_EQ(read.agent, written.agent);
  EXPECT_EQ(read.measure, written.measure);
  EXPECT_EQ(read.search, written.search);
  EXPECT_EQ(read.scheduler, written.scheduler);
  EXPECT_EQ(read.seed, written.seed);
  EXPECT_EQ(read.facts.counts, written.facts.counts);
  EXPECT_EQ(read.facts.flops, written.facts.flops);
  EXPECT_EQ(read.facts.tag, written.facts.tag);
  EXPECT_EQ(read.reference, written.reference);
  EXPECT_EQ(read.places, written.places);
  EXPECT_EQ(read.whole.best, written.whole.best);
  EXPECT_EQ(read.whole.best_by_trial, written.whole.best_by_trial);
  ASSERT_EQ(read.whole.turns.size(), written.whole.turns.size());
  for (size_t i = 0; i < read.whole.turns.size(); ++i) {
    const Turn &a = read.whole.turns[i], &b = written.whole.turns[i];
    EXPECT_EQ(a.trials, b.trials);
    EXPECT_EQ(a.failures, b.failures);
    EXPECT_EQ(a.faults, b.faults);
    EXPECT_EQ(a.thinking, b.thinking);
    EXPECT_EQ(a.seconds, b.seconds);
    EXPECT_EQ(a.best, b.best);
  }
}

TEST(CurveFileTest, WhatIsWrittenIsReadAgain) {
  const std::vector<RecordedCurve> written = Curves();
  const std::vector<RecordedCurve> read = ParseCurves(CurveText(written), "file.curves");
  ASSERT_EQ(read.size(), 2u);
  for (size_t i = 0; i < read.size(); ++i) ExpectSame(read[i], written[i]);
  EXPECT_EQ(read[1].whole.turns[2].best->reference, 1e-6) << "of a machine that drifted";
  EXPECT_DOUBLE_EQ(read[1].whole.seconds_by_trial[0], 0.1235) << "to four digits";
}

TEST(CurveFileTest, WhereNothingSucceededNobodyKnowsTheReference) {
  RecordedCurve written = MadeCurve("matmul(m=8)", 2, {{1, std::nullopt}, {1, std::nullopt}});
  written.reference.reset();
  const std::vector<RecordedCurve> read = ParseCurves(CurveText({&written, 1}), "file.curves");
  ASSERT_EQ(read.size(), 1u);
  ExpectSame(read[0], written);
  EXPECT_FALSE(read[0].has_latency());
}

TEST(CurveFileTest, FilesMayBeJoined) {
  std::vector<RecordedCurve> other = Curves();
  for (RecordedCurve& curve : other) curve.search = "two";
  EXPECT_EQ(ParseCurves(CurveText(Curves()) + CurveText(other), "both").size(), 4u);
}

TEST(CurveFileTest, WhatIsCutShortIsRefused) {
  const std::string text = CurveText(Curves());
  EXPECT_THAT(ComplaintAbout(text.substr(0, text.size() - 20)), HasSubstr("file.curves:2: "));
  EXPECT_THAT(ComplaintAbout(text.substr(0, text.size() - 20)), HasSubstr("cut short"));
  EXPECT_EQ(ComplaintAbout(text.substr(0, text.find('\n') + 1)),
            "file.curves: found 1 curves of search 'one', expected 2: it is cut short");
  EXPECT_EQ(ComplaintAbout(""), "file.curves: holds nothing, expected curves");
  EXPECT_THAT(ComplaintAbout(text + text), HasSubstr("file.curves:3: found curve 0 of its search"));
}

TEST(CurveFileTest, OtherVersionsAndOtherThingsAreRefused) {
  const std::string text = CurveText(Curves());
  EXPECT_EQ(ComplaintAbout(Replaced(text, "_curve\":1", "_curve\":2")),
            "file.curves:1: found a curve of version 2, expected version 1");
  EXPECT_THAT(ComplaintAbout("{\"event\": \"trial\"}\n"), HasSubstr("tune --curves-out writes"));
  EXPECT_THAT(ComplaintAbout("trace 1\n"), HasSubstr("file.curves:1: "));
  EXPECT_THAT(ComplaintAbout(std::string(500, '[')), HasSubstr("deeper"));
}

TEST(CurveFileTest, ImpossibleFieldsAreRefused) {
  const std::string text = CurveText(Curves());
  for (const auto& [from, to, complaint] :
       {std::tuple("\"flops\":0.0", "\"flops\":-1", "found flops -1.0"),
        std::tuple("\"counts\":[2.0]", "\"counts\":[0]", "counts that are all 0"),
        std::tuple("\"counts\":[2.0]", "\"counts\":[-1]", "a count below 0"),
        std::tuple("\"counts\":[2.0]", "\"counts\":\"two\"", "of another kind"),
        std::tuple("\"reference\":1.0", "\"reference\":0", "found reference 0.0"),
        std::tuple("\"reference\":1.0,", "", "found a success and no reference"),
        std::tuple("\"failures\":0", "\"failures\":2", "found failures 2, expected 0 to 1"),
        std::tuple("\"faults\":0", "\"faults\":1", "found faults 1, expected 0 to 0"),
        std::tuple("[1.0,4.0]", "[1.0,1.5]", "found a best speed of 1.5, expected one above 2.0"),
        std::tuple("[1.0,4.0]", "[-1.0,4.0]", "less than 0 seconds"),
        std::tuple("[1.0,4.0]", "[]", "[seconds] or [seconds, speed]"),
        std::tuple("\"at\":1", "\"at\":0", "turns out of order"),
        std::tuple("\"number\":0", "\"number\":5", "found curve 5 of 2"),
        std::tuple("\"task\":", "\"tusk\":", "a field that is missing")}) {
    EXPECT_THAT(ComplaintAbout(Replaced(text, from, to)), HasSubstr(complaint)) << to;
  }
}

}  // namespace
}  // namespace schedulegym
