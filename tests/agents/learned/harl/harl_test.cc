#include "agents/learned/harl/harl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "agents/builtin_agents.h"
#include "agents/learned/checkpoint.h"
#include "agents/learned/harl/harl_model_state.h"
#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/agents/learned/harl/harl_run.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<Key> KeysOf(const std::vector<Proposal>& proposals) {
  std::vector<Key> keys;
  for (const Proposal& proposal : proposals) keys.push_back(proposal.key);
  return keys;
}

double Best(const std::vector<Proposal>& proposals) {
  double best = 1;
  for (const Proposal& proposal : proposals)
    best = std::min(best, HarlRun::SecondsOf(proposal.state));
  return best;
}

TEST(HarlTest, ProposesSchedulesOnceEachWithTheirKeys) {
  const std::vector<Proposal> all = HarlRun(kSmall).Search(6);
  EXPECT_EQ(all.size(), 96U);
  std::set<Key> keys;
  for (const Proposal& proposal : all) {
    EXPECT_EQ(proposal.key, StateKey(proposal.state));
    keys.insert(proposal.key);
  }
  EXPECT_EQ(keys.size(), all.size());
}

TEST(HarlTest, NotesTellTheStepAndItsGain) {
  int noted = 0, later = 0;
  for (const Proposal& proposal : HarlRun(kSmall).Search(4)) {
    if (proposal.note.empty()) continue;  // bred from the best, not from a track
    const Result<Spec> note = ParseSpec(proposal.note);
    ASSERT_TRUE(note) << proposal.note;
    EXPECT_EQ(note->name, "track");
    SpecReader reader(*note, "note");
    later += reader.RequiredInteger("step") > 0 ? 1 : 0;
    EXPECT_GT(reader.Number("gain", -1), 0);
    ++noted;
  }
  EXPECT_GT(noted, 30);
  EXPECT_GT(later, 10);
}

std::vector<std::string> NotesOf(const std::vector<Proposal>& proposals) {
  std::vector<std::string> notes;
  for (const Proposal& proposal : proposals) notes.push_back(proposal.note);
  return notes;
}

// Otherwise tracks would follow random scores.
TEST(HarlTest, BeforeAnythingIsKnownAllIsDrawn) {
  const std::string blind = std::string("estimate_first=false,") + kSmall;
  const std::vector<std::string> notes = NotesOf(HarlRun(blind).Search(6, 10));
  ASSERT_EQ(notes.size(), 60U);
  const std::vector<std::string> drawn(notes.begin(), notes.begin() + 50);
  EXPECT_THAT(drawn, testing::Each(StartsWith("drawn(sketch=")));
  EXPECT_GT(std::set<std::string>(drawn.begin(), drawn.end()).size(), 1U) << "of all sketches";
  // The model is trusted from 49 measurements on, which ends the round of draws.
  const std::vector<std::string> later(notes.begin() + 50, notes.end());
  EXPECT_THAT(later, testing::Each(testing::Not(StartsWith("drawn"))));
  EXPECT_THAT(later, testing::Contains(StartsWith("track(")));
}

TEST(HarlTest, AsPublishedARoundIsOfOneSketchDrawsToo) {
  const std::string faithful = std::string("mode=faithful,") + kSmall;
  const std::vector<std::string> notes = NotesOf(HarlRun(faithful).Search(7));
  ASSERT_EQ(notes.size(), 112U);
  for (size_t round = 0; round < 96; round += 32) {
    EXPECT_THAT(notes[round], StartsWith("drawn(sketch="));
    for (size_t i = round; i < round + 32; ++i) EXPECT_EQ(notes[i], notes[round]);
  }
  EXPECT_NE(notes[32], notes[0]) << "the bandit tries each once";
}

// Sketches of the rounds that have given the bandit a reward.
std::vector<uint64_t> SketchesIn(const std::string& file) {
  return ReadHarlCheckpoint(file).WordsOf("task.0.arms");
}

TEST(HarlTest, ARoundIsOfSeveralSketchesOrOfOne) {
  const std::string wide = FileIn("wide.sgp"), narrow = FileIn("narrow.sgp");
  HarlRun(With("checkpoint", wide) + ",spread=3").Search(4);
  HarlRun(With("checkpoint", narrow) + ",spread=1").Search(4);
  EXPECT_THAT(SketchesIn(wide), testing::UnorderedElementsAre(0, 1, 2)) << "of the first of two";
  EXPECT_THAT(SketchesIn(narrow), testing::ElementsAre(0));
}

TEST(HarlTest, TheSameSeedProposesTheSameInBothModes) {
  for (const char* mode : {"mode=improved,", "mode=faithful,"}) {
    const std::string options = std::string(mode) + kSmall;
    EXPECT_EQ(KeysOf(HarlRun(options).Search(5)), KeysOf(HarlRun(options).Search(5))) << mode;
    EXPECT_NE(KeysOf(HarlRun(options).Search(1)),
              KeysOf(HarlRun(options, {"matmul(m=64,n=64,k=64)"}, 2).Search(1)));
  }
}

TEST(HarlTest, EverySwitchSearches) {
  for (const char* option :
       {"sketch=uniform", "moves=uniform", "policy=sketch", "reward=relative", "model=analytical",
        "distinct=false", "local=0", "measured=0", "lambda=0.95", "estimate_first=false",
        "primes=smallest", "rerank=false", "trees=published", "trusted=0", "longest_gradient=0",
        "estimate_first=false,draw_all=false", "estimate_first=false,end_draws=false"}) {
    EXPECT_EQ(HarlRun(std::string(option) + "," + kSmall).Search(2).size(), 32U) << option;
  }
  EXPECT_EQ(HarlRun("stop=false,tracks=16,visits=480,round=32,hidden=16").Search(2).size(), 32U);
}

// Ranked by the model alone, which equals the machine but for one unknown factor.
TEST(HarlTest, BeatsWhatIsDrawnAtRandom) {
  const std::vector<std::string> matmul = {"matmul(m=64,n=64,k=64)"};
  Rng rng(5);
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  const auto task = WorkloadTask(matmul[0], Avx2Target(2));
  double random = 1;
  for (int drawn = 0; drawn < 64;) {
    const Result<ScheduleState> state = space->Sample(task, rng);
    if (!state) continue;
    random = std::min(random, HarlRun::SecondsOf(*state));
    ++drawn;
  }
  EXPECT_LT(Best(HarlRun(kSmall).Search(4)), 0.9 * random);
}

TEST(HarlTest, TasksHaveTheirOwnRounds) {
  HarlRun run(kSmall, {"matmul(m=64,n=64,k=64)", "matmul(m=32,n=64,k=128)"});
  for (int turn = 0; turn < 2; ++turn) {
    for (int task = 0; task < 2; ++task) {
      for (const Proposal& proposal : run.Search(1, 8, task)) {
        EXPECT_EQ(proposal.state.task().name.find(task == 0 ? "m=64" : "m=32") != std::string::npos,
                  true);
      }
    }
  }
}

TEST(HarlTest, WhatTheMachineFailedAtMayComeAgain) {
  HarlRun run(kSmall);
  const std::vector<Proposal> first = run.agent().Propose(0, 8);
  std::vector<Trial> trials;
  for (const Proposal& proposal : first) {
    trials.push_back({0, proposal.state, proposal.key, TrialStatus::kNotReached, nullptr});
  }
  run.agent().Learn(trials);
  EXPECT_EQ(run.agent().Propose(0, 8).size(), 8U);
}

TEST(HarlTest, FailuresAreLearnedFrom) {
  HarlRun run(kSmall);
  for (int turn = 0; turn < 4; ++turn) {
    std::vector<Trial> trials;
    for (const Proposal& proposal : run.agent().Propose(0, 16)) {
      trials.push_back(TimedTrial(proposal, std::nullopt));
    }
    EXPECT_EQ(trials.size(), 16U) << turn;
    run.agent().Learn(trials);
  }
}

TEST(HarlTest, IsGivenUpWhenAsked) {
  HarlRun run(kSmall);
  run.stop() = true;
  EXPECT_THROW(run.agent().Propose(0, 8), Interrupted);
}

// Between two rounds, from the file and the results, bit by bit.
TEST(HarlTest, ResumedItGoesOnAsIfNothingHadHappened) {
  const std::string file = FileIn("on.sgp"), copy = FileIn("copy.sgp");
  HarlRun whole(With("checkpoint", file));
  std::vector<Trial> known;
  for (const Proposal& proposal : whole.Search(4)) {
    known.push_back(KnownTrial(proposal.state, HarlRun::SecondsOf(proposal.state)));
  }
  ASSERT_EQ(known.size(), 64U) << "two rounds, and a model that is believed";
  std::filesystem::copy_file(file, copy);
  HarlRun resumed(With("checkpoint", copy)), anew(With("checkpoint", FileIn("anew.sgp")));
  resumed.agent().Learn(known);
  anew.agent().Learn(known);
  const std::vector<Key> rest = KeysOf(whole.Search(4));
  EXPECT_EQ(KeysOf(resumed.Search(4)), rest);
  EXPECT_NE(KeysOf(anew.Search(4)), rest) << "without the file";
}

// Trees and weights, bandits and random state.
TEST(HarlTest, WhatWasSavedLeadsToTheSameProposals) {
  HarlRun teacher(kSmall);
  ASSERT_NE(teacher.agent().memory(), nullptr);
  EXPECT_EQ(teacher.agent().memory()->Save(), std::nullopt);
  teacher.Search(4);
  const std::string saved = teacher.agent().memory()->Save().value();
  const std::string path = FileIn("memory.sgp");
  std::ofstream(path) << ToBytes({teacher.agent().memory()->Kind(), saved});
  HarlRun loaded(kSmall), read(With("model", path)), fresh(kSmall);
  loaded.agent().memory()->Load(saved);
  EXPECT_EQ(loaded.agent().memory()->Save(), saved);
  const std::vector<Key> keys = KeysOf(loaded.Search(2));
  EXPECT_EQ(KeysOf(read.Search(2)), keys);
  EXPECT_NE(KeysOf(fresh.Search(2)), keys);
  // A checkpoint is such a file, and vice versa.
  HarlRun resumed(With("checkpoint", path));
  resumed.Search(2);
  EXPECT_NO_THROW(HarlRun(With("model", path)));
  EXPECT_NO_THROW(HarlRun(With("policy", path)));
}

// Weights and scales alone.
Checkpoint PolicyIn(const std::string& file) {
  const Checkpoint checkpoint = ReadHarlCheckpoint(file);
  Checkpoint policy;
  for (const auto& [name, entry] : checkpoint.entries()) {
    const auto has = [&name](const char* part) { return name.find(part) != name.npos; };
    const bool is_moment = has(".first.") || has(".second.");
    if (has(".inputs.") || (!is_moment && (has(".actor.") || has(".critic.")))) {
      policy.Put(name, entry);
    }
  }
  return policy;
}

TEST(HarlTest, NothingIsLearnedFromChance) {
  for (const std::string mode :
       {"mode=faithful,estimate_first=", "mode=improved,estimate_first="}) {
    const std::string taught = FileIn("taught.sgp"), file = FileIn("blind.sgp");
    HarlRun(mode + "true,policy=shared," + With("checkpoint", taught)).Search(2);
    HarlRun run(mode + "false,policy=\"" + taught + "\"," + With("checkpoint", file));
    run.Search(2);
    EXPECT_FALSE(PolicyIn(taught).entries().empty());
    EXPECT_EQ(PolicyIn(file), PolicyIn(taught)) << mode << " after a round";
    run.Search(8);
    EXPECT_NE(PolicyIn(file), PolicyIn(taught)) << mode << " once the model is believed";
  }
}

TEST(HarlTest, AFileOfAnotherSearchIsRefused) {
  const std::string file = FileIn("other.sgp");
  HarlRun(With("checkpoint", file)).Search(2);
  const auto refusal = [](const std::string& options, const std::string& workload) -> std::string {
    try {
      HarlRun(options, {workload});
      return "";
    } catch (const InputError& fault) {
      return fault.what();
    }
  };
  EXPECT_THAT(refusal(With("checkpoint", file), "matmul(m=32,n=64,k=64)"),
              HasSubstr("another tasks"));
  EXPECT_THAT(refusal(With("checkpoint", file) + ",policy=sketch", "matmul(m=64,n=64,k=64)"),
              HasSubstr("another search"));
  EXPECT_THAT(refusal(With("policy", FileIn("none.sgp")), "matmul(m=64,n=64,k=64)"),
              HasSubstr("none.sgp"));
  // The weights alone are valid for another task.
  EXPECT_EQ(refusal(With("policy", file), "matmul(m=32,n=64,k=64)"), "");
  HarlRun trained(With("policy", file)), fresh(kSmall);
  EXPECT_NE(KeysOf(trained.Search(1)), KeysOf(fresh.Search(1)));
}

// Gives the critic the largest weights that a file may hold.
void BlowUpCritic(const std::string& file) {
  const Checkpoint healthy = ReadHarlCheckpoint(file);
  Checkpoint blown;
  for (const auto& [name, entry] : healthy.entries()) {
    Checkpoint::Entry changed = entry;
    auto* floats = std::get_if<Checkpoint::Floats>(&changed);
    if (floats != nullptr && name.find(".critic.") != name.npos) {
      std::ranges::fill(floats->values, std::numeric_limits<float>::max());
    }
    blown.Put(name, std::move(changed));
  }
  WriteCheckpoint(file, blown);
}

TEST(HarlTest, ALossThatIsNotFiniteIsSaidOnceAndTheSearchGoesOn) {
  const std::string file = FileIn("blown.sgp");
  HarlRun healthy(With("checkpoint", file));
  healthy.Search(2);
  EXPECT_THAT(healthy.said(), testing::IsEmpty());
  BlowUpCritic(file);
  HarlRun run(With("policy", file));
  EXPECT_EQ(run.Search(6).size(), 96U) << "three rounds";
  EXPECT_THAT(run.said(), testing::ElementsAre(HasSubstr("a loss was not finite")));
}

TEST(HarlTest, ASpaceWithoutSketchesIsRefused) {
  const SplitSpace space;
  const AgentMaker maker({HarlEntry()}, {});
  const AgentSetup setup = {.agent = ParseSpec("harl").value(),
                            .tasks = {{WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2))}}};
  const SteadyClock clock;
  try {
    maker.Make({.setup = setup, .space = space, .rng = Rng(1), .maker = maker, .clock = clock});
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("split"));
    EXPECT_THAT(fault.what(), HasSubstr("sketches"));
  }
}

TEST(HarlTest, OptionsAreCheckedWithoutTasks) {
  const SplitSpace space;
  const AgentMaker maker({HarlEntry()}, {});
  const SteadyClock clock;
  const AgentSetup good = {.agent = ParseSpec("harl").value()};
  EXPECT_NO_THROW(
      maker.Make({.setup = good, .space = space, .rng = Rng(1), .maker = maker, .clock = clock}));
  const AgentSetup bad = {.agent = ParseSpec("harl(window=0)").value()};
  EXPECT_THROW(
      maker.Make({.setup = bad, .space = space, .rng = Rng(1), .maker = maker, .clock = clock}),
      InputError);
}

}  // namespace
}  // namespace schedulegym
