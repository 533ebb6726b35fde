#include "agents/evolution/ansor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <set>

#include "agents/builtin_agents.h"
#include "agents/common/search_model_state.h"
#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "env/features/analytical_cost.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

constexpr int kPopulation = 128;

std::unique_ptr<SearchSpace> Space() { return MakeAnsorSpace(ParseSpec("ansor").value()); }

using Tasks = std::vector<std::shared_ptr<const Task>>;

std::shared_ptr<const Task> Matmul() {
  return WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2));
}

std::unique_ptr<Agent> Make(const std::string& options, const SearchSpace& space,
                            const Tasks& tasks = {Matmul()}, uint64_t seed = 1) {
  const std::string spec = "ansor(population=" + std::to_string(kPopulation) +
                           (options.empty() ? "" : "," + options) + ")";
  return std::make_unique<SingleTaskAgent>(ParseSpec(spec).value(), space, tasks, Rng(seed));
}

// A machine on which products without a cache take three times as long, which the agent's
// analytical model does not predict.
double SecondsOf(const ScheduleState& state) {
  const double estimate = EstimateCost(state).Seconds();
  return state.Find("C.local") >= 0 ? estimate : 3 * estimate;
}

// Returns all proposals, 16 at once.
std::vector<ScheduleState> Search(
    Agent& agent, int rounds,
    const std::function<double(const ScheduleState&)>& seconds = SecondsOf, int task = 0) {
  std::vector<ScheduleState> all;
  for (int round = 0; round < rounds; ++round) {
    const auto proposals = agent.Propose(task, 16);
    EXPECT_LE(proposals.size(), 16u);
    std::vector<Trial> trials;
    for (const Proposal& one : proposals) {
      trials.push_back(TimedTrial(one, seconds(one.state), task));
      all.push_back(one.state);
    }
    agent.Learn(trials);
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

// A pretrained network that counts the schedules which it scores; shorter traces score higher.
class CountingModel : public CostModel {
 public:
  explicit CountingModel(int64_t& count) : count_(count) {}
  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    std::vector<std::optional<Prediction>> predictions;
    for (const StateFeatures& one : states) {
      predictions.push_back(Prediction{1.0 / (1 + one.state().trace_size())});
    }
    count_ += std::ssize(states);
    return predictions;
  }
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }

 private:
  int64_t& count_;
};

TEST(AnsorPreselectionTest, TheModelSeesTheDraftAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("network.model");
  std::ofstream(path) << ToBytes(SavedModelState{"scorer 1", "text"});
  const auto space = Space();
  const auto scored = [&](const std::string& draft) {
    int64_t count = 0;
    const NetworkReader reader = [&](const std::string&, auto, auto) {
      return std::make_unique<CountingModel>(count);
    };
    const AgentEntry entry = {"networked", "", "", [&](const AgentContext& context) {
                                return MakeAnsorAgent(context, reader);
                              }};
    const std::string spec =
        "networked(model=\"" + path + "\",population=128,round=16,local=0" + draft + ")";
    SingleTaskAgent agent(ParseSpec(spec).value(), *space, {Matmul()}, Rng(1), {}, {entry});
    EXPECT_EQ(agent.Propose(0, 16).size(), 16);
    return count;
  };
  EXPECT_GE(scored(""), 4 * kPopulation);
  for (const char* draft : {"estimate", "analytical(version=2)", "pretrained_tuna", "random"}) {
    const std::string options = std::string(",draft=") + draft + ",drafted=32";
    EXPECT_LE(scored(options), 2 * 32 + 2 * 3 + 16)
        << draft << ": the draft, a generation, draws and measured ones beside it, and the notes";
  }
  EXPECT_GE(scored(",draft=estimate,drafted=32,beside=1"),
            scored(",draft=estimate,drafted=32") + 28)
      << "32 fresh draws in place of 3";
}

// After the trees are trusted.
TEST(AnsorPreselectionTest, GoesByTheDraftsModel) {
  const auto space = Space();
  const auto searched = [&](const std::string& draft) {
    return Search(*Make("trusted=15,round=16,drafted=32,draft=" + draft, *space), 2);
  };
  const auto by_estimate = searched("estimate");
  ExpectSame(by_estimate, searched("analytical"));
  const auto is_same = [](const ScheduleState& a, const ScheduleState& b) {
    return a.TraceText() == b.TraceText();
  };
  for (const char* draft : {"analytical(version=2)", "pretrained_tuna", "pretrained"}) {
    EXPECT_FALSE(std::ranges::equal(by_estimate, searched(draft), is_same)) << draft;
  }
}

TEST(AnsorPreselectionTest, BeatsChance) {
  const auto space = Space();
  const auto last_rounds = [&](const std::string& options) {
    const auto all = Search(*Make(options, *space), 12);
    return MeanOf({all.end() - 32, all.end()});
  };
  const double by_chance = last_rounds("model=random,generations=0");
  EXPECT_LT(last_rounds("draft=estimate,drafted=128,epsilon=0,round=16"), 0.5 * by_chance);
}

// Compares the late proposals, because the best of all also depends on luck.
TEST(AnsorSearchTest, LearningBeatsChance) {
  const auto space = Space();
  const auto last_rounds = [&](const char* options) {
    const auto all = Search(*Make(options, *space), 12);
    return MeanOf({all.end() - 32, all.end()});
  };
  const double by_chance = last_rounds("model=random,generations=0");
  for (const char* mode : {"mode=fast,epsilon=0", "mode=faithful,epsilon=0"}) {
    EXPECT_LT(last_rounds(mode), 0.3 * by_chance) << mode;
  }
}

// A round is one evolution, for any batch size: as published, results that arrive during a round do
// not change its proposals.
TEST(AnsorSearchTest, ARoundIsAsLongAsPublished) {
  const auto space = Space();
  const auto slow = [](const ScheduleState&) { return 1.0; };
  for (const auto& [options, changes] :
       {std::pair{"mode=faithful", false}, std::pair{"mode=faithful,round=16", true},
        std::pair{"mode=fast", true}, std::pair{"mode=fast,round=16", true}}) {
    const auto one = Make(options, *space), other = Make(options, *space);
    // Both trust their models after these rounds.
    ExpectSame(Search(*one, 8), Search(*other, 8));
    ExpectSame(Search(*one, 1), Search(*other, 1, slow));
    const auto traces = [](const std::vector<ScheduleState>& states) {
      std::vector<std::string> all;
      for (const ScheduleState& state : states) all.push_back(state.TraceText());
      return all;
    };
    const bool differ = traces(Search(*one, 3)) != traces(Search(*other, 3));
    EXPECT_EQ(differ, changes) << options;
  }
}

// Until the trees are trusted, the analytical model ranks as with model=analytical.
TEST(AnsorSearchTest, TheEstimateMayRankFirst) {
  const auto space = Space();
  const auto first = Search(*Make("", *space), 3);
  ExpectSame(first, Search(*Make("model=analytical", *space), 3));
  EXPECT_LT(MeanOf(first), 0.5 * MeanOf(Search(*Make("estimate_first=false", *space), 3)));
}

// The prediction in a proposal's note; nullopt if there is none.
std::optional<double> PredictedSeconds(const Proposal& proposal) {
  if (proposal.note.empty()) return std::nullopt;
  const Spec note = ParseSpec(proposal.note).value();
  EXPECT_EQ(note.name, "predicted");
  SpecReader reader(note, "note");
  const double seconds = reader.Number("seconds", 0);
  reader.Finish();
  return seconds;
}

// Number of the next 16 proposals with a note.
int64_t NotesOf(Agent& agent) {
  return std::ranges::count_if(agent.Propose(0, 16),
                               [](const Proposal& one) { return PredictedSeconds(one) > 0.0; });
}

TEST(AnsorSearchTest, ProposalsHaveTheModelsWord) {
  const auto space = Space();
  for (const char* options : {"", "model=analytical"}) {
    for (const Proposal& one : Make(options, *space)->Propose(0, 16)) {
      EXPECT_DOUBLE_EQ(PredictedSeconds(one).value(), EstimateCost(one.state).Seconds());
    }
  }
  EXPECT_EQ(NotesOf(*Make("model=random", *space)), 0) << "chance has no word";
  const auto learning = Make("features=ansor", *space);
  EXPECT_EQ(NotesOf(*learning), 0) << "nor has it where it stands in for trees";
  Search(*learning, 4);
  EXPECT_EQ(NotesOf(*learning), 16);
}

// For a round bred before the latest results the published trees are not evaluated: they would be
// retrained for the note alone.
TEST(AnsorSearchTest, ForANoteAloneNoTreesAreTrained) {
  const auto space = Space();
  const auto agent = Make("mode=faithful,trusted=16", *space);
  Search(*agent, 2);
  EXPECT_EQ(NotesOf(*agent), 0) << "of the round that chance ranked";
  EXPECT_EQ(NotesOf(*agent), 0);
  EXPECT_EQ(NotesOf(*agent), 16) << "the next";
  EXPECT_EQ(NotesOf(*agent), 0);
}

// Without the analytical model among the features a random ranking is used, as published.
TEST(AnsorSearchTest, WhatLeavesTheEstimateOutBeginsByChance) {
  const auto space = Space();
  for (const char* options :
       {"features=ansor", "mode=faithful", "mode=faithful,features=estimated"}) {
    const auto chance = Search(*Make(options + std::string(",estimate_first=false"), *space), 1);
    ExpectSame(Search(*Make(options, *space), 1), chance);
  }
}

// Breeding from the best finds the slowdown of plain products, which the analytical model lacks.
TEST(AnsorSearchTest, NeighboursNeedNoTrees) {
  const auto space = Space();
  const auto late = [&](const std::string& local) {
    const auto all = Search(*Make("model=analytical,epsilon=0,local=" + local, *space), 8);
    return std::count_if(all.end() - 64, all.end(),
                         [](const ScheduleState& state) { return state.Find("C.local") >= 0; });
  };
  EXPECT_GT(late("0.5"), late("0"));
}

TEST(AnsorSearchTest, TreesAreTrustedFromSoManyMeasurementsOn) {
  const auto space = Space();
  const auto after = [&](const std::string& options) {
    const auto all = Search(*Make("round=16,estimate_first=false," + options, *space), 3);
    return MeanOf({all.end() - 16, all.end()});
  };
  EXPECT_LT(after("trusted=16"), 0.7 * after("trusted=32"));
}

// With epsilon=0.5 half of each round is random, and the mean of the last rounds is worse.
TEST(AnsorSearchTest, EveryRoundHasItsStrays) {
  const auto space = Space();
  const auto none = Search(*Make("mode=faithful,epsilon=0", *space), 12);
  const auto some = Search(*Make("mode=faithful,epsilon=0.5", *space), 12);
  EXPECT_GT(MeanOf({some.end() - 64, some.end()}), 1.5 * MeanOf({none.end() - 64, none.end()}));
}

TEST(AnsorSearchTest, NichesStayInSight) {
  const auto space = Space();
  const auto late_niches = [&](const std::string& options) {
    const auto all = Search(*Make("epsilon=0.0,local=0.5," + options, *space), 16);
    std::set<Key> niches;
    for (auto state = all.end() - 64; state != all.end(); ++state) niches.insert(NicheOf(*state));
    return niches.size();
  };
  EXPECT_GT(late_niches("niches=true"), late_niches("niches=false"));
}

TEST(AnsorSearchTest, ASpaceOfFewEnds) {
  const auto space = Space();
  const auto task = DagTask("input X[4]\nA[i:4] = X[i] + 1\n", Avx2Target(2));
  const auto agent = Make("", *space, {task});
  size_t count = 0;
  for (int round = 0; round < 10; ++round) count += agent->Propose(0, 16).size();
  EXPECT_GT(count, 0u);
  EXPECT_LT(count, 16u);
  EXPECT_TRUE(agent->Propose(0, 16).empty());
}

TEST(AnsorSearchTest, WhatToldNothingMayComeAgain) {
  const auto space = Space();
  const auto task = DagTask("input X[4]\nA[i:4] = X[i] + 1\n", Avx2Target(2));
  const auto agent = Make("", *space, {task});
  const auto proposals = agent->Propose(0, 16);
  std::vector<Trial> trials;
  for (const Proposal& one : proposals) trials.push_back(TimedTrial(one, 1));
  trials[0].told = TrialStatus::kSaysNothing;
  agent->Learn(trials);
  std::set<Key> later;
  for (int round = 0; round < 5; ++round) {
    for (const Proposal& one : agent->Propose(0, 16)) later.insert(one.key);
  }
  EXPECT_TRUE(later.contains(proposals[0].key));
  for (size_t i = 1; i < proposals.size(); ++i) EXPECT_FALSE(later.contains(proposals[i].key));
}

TEST(AnsorSearchTest, WithoutFinetuningTheBestOfSamplesAreTaken) {
  const auto space = Space();
  ExpectSame(Search(*Make("finetune=false", *space), 3),
             Search(*Make("generations=0,local=0", *space), 3));
}

TEST(AnsorSearchTest, ABeamReplacesEvolution) {
  const auto space = Space();
  const auto narrow = Search(*Make("beam=true,beam_width=1", *space), 1);
  const auto wide = Search(*Make("beam=true,beam_width=32", *space), 1);
  // One choice of tiles for each of two beams, which the sampler completes in four ways; or many.
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
  EXPECT_LE(tiles(narrow), 2u);
  EXPECT_GT(tiles(wide), 4u);
}

TEST(AnsorSearchTest, ABeamWantsSketches) {
  const SplitSpace space;
  EXPECT_NO_THROW(Make("", space));
  EXPECT_NO_THROW(Make("beam=true", *Space()));
  try {
    Make("beam=true", space);
    ADD_FAILURE() << "would search without sketches";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "agent ansor, beam=true: space split has no sketches; expected one that has, such "
                 "as ansor");
  }
}

// Trusted above 48 measured schedules: of the run, or of the task.
TEST(AnsorSearchTest, TheModelIsTheRunsOrTheTasks) {
  const auto space = Space();
  const Tasks tasks = {Matmul(), WorkloadTask("matmul(m=32,n=64,k=64)", Avx2Target(2))};
  const auto second_task = [&](const std::string& models, int rounds) {
    const auto agent = Make("models=" + models, *space, tasks);
    Search(*agent, rounds);
    return Search(*agent, 1, SecondsOf, 1);
  };
  ExpectSame(second_task("task", 4), second_task("task", 0));
  const auto traces = [](const std::vector<ScheduleState>& states) {
    std::vector<std::string> all;
    for (const ScheduleState& state : states) all.push_back(state.TraceText());
    return all;
  };
  EXPECT_EQ(traces(second_task("run", 3)), traces(second_task("run", 0))) << "48 are too few";
  EXPECT_NE(traces(second_task("run", 4)), traces(second_task("run", 0)));
}

TEST(AnsorSearchTest, ASetStopTokenEndsItsThinking) {
  const auto space = Space();
  AgentSetup setup;
  setup.agent = ParseSpec("ansor").value();
  setup.tasks = {{Matmul()}};
  const AgentMaker maker = BuiltinAgentMaker();
  const SteadyClock clock;
  const std::atomic<bool> stop = true;
  const auto agent = maker.Make({setup, *space, Rng(1), maker, clock, StopToken(&stop)});
  EXPECT_THROW(agent->Propose(0, 16), Interrupted);
}

// The limited space of the README.
TEST(AnsorSearchTest, TheLimitedSpaceHasNoCachesAndFusesNoTiles) {
  const auto space = MakeAnsorSpace(
      ParseSpec("ansor(rfactor=false,cache_write=false,tile_and_fuse=false)").value());
  const auto task = WorkloadTask("conv2d(h=8,w=8,ci=8,co=8,k=3,p=1)", Avx2Target(2));
  const auto whole = Space();
  ASSERT_GT(whole->Sketches(task).size(), 1u);
  ASSERT_EQ(space->Sketches(task).size(), 1u);
  for (const ScheduleState& state : Search(*Make("", *space, {task}), 3)) {
    EXPECT_EQ(state.size(), ScheduleState::Initial(task).size()) << state.TraceText();
    for (int id = 0; id < state.size(); ++id) {
      const Stage& stage = state.stage(id);
      if (!stage.op || !stage.op->is_reduction()) continue;
      EXPECT_EQ(stage.location, Location::kRoot) << state.TraceText();
    }
  }
}

// Starts from the saved model of another search on the same machine.
class SavedModelTest : public testing::Test {
 protected:
  SavedModelTest() {
    const auto teacher = Make("features=ansor", *space_, {Matmul()}, 5);
    Search(*teacher, 12);
    std::ofstream(path_) << *teacher->memory()->Save();
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
    const std::string untaught = std::string("features=ansor,mode=") + mode;
    EXPECT_LT(MeanOf(Search(*Pupil(mode), 1)), 0.7 * MeanOf(Search(*Make(untaught, *space_), 1)))
        << mode;
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

TEST_F(SavedModelTest, MayBeLoadedLater) {
  const auto loaded = Make("mode=faithful,features=ansor", *space_);
  EXPECT_EQ(loaded->memory()->Kind(), "boosted 1");
  EXPECT_EQ(loaded->memory()->Save(), std::nullopt) << "nothing was learned";
  std::ifstream file(path_);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  loaded->memory()->Load(text);
  EXPECT_EQ(loaded->memory()->Save(), text);
  EXPECT_THROW(loaded->memory()->Load("{}"), InputError);
}

TEST(AnsorSearchTest, OnlyTreesAreAModelToSave) {
  const auto space = Space();
  EXPECT_NE(Make("", *space)->memory(), nullptr);
  EXPECT_EQ(Make("model=analytical", *space)->memory(), nullptr);
  EXPECT_EQ(Make("model=random", *space)->memory(), nullptr);
}

}  // namespace
}  // namespace schedulegym
