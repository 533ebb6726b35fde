#include "assembly/processes/line_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Offer> OffersIn(const std::string& proposals) {
  return ParseAnswer(R"({"id": 4, "proposals": )" + proposals + "}", 4, true).value();
}

std::string FaultOf(const std::string& line, bool has_proposals = true) {
  const auto offers = ParseAnswer(line, 4, has_proposals);
  EXPECT_FALSE(offers.ok()) << line;
  if (offers.ok()) return "";
  EXPECT_EQ(offers.error().message.find('\n'), std::string::npos);
  return offers.error().message;
}
std::string FaultIn(const std::string& proposal) {
  return FaultOf(R"({"id": 4, "proposals": [{"sample": 1}, )" + proposal + "]}");
}

TEST(LineAnswerTest, EachFormIsRead) {
  const std::vector<Offer> offers =
      OffersIn(R"x([{"sketch": 1, "point": [3, null, 0]}, {"sample": 8},
                   {"mutate": "000102030405060708090a0b0c0d0e0f", "note": "walk(step=2)"},
                   {"trace": "trace 1\n"}])x");
  ASSERT_EQ(offers.size(), 4U);
  const auto& point = std::get<PointOffer>(offers[0].what);
  EXPECT_EQ(point.sketch, 1);
  EXPECT_THAT(point.point, ElementsAre(3, std::nullopt, 0));
  EXPECT_EQ(std::get<SampleOffer>(offers[1].what).count, 8);
  EXPECT_EQ(std::get<MutateOffer>(offers[2].what).key.ToText(), "000102030405060708090a0b0c0d0e0f");
  EXPECT_EQ(offers[2].note, "walk(step=2)");
  EXPECT_EQ(std::get<TraceOffer>(offers[3].what).trace, "trace 1\n");
  EXPECT_EQ(offers[3].note, "");
}

TEST(LineAnswerTest, NothingToProposeIsAnAnswer) {
  EXPECT_TRUE(OffersIn("[]").empty());
  EXPECT_TRUE(ParseAnswer(R"({"id":4})", 4, false).value().empty());
}

TEST(LineAnswerTest, WhatIsNoAnswerIsRefused) {
  EXPECT_THAT(FaultOf("hello"), HasSubstr(R"(found "hello", expected a line of JSON)"));
  EXPECT_THAT(FaultOf(""), HasSubstr("expected a line of JSON"));
  EXPECT_THAT(FaultOf("\xff\xfe"), HasSubstr("expected a line of JSON"));
  EXPECT_THAT(FaultOf(std::string(1000, 'x')), HasSubstr("xxx..."));
  EXPECT_EQ(FaultOf("[1]"), "found [1], expected an object");
  EXPECT_THAT(FaultOf(std::string(1000, '[')), HasSubstr("nests deeper"));
}

TEST(LineAnswerTest, TheNumberIsTheQuestions) {
  EXPECT_THAT(FaultOf("{}"), HasSubstr("expected an object with id 4"));
  EXPECT_EQ(FaultOf(R"({"id": 3, "proposals": []})"), "id: found 3, expected 4");
  EXPECT_EQ(FaultOf(R"({"id": "4", "proposals": []})"), "id: found \"4\", expected 4");
}

TEST(LineAnswerTest, FieldsAreThoseOfTheQuestion) {
  EXPECT_THAT(FaultOf(R"({"id": 4})"), HasSubstr("expected proposals, a list"));
  EXPECT_EQ(FaultOf(R"({"id": 4, "proposals": {}})"),
            "proposals: found {}, expected a list of proposals");
  EXPECT_THAT(FaultOf(R"({"id": 4, "proposal": []})"),
              HasSubstr("unknown field 'proposal': expected one of"));
  EXPECT_THAT(FaultOf(R"({"id": 4, "proposals": []})", false),
              HasSubstr("unknown field 'proposals'"));
}

TEST(LineAnswerTest, WhatIsWrongWithAProposalNamesItsField) {
  EXPECT_EQ(FaultIn("5"),
            "proposals[1]: found 5, expected one of sketch with point, sample, mutate, trace");
  EXPECT_THAT(FaultIn("{}"), HasSubstr("proposals[1]: found {}, expected one of sketch"));
  EXPECT_EQ(FaultIn(R"({"sketch": 1})"),
            "proposals[1]: found {\"sketch\":1}, expected point beside sketch");
  EXPECT_THAT(FaultIn(R"({"sketch": -1, "point": []})"),
              HasSubstr("proposals[1].sketch: found -1, expected a whole number from 0"));
  EXPECT_THAT(FaultIn(R"({"sketch": 0, "point": 3})"), HasSubstr("proposals[1].point: found 3"));
  EXPECT_THAT(FaultIn(R"({"sketch": 0, "point": [0, 1.5]})"),
              HasSubstr("proposals[1].point[1]: found 1.5, expected a whole number"));
  EXPECT_THAT(FaultIn(R"({"sample": 0})"), HasSubstr("proposals[1].sample: found 0"));
  EXPECT_THAT(FaultIn(R"({"sample": 18446744073709551615})"), HasSubstr("proposals[1].sample"));
  EXPECT_EQ(FaultIn(R"({"mutate": "best"})"),
            "proposals[1].mutate: found \"best\", expected a key, 32 hex digits");
  EXPECT_THAT(FaultIn(R"({"trace": []})"), HasSubstr("proposals[1].trace: found []"));
  EXPECT_THAT(FaultIn(R"({"sample": 1, "note": "a b"})"),
              HasSubstr("proposals[1].note: found \"a b\", expected a spec"));
  EXPECT_THAT(FaultIn(R"({"sample": 1, "trace": ""})"),
              HasSubstr("proposals[1]: unknown field 'trace': expected one of sample, note"));
}

TEST(LineAnswerTest, ItsOwnErrorIsPassedOn) {
  EXPECT_EQ(FaultOf(R"({"id": 4, "error": "no such\noption", "field": "options.x"})"),
            "options.x: no such option");
  EXPECT_EQ(FaultOf(R"({"id": 4, "error": "not today"})", false), "not today");
  EXPECT_THAT(FaultOf(R"({"id": 4, "error": 5})"), HasSubstr("error: found 5, expected a text"));
  EXPECT_THAT(FaultOf(R"({"id": 4, "error": "x", "proposals": []})"), HasSubstr("unknown field"));
}

}  // namespace
}  // namespace schedulegym
