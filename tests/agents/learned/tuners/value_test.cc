#include "agents/learned/tuners/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "agents/builtin_agents.h"
#include "agents/learned/stages/stage_beam.h"
#include "agents/learned/tuners/tuner_options.h"
#include "env/base/fault.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class ValueAgentTest : public testing::Test {
 protected:
  // A network with random weights.
  std::string File(const std::string& model) const {
    const Spec spec = RequireSpec("model", model);
    ProgramRows none = EmptyRows(ReadScorerOptions(spec));
    none.targets = {""};
    Checkpoint checkpoint;
    PutScorer(checkpoint, NewScorerModel(spec, none, {}, Rng(1)));
    const std::string path = folder_.Path("network.model");
    WriteScorerFile(path, checkpoint);
    return path;
  }
  std::unique_ptr<Agent> Make(const std::string& options) const {
    return std::make_unique<SingleTaskAgent>(
        ParseSpec("value(" + options + ")").value(), space_, std::vector{task_}, Rng(1),
        std::nullopt,
        std::vector<AgentEntry>{{"value", kValueParameters, kValueDescription, MakeValueAgent}});
  }
  std::string Refusal(const std::string& options) const {
    try {
      Make(options)->Propose(0, 1);
      return "";
    } catch (const InputError& fault) {
      return fault.what();
    }
  }

  const TemporaryFolder folder_;
  const TwoSketchSpace space_;
  const std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
};

TEST_F(ValueAgentTest, ByKnobsProposesTheBestThatItsSearchEndsIn) {
  const std::string path = File("stages(width=8)");
  ScorerModel model = ReadScorer(ReadScorerFile(path));
  StageBeam beam(model, space_, task_);
  Rng no_chance(1);
  const StagePrefix best = beam.Search(1, 0, no_chance, 1).front().prefix;
  const auto state =
      space_.Sketches(task_)[static_cast<size_t>(best.sketch)].knobs->At(best.point).value();
  const std::vector<Proposal> first = Make("draws=0,model=\"" + path + "\"")->Propose(0, 1);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].state.TraceText(), state.TraceText());
}

TEST_F(ValueAgentTest, GoesOnUntilNothingIsLeft) {
  const auto agent = Make("model=\"" + File("stages(width=8)") + "\",width=2,retries=2000");
  std::set<Key> keys;
  for (bool goes_on = true; goes_on;) {
    const std::vector<Proposal> proposals = agent->Propose(0, 64);
    goes_on = !proposals.empty();
    for (const Proposal& one : proposals) EXPECT_TRUE(keys.insert(one.key).second);
  }
  EXPECT_GT(keys.size(), TwoSketchSpace::kSchedules * 9U / 10);
}

TEST_F(ValueAgentTest, BeginsWithTheShippedNetwork) {
  const std::vector<Proposal> first = Make("")->Propose(0, 4);
  ASSERT_EQ(first.size(), 4U);
  const std::vector<Proposal> named = Make("model=pretrained_stages")->Propose(0, 4);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(first[i].key, named[i].key);
}

TEST_F(ValueAgentTest, RefusesWhatIsNoFileOfStages) {
  EXPECT_THAT(Refusal("model=stages"), HasSubstr("or pretrained_stages"));
  EXPECT_THAT(Refusal("model=\"/nowhere.model\""), HasSubstr("/nowhere.model"));
  EXPECT_THAT(Refusal("model=\"" + File("mlp(width=8)") + "\""),
              HasSubstr("expected a file of train stages"));
  EXPECT_THAT(Refusal("model=a,width=0"), HasSubstr("width"));
}

}  // namespace
}  // namespace schedulegym
