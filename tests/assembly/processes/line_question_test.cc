#include "assembly/processes/line_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/json.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

AgentSetup GridSetup(const std::string& agent) {
  AgentSetup setup = {.agent = ParseSpec(agent).value(), .space = {"grid", {}}, .seed = 5};
  setup.tasks.push_back({GridTask(), 3});
  return setup;
}

Json ParsedJson(std::string_view text) { return ParseJson(text).value(); }

Json LineOf(const AgentSetup& setup, const std::vector<Sketch>& sketches) {
  const std::vector<std::vector<Sketch>> by_task = {sketches};
  const std::string line = SetupLine(1, setup, by_task);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  return ParsedJson(line);
}

TEST(LineQuestionTest, TheNumberComesFirstAndThenWhatIsAsked) {
  EXPECT_EQ(ProposeLine(7, 2, 16), R"({"id":7,"ask":"propose","task":2,"count":16})");
  EXPECT_EQ(LearnLine(8, {}), R"({"id":8,"ask":"learn","trials":[]})");
  EXPECT_EQ(SetupLine(1, {}, {}).substr(0, 36), R"({"id":1,"ask":"setup","version":1,"o)");
}

TEST(LineQuestionTest, TheSetupTellsOfTheRun) {
  AgentSetup setup =
      GridSetup(R"x(process(command="x y",step=2,wide=true,share=0.5,of=a(b=1),t="c"))x");
  setup.budget = Budget{100, 2.5};
  const Json line = LineOf(setup, {});
  EXPECT_EQ(line["options"],
            ParsedJson(R"x({"step":2,"wide":true,"share":0.5,"of":"a(b=1)","t":"c"})x"));
  EXPECT_EQ(line["space"], "grid");
  EXPECT_EQ(line["seed"], 5);
  EXPECT_EQ(line["trials"], 100);
  EXPECT_EQ(line["seconds"], 2.5);
  const Json task = line["tasks"][0];
  EXPECT_EQ(task["workload"], "grid");
  EXPECT_EQ(task["key"], TaskKey(*setup.tasks[0].task).ToText());
  EXPECT_EQ(task["weight"], 3);
  EXPECT_EQ(task["flops"], 4096);
  EXPECT_EQ(task["dag"].Text().substr(0, 7), "input X");
  EXPECT_EQ(task["sketches"], Json::Array());
}

TEST(LineQuestionTest, WhatIsUnknownIsNull) {
  const Json line = LineOf(GridSetup("process"), {});
  EXPECT_TRUE(line["trials"].is_null());
  EXPECT_TRUE(line["seconds"].is_null());
  EXPECT_EQ(line["options"], Json::Object());
}

TEST(LineQuestionTest, SketchesStandWithTheirKnobs) {
  const auto task = GridTask();
  const std::vector<Knob> knobs = {{"tile", 2, KnobKind::kTile, 1, {"1", "8"}}, {"other", 3}};
  const std::vector<KnobTile> tiles = {{"rows", 64, {0, -1}, {{1, 8}, {4}}, LengthsFit::kWithin}};
  const Sketch sketch = {GridState(task, {}),
                         {"Y: tile"},
                         std::make_shared<const KnobSpace>(
                             task, knobs, std::make_shared<const GridBuilder>(task, 2), tiles)};
  const Json line = LineOf(GridSetup("process"), {sketch})["tasks"][0]["sketches"][0];
  EXPECT_EQ(line, ParsedJson(R"({
    "rules": ["Y: tile"],
    "knobs": [
      {"name": "tile", "kind": "tile", "stage": "Y", "values": 2, "meanings": ["1", "8"]},
      {"name": "other", "kind": "other", "stage": null, "values": 3, "meanings": ["0", "1", "2"]}],
    "tiles": [{"name": "rows", "extent": 64, "fit": "within", "knobs": [0, null],
               "lengths": [[1, 8], [4]]}],
    "origin": [0, 0]})"));
}

TEST(LineQuestionTest, ToldSchedulesHaveAllThatIsKnownOfThem) {
  const ScheduleState state = GridState(GridTask(), {1, 2});
  Trial trial = TimedTrial(ProposalOf(state), 0.5, 4);
  const std::vector<LineTrial> told = {{4, 1, ReportedSchedule{trial, SketchPoint{2, {1, 2}}}}};
  const Json line = ParsedJson(LearnLine(3, told))["trials"][0];
  EXPECT_EQ(line["task"], 4);
  EXPECT_EQ(line["proposal"], 1);
  EXPECT_EQ(line["status"], "measured");
  EXPECT_EQ(line["told"], "measured") << "its old name";
  EXPECT_EQ(line["key"], trial.key.ToText());
  EXPECT_EQ(line["sketch"], 2);
  EXPECT_EQ(line["point"], Json::Array(1, 2));
  EXPECT_EQ(line["trace"], state.TraceText());
  EXPECT_EQ(line["outcome"], "ok");
  EXPECT_EQ(line["seconds"], 0.5);
  EXPECT_EQ(line["ratio"], 2);
  EXPECT_LT(line["low"].As<double>(), line["high"].As<double>());
  EXPECT_FALSE(line.Has("message"));
}

TEST(LineQuestionTest, FailuresHaveAMessageAndNoTimes) {
  Record record = TimedRecord(GridState(GridTask(), {}), std::nullopt);
  record.measurement.message = "differs in \xff";
  const Trial trial = TrialOf(GridState(GridTask(), {}), record, TrialStatus::kKnown);
  const std::vector<LineTrial> told = {{0, {}, ReportedSchedule{trial, {}}}};
  const Json line = ParsedJson(LearnLine(3, told))["trials"][0];
  EXPECT_TRUE(line["proposal"].is_null());
  EXPECT_TRUE(line["point"].is_null());
  EXPECT_EQ(line["status"], "known");
  EXPECT_EQ(line["outcome"], "wrong_output");
  EXPECT_EQ(line["message"], R"(differs in \xff)") << "what is not UTF-8 is shown";
  EXPECT_FALSE(line.Has("seconds"));
}

TEST(LineQuestionTest, WhatWasNotReachedHasNoOutcome) {
  const Proposal proposal = ProposalOf(GridState(GridTask(), {}));
  const Trial trial = {0, proposal.state, proposal.key, TrialStatus::kNotReached, nullptr};
  const std::vector<LineTrial> told = {{0, 0, ReportedSchedule{trial, {}}}};
  const Json line = ParsedJson(LearnLine(3, told))["trials"][0];
  EXPECT_EQ(line["status"], "not_reached");
  EXPECT_FALSE(line.Has("outcome"));
}

TEST(LineQuestionTest, RefusalsNameTheField) {
  const std::vector<LineTrial> told = {{1, 2, Refusal{"point[0]", "found 9, expected 0 to 3"}}};
  EXPECT_EQ(ParsedJson(LearnLine(3, told))["trials"][0], ParsedJson(R"({
    "task": 1, "proposal": 2, "status": "refused", "told": "refused", "field": "point[0]",
    "reason": "found 9, expected 0 to 3"})"));
}

}  // namespace
}  // namespace schedulegym
