#include "agents/learned/harl/checkpointed_agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "env/base/fault.h"
#include "env/base/rng.h"
#include "tests/agents/learned/harl/harl_run.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kBatch = 16;

// Measured records of a search, which the next one learns from by replaying their traces.
class Store {
 public:
  void Add(int task, const ScheduleState& state) {
    traces_.push_back({task, state.TraceText()});
    keys_.push_back(StateKey(state));
  }
  std::vector<Trial> Known(const HarlRun& run, int task) const {
    std::vector<Trial> known;
    for (size_t i = 0; i < traces_.size(); ++i) {
      if (traces_[i].first != task) continue;
      const ScheduleState state = ReplayText(run.task(task), traces_[i].second).value();
      Record record = TimedRecord(state, HarlRun::SecondsOf(state));
      record.started = static_cast<double>(i);
      known.push_back(TrialOf(state, std::move(record), TrialStatus::kKnown, task));
    }
    return known;
  }
  int size() const { return static_cast<int>(keys_.size()); }
  const std::vector<Key>& keys() const { return keys_; }

 private:
  std::vector<std::pair<int, std::string>> traces_;
  std::vector<Key> keys_;
};

// A search of several tasks in turn, a batch each, which may be interrupted.
class Search {
 public:
  Search(const std::string& options, std::vector<std::string> workloads)
      : options_(options), workloads_(std::move(workloads)) {}

  // Runs until `trials` are stored. It ends as by Ctrl-C, or as by a kill: then the file keeps its
  // state from before the end.
  void Run(Store& store, int trials, const std::string& file, bool is_killed) const {
    HarlRun run(options_, workloads_);
    for (int task = 0; task < tasks(); ++task) run.agent().Learn(store.Known(run, task));
    while (store.size() < trials) {
      const int task = store.size() / kBatch % tasks();
      std::vector<Trial> told;
      for (const Proposal& proposal : run.agent().Propose(task, kBatch)) {
        const bool is_over = store.size() == trials;
        if (!is_over) store.Add(task, proposal.state);
        told.push_back(TimedTrial(proposal, HarlRun::SecondsOf(proposal.state), task));
        if (is_over)
          told.back() = {task, proposal.state, proposal.key, TrialStatus::kNotReached, nullptr};
      }
      ASSERT_FALSE(told.empty());
      const bool dies_untold = is_killed && store.size() == trials;
      if (!dies_untold) run.agent().Learn(told);
    }
    const std::string living = file + ".living";
    if (is_killed && std::filesystem::exists(file)) std::filesystem::copy_file(file, living);
    run.End();
    if (!is_killed) return;
    std::filesystem::remove(file);
    if (std::filesystem::exists(living)) std::filesystem::rename(living, file);
  }

  int tasks() const { return static_cast<int>(workloads_.size()); }

 private:
  std::string options_;
  std::vector<std::string> workloads_;
};

// Set SCHEDULEGYM_KILLS=25 for the long form.
int Kills() {
  const char* kills = std::getenv("SCHEDULEGYM_KILLS");
  return kills != nullptr ? std::atoi(kills) : 4;
}

void ExpectEqualAfterKills(const std::string& options, const std::vector<std::string>& workloads) {
  constexpr int kTrials = 14 * kBatch;
  const std::string file = FileIn("kept.sgp");
  const Search search(With("checkpoint", file) + options, workloads);
  Store undisturbed, stored;
  search.Run(undisturbed, kTrials, file, /*is_killed=*/false);
  Rng rng(7);
  std::filesystem::remove(file);
  const int kills = Kills();
  for (int kill = 0; kill < kills; ++kill) {
    const int left = kTrials - kills - stored.size() + kill;
    const int64_t most = std::max(1, 2 * left / (kills - kill));
    const int next = stored.size() + 1 + static_cast<int>(rng.Below(most));
    search.Run(stored, std::min(next, kTrials), file, /*is_killed=*/kill % 3 != 2);
    const std::vector<Key> begun(undisturbed.keys().begin(),
                                 undisturbed.keys().begin() + stored.size());
    ASSERT_EQ(stored.keys(), begun) << "after " << kill + 1 << " ends";
  }
  search.Run(stored, kTrials, file, /*is_killed=*/false);
  EXPECT_EQ(stored.keys(), undisturbed.keys());
}

TEST(CheckpointedAgentTest, CutOffAnywhereItProposesWhatItWouldHave) {
  ExpectEqualAfterKills("", {"matmul(m=64,n=64,k=64)"});
}

TEST(CheckpointedAgentTest, OfSeveralTasksTooWhateverRoundsAreOpen) {
  ExpectEqualAfterKills(",estimate_first=false",
                        {"matmul(m=64,n=64,k=64)", "matmul(m=32,n=64,k=128)"});
}

TEST(CheckpointedAgentTest, TheFileMayBeOlderThanSeveralRounds) {
  ExpectEqualAfterKills(",checkpoint_every=3", {"matmul(m=64,n=64,k=64)"});
}

// The checkpoint is written at the end, even with pending work.
TEST(CheckpointedAgentTest, AtTheEndAllIsKept) {
  const std::string file = FileIn("end.sgp");
  const Search search(With("checkpoint", file), {"matmul(m=64,n=64,k=64)"});
  Store store;
  search.Run(store, 3 * kBatch, file, /*is_killed=*/false);
  const Checkpoint checkpoint = ReadHarlCheckpoint(file);
  EXPECT_TRUE(checkpoint.Has("task.0.round")) << "one and a half rounds";
  EXPECT_EQ(std::ssize(checkpoint.WordsOf("told")), 3 * 3 * kBatch);
}

TEST(CheckpointedAgentTest, WhatOthersMeasuredIsHeardOf) {
  const std::string file = FileIn("others.sgp");
  const Search search(With("checkpoint", file), {"matmul(m=64,n=64,k=64)"});
  const Search other(std::string("moves=uniform,visits=480,round=16,hidden=16,") + "stop=false",
                     {"matmul(m=64,n=64,k=64)"});
  Store store, others;
  search.Run(store, 2 * kBatch, file, /*is_killed=*/false);
  other.Run(others, kBatch, file, /*is_killed=*/false);
  HarlRun run(With("checkpoint", file));
  run.agent().Learn(store.Known(run, 0));
  run.agent().Learn(others.Known(run, 0));
  const std::vector<Proposal> next = run.agent().Propose(0, kBatch);
  EXPECT_EQ(std::ssize(next), kBatch);
  for (const Proposal& proposal : next) {
    EXPECT_EQ(std::ranges::count(others.keys(), proposal.key), 0) << "it is known";
  }
  run.agent().Learn({});
  EXPECT_EQ(std::ssize(run.agent().Propose(0, kBatch)), kBatch);
  EXPECT_THAT(run.said(), IsEmpty());
}

TEST(CheckpointedAgentTest, WithoutItsRecordsItGoesOnByTheRest) {
  const std::string file = FileIn("bare.sgp");
  const Search search(With("checkpoint", file), {"matmul(m=64,n=64,k=64)"});
  Store store;
  search.Run(store, 4 * kBatch, file, /*is_killed=*/false);
  HarlRun run(With("checkpoint", file)), fresh(With("checkpoint", FileIn("none.sgp")));
  const std::vector<Proposal> rest = run.Search(2);
  ASSERT_EQ(std::ssize(rest), 2 * kBatch);
  EXPECT_NE(rest[0].key, fresh.Search(2)[0].key) << "nor does it begin anew";
  EXPECT_THAT(run.said(), ElementsAre("agent harl: not all that '" + file +
                                      "' was told is known: trees learn anew"));
}

// Replaces one entry of the file.
void Change(const std::string& file, const std::string& name, const Checkpoint::Entry& entry) {
  const HarlSaved saved = ReadHarlFile(file);
  HarlSaved changed = {{}, saved.trees};
  for (const auto& [other, value] : saved.checkpoint.entries()) {
    changed.checkpoint.Put(other, other == name ? entry : value);
  }
  WriteHarlFile(file, changed);
}

TEST(CheckpointedAgentTest, ASecondSearchOfTheFileIsRefusedByEachOfItsNames) {
  const std::string file = FileIn("two.sgp"), link = FileIn("link.sgp");
  std::filesystem::remove(file);
  std::filesystem::remove(link);
  std::filesystem::create_symlink(file, link);
  const auto refusal = [&](const std::string& name) -> std::string {
    return InputFaultOf([&] { HarlRun run(With("checkpoint", name)); });
  };
  {
    const HarlRun first(With("checkpoint", link));
    for (const std::string& name : {file, link}) {
      EXPECT_THAT(refusal(name),
                  HasSubstr("checkpoint '" + file + "' is being written by process"));
    }
  }
  EXPECT_EQ(refusal(file), "");
}

TEST(CheckpointedAgentTest, WhatIsNoStateOfASearchIsRefusedInOneLine) {
  const std::string file = FileIn("bad.sgp"), good = FileIn("good.sgp");
  const Search search(With("checkpoint", good), {"matmul(m=64,n=64,k=64)"});
  Store store;
  search.Run(store, 5 * kBatch, good, /*is_killed=*/false);
  const Checkpoint::Words odd = {{2}, {1, 2}};
  const std::pair<const char*, Checkpoint::Entry> changes[] = {
      {"told", odd},
      {"task.0.round", odd},
      {"task.0.round.states", std::string("no parts")},
      {"task.0.round.states", std::string("part 5 9 note\ntrace\n")},
      {"trees.samples", odd}};
  for (const auto& [name, entry] : changes) {
    std::filesystem::copy_file(good, file, std::filesystem::copy_options::overwrite_existing);
    Change(file, name, entry);
    try {
      HarlRun run(With("checkpoint", file));
      FAIL() << name;
    } catch (const InputError& fault) {
      EXPECT_THAT(fault.what(), HasSubstr(std::string(name).substr(0, 12)));
    }
  }
}

}  // namespace
}  // namespace schedulegym
