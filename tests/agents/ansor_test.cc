#include "agents/search/ansor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <set>

#include "agents/cost/boosted_cost_model.h"
#include "agents/search/niche.h"
#include "env/base/fault.h"
#include "env/features/analytical_cost.h"
#include "spaces/sketches/sketch_space.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr int kPopulation = 128;

std::unique_ptr<SearchSpace> Space() { return MakeAnsorSpace(ParseSpec("ansor").value()); }

std::unique_ptr<Agent> Make(const std::string& options, const SearchSpace& space,
                            uint64_t seed = 1) {
  const std::string spec = "ansor(population=" + std::to_string(kPopulation) +
                           (options.empty() ? "" : "," + options) + ")";
  return MakeAnsorAgent(ParseSpec(spec).value(), {space, Rng(seed)});
}

std::shared_ptr<const Task> Matmul() {
  return WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2));
}

// A machine on which plain products are dear and those without a cache dearer still: the
// agent's own estimate knows nothing of it.
double SecondsOf(const ScheduleState& state) {
  const double estimate = EstimateCost(state).Seconds();
  return state.Find("C.local") >= 0 ? estimate : 3 * estimate;
}

// What was proposed, 16 at once.
std::vector<ScheduleState> Search(
    Agent& agent, const std::shared_ptr<const Task>& task, int rounds,
    const std::function<double(const ScheduleState&)>& seconds = SecondsOf) {
  std::vector<ScheduleState> all;
  for (int round = 0; round < rounds; ++round) {
    const auto states = agent.Propose(task, 16);
    EXPECT_LE(states.size(), 16u);
    std::vector<Record> records;
    for (const ScheduleState& state : states) {
      records.push_back(TimedRecord(state, seconds(state)));
    }
    agent.Learn(records);
    all.insert(all.end(), states.begin(), states.end());
  }
  return all;
}

void ExpectSame(const std::vector<ScheduleState>& one, const std::vector<ScheduleState>& two) {
  ASSERT_EQ(one.size(), two.size());
  for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].TraceText(), two[i].TraceText());
}

double MeanOf(const std::vector<ScheduleState>& states) {
  double sum = 0;
  for (const ScheduleState& state : states) sum += SecondsOf(state);
  return sum / static_cast<double>(states.size());
}

// What it comes to propose; the best of all is luck, too.
TEST(AnsorSearchTest, LearningBeatsChance) {
  const auto space = Space();
  const auto last_rounds = [&](const char* options) {
    const auto all = Search(*Make(options, *space), Matmul(), 12);
    return MeanOf({all.end() - 32, all.end()});
  };
  const double by_chance = last_rounds("model=random,generations=0");
  for (const char* mode : {"mode=fast,epsilon=0", "mode=faithful,epsilon=0"}) {
    EXPECT_LT(last_rounds(mode), 0.3 * by_chance) << mode;
  }
}

// A round is one evolution, however few are asked for at once: as published, nothing of what is
// learned in its midst changes what it proposes.
TEST(AnsorSearchTest, ARoundIsAsLongAsPublished) {
  const auto space = Space();
  const auto slow = [](const ScheduleState&) { return 1.0; };
  for (const auto& [options, changes] :
       {std::pair{"mode=faithful", false}, std::pair{"mode=faithful,round=16", true},
        std::pair{"mode=fast", true}, std::pair{"mode=fast,round=16", true}}) {
    const auto one = Make(options, *space), other = Make(options, *space);
    // Both trust their models from here on.
    ExpectSame(Search(*one, Matmul(), 8), Search(*other, Matmul(), 8));
    ExpectSame(Search(*one, Matmul(), 1), Search(*other, Matmul(), 1, slow));
    const auto traces = [](const std::vector<ScheduleState>& states) {
      std::vector<std::string> all;
      for (const ScheduleState& state : states) all.push_back(state.TraceText());
      return all;
    };
    const bool differ = traces(Search(*one, Matmul(), 3)) != traces(Search(*other, Matmul(), 3));
    EXPECT_EQ(differ, changes) << options;
  }
}

// Five percent of 64 are 3, although 5 % of 16 are none.
TEST(AnsorSearchTest, EveryRoundHasItsStrays) {
  const auto space = Space();
  const auto none = Search(*Make("mode=faithful,epsilon=0", *space), Matmul(), 12);
  const auto some = Search(*Make("mode=faithful,epsilon=0.5", *space), Matmul(), 12);
  EXPECT_GT(MeanOf({some.end() - 64, some.end()}), 1.5 * MeanOf({none.end() - 64, none.end()}));
}

TEST(AnsorSearchTest, NichesStayInSight) {
  const auto space = Space();
  const auto late_niches = [&](const std::string& options) {
    const auto all = Search(*Make("epsilon=0.0,local=0.5," + options, *space), Matmul(), 16);
    std::set<Key> niches;
    for (auto state = all.end() - 64; state != all.end(); ++state) niches.insert(NicheOf(*state));
    return niches.size();
  };
  EXPECT_GT(late_niches("niches=true"), late_niches("niches=false"));
}

TEST(AnsorSearchTest, ASpaceOfFewEnds) {
  const auto space = Space();
  const auto task = DagTask("input X[4]\nA[i:4] = X[i] + 1\n", Avx2Target(2));
  const auto agent = Make("", *space);
  size_t count = 0;
  for (int round = 0; round < 10; ++round) count += agent->Propose(task, 16).size();
  EXPECT_GT(count, 0u);
  EXPECT_LT(count, 16u);
  EXPECT_TRUE(agent->Propose(task, 16).empty());
}

TEST(AnsorSearchTest, WithoutFinetuningTheBestOfSamplesAreTaken) {
  const auto space = Space();
  ExpectSame(Search(*Make("finetune=false", *space), Matmul(), 3),
             Search(*Make("generations=0", *space), Matmul(), 3));
}

TEST(AnsorSearchTest, ABeamReplacesEvolution) {
  const auto space = Space();
  const auto narrow = Search(*Make("beam=true,beam_width=1", *space), Matmul(), 1);
  const auto wide = Search(*Make("beam=true,beam_width=32", *space), Matmul(), 1);
  // One choice of tiles and its annotations, or many.
  const auto tiles = [](const std::vector<ScheduleState>& states) {
    std::set<std::vector<std::vector<int64_t>>> all;
    for (const ScheduleState& state : states) {
      std::vector<std::vector<int64_t>> lengths;
      for (const Primitive& step : state.trace()) {
        if (const auto* split = std::get_if<Split>(&step)) lengths.push_back(split->lengths);
      }
      all.insert(lengths);
    }
    return all.size();
  };
  EXPECT_EQ(tiles(narrow), 1u);
  EXPECT_GT(tiles(wide), 1u);
}

TEST(AnsorSearchTest, ABeamWantsSketches) {
  const SplitSpace space;
  const auto agent = MakeAnsorAgent(ParseSpec("ansor(beam=true)").value(), {space, Rng(1)});
  EXPECT_NO_THROW(Make("", space)->CheckTask(Matmul()));
  EXPECT_NO_THROW(Make("beam=true", *Space())->CheckTask(Matmul()));
  EXPECT_THROW(agent->Propose(Matmul(), 16), InputError);
  try {
    agent->CheckTask(Matmul());
    ADD_FAILURE() << "would search without sketches";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "agent ansor, beam=true: space split has no sketches; expected one that has, such "
                 "as ansor");
  }
}

// The README's limited space.
TEST(AnsorSearchTest, TheLimitedSpaceHasNoCachesAndFusesNoTiles) {
  const auto space = MakeAnsorSpace(
      ParseSpec("ansor(rfactor=false,cache_write=false,tile_and_fuse=false)").value());
  const auto task = WorkloadTask("conv2d(h=8,w=8,ci=8,co=8,k=3,p=1)", Avx2Target(2));
  const auto whole = Space();
  ASSERT_GT(whole->Sketches(task).size(), 1u);
  ASSERT_EQ(space->Sketches(task).size(), 1u);
  for (const ScheduleState& state : Search(*Make("", *space), task, 3)) {
    EXPECT_EQ(state.size(), ScheduleState::Initial(task).size()) << state.TraceText();
    for (int id = 0; id < state.size(); ++id) {
      const Stage& stage = state.stage(id);
      if (!stage.op || !stage.op->is_reduction()) continue;
      EXPECT_EQ(stage.location, Location::kRoot) << state.TraceText();
    }
  }
}

// Starts from what another search has learned on the same machine.
class SavedModelTest : public testing::Test {
 protected:
  SavedModelTest() {
    const auto teacher = Make("features=ansor", *space_, 5);
    Search(*teacher, Matmul(), 12);
    BoostedCostModel model = *teacher->model();
    std::ofstream(path_) << *model.ToText();
  }

  std::unique_ptr<Agent> Pupil(const std::string& mode) const {
    return Make("mode=" + mode + ",features=ansor,model=\"" + path_ + "\"", *space_);
  }

  const std::unique_ptr<SearchSpace> space_ = Space();
  const TemporaryFolder folder_;
  const std::string path_ = folder_.Path("model.json");
};

TEST_F(SavedModelTest, IsBelievedFromTheFirstRoundOn) {
  for (const char* mode : {"fast", "faithful"}) {
    const auto untaught = Search(*Make(std::string("mode=") + mode, *space_), Matmul(), 1);
    EXPECT_LT(MeanOf(Search(*Pupil(mode), Matmul(), 1)), 0.7 * MeanOf(untaught)) << mode;
  }
}

TEST_F(SavedModelTest, OfOtherFeaturesIsRefused) {
  try {
    Make("features=estimated,model=\"" + path_ + "\"", *space_);
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'ansor 1', expected 182 features"), std::string::npos)
        << error.what();
  }
}

TEST_F(SavedModelTest, IsReplacedByTheFirstTrainingAsPublished) {
  const auto pupil = Pupil("faithful");
  Search(*pupil, Matmul(), 4);  // one evolution
  EXPECT_EQ(pupil->model()->trainings(), 0);
  Search(*pupil, Matmul(), 1);
  EXPECT_EQ(pupil->model()->trainings(), 1);
}

TEST_F(SavedModelTest, IsReplacedOnceAHundredWereMeasured) {
  const auto pupil = Pupil("fast");
  Search(*pupil, Matmul(), 7);  // the last round asks with 96
  EXPECT_EQ(pupil->model()->trainings(), 0);
  Search(*pupil, Matmul(), 1);
  EXPECT_EQ(pupil->model()->trainings(), 1);
}

TEST(AnsorSearchTest, OnlyTreesAreAModelToSave) {
  const auto space = Space();
  EXPECT_NE(Make("", *space)->model(), nullptr);
  EXPECT_EQ(Make("model=analytical", *space)->model(), nullptr);
  EXPECT_EQ(Make("model=random", *space)->model(), nullptr);
}

TEST(AnsorSearchTest, BadOptionsAreRefused) {
  const auto space = Space();
  for (const auto& [options, text] : {std::pair{"ansor(population=0)", "population=0"},
                                      {"ansor(generations=-1)", "generations"},
                                      {"ansor(mutation=1.5)", "mutation=1.5"},
                                      {"ansor(epsilon=-1.0)", "epsilon"},
                                      {"ansor(local=2.0)", "local=2"},
                                      {"ansor(beam=true,local=0.5)", "local=0.5 has no effect"},
                                      {"ansor(features=some)", "estimated"},
                                      {"ansor(mode=slow)", "faithful"},
                                      {"ansor(model=best)", "cannot read 'best': No such file"},
                                      {"ansor(model=best)", "; model is boosted, analytical, "},
                                      {"ansor(model=5)", "model"},
                                      {"ansor(beam=3)", "true or false"},
                                      {"ansor(beem=true)", "population"},
                                      {"ansor(beam=true,beam_width=0)", "beam_width=0"},
                                      {"ansor(beam=true,niches=true)", "niches=true has no effect"},
                                      {"ansor(mode=faithful,niches=true)", "with local=0"},
                                      {"ansor(niches=2)", "true or false"},
                                      {"ansor(beam_width=8)", "beam_width=8 has no effect"},
                                      {"ansor(beam=true,generations=4)", "generations=4 has no"},
                                      {"ansor(beam=true,mutation=0.5)", "mutation=0.5 has no"},
                                      {"ansor(beam=true,finetune=false)", "with beam=true"},
                                      {"ansor(finetune=false,mutation=0.5)", "with finetune=false"},
                                      {"ansor(finetune=false,generations=0)", "generations=0"}}) {
    try {
      MakeAnsorAgent(ParseSpec(options).value(), {*space, Rng(1)});
      ADD_FAILURE() << options << " was taken";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  }
}

}  // namespace
}  // namespace schedulegym
