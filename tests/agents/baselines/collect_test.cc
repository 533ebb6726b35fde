#include "agents/baselines/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "agents/builtin_agents.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/grid_space.h"
#include "tests/agents/timed_record.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

class CollectTest : public testing::Test {
 protected:
  CollectTest() : space_(MakeSpace({"ansor", {}})) {
    setup_.agent = ParseSpec("collect(agent=ansor(population=64,generations=1))").value();
    setup_.space = {"ansor", {}};
    setup_.tasks = {{std::make_shared<const Task>(Task{
        DagOf("input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n"),
        Target{}, "product"})}};
    setup_.budget = Budget{40};
  }

  std::unique_ptr<Agent> Make() {
    return std::make_unique<SingleTaskAgent>(setup_, *space_, Rng(3));
  }

  // Proposes in batches until `trials` or the end; every proposal is reported as measured.
  std::vector<Proposal> Collect(Agent& agent, int trials, int batch) {
    std::vector<Proposal> all;
    while (std::ssize(all) < trials) {
      const std::vector<Proposal> proposals = agent.Propose(0, batch);
      if (proposals.empty()) break;
      std::vector<Trial> told;
      for (const Proposal& proposal : proposals) {
        told.push_back(TimedTrial(proposal, 1e-3 * static_cast<double>(1 + all.size())));
        all.push_back(proposal);
      }
      agent.Learn(told);
    }
    return all;
  }

  // As in a store: measured by an earlier search in a space.
  Trial KnownAs(const Proposal& proposal, const std::string& note,
                const std::string& space = "") const {
    Record record = TimedRecord(proposal.state, 1e-3);
    record.note = note;
    record.space = space.empty() ? space_->Name() : space;
    return TrialOf(proposal.state, std::move(record), TrialStatus::kKnown);
  }

  static std::map<std::string, int> PartsOf(const std::vector<Proposal>& proposals) {
    std::map<std::string, int> parts;
    for (const Proposal& proposal : proposals) ++parts[CollectedPart(proposal.note)];
    return parts;
  }

  std::string Refusal(const std::string& spec) {
    setup_.agent = ParseSpec(spec).value();
    return InputFaultOf([&] { Make(); });
  }

  std::unique_ptr<SearchSpace> space_;
  AgentSetup setup_;
};

TEST_F(CollectTest, DividesTheTrialsAmongItsParts) {
  const auto parts = PartsOf(Collect(*Make(), 40, 7));
  EXPECT_EQ(parts.at("chance"), 20);
  EXPECT_EQ(parts.at("bred"), 10);
  EXPECT_EQ(parts.at("searched"), 10);
}

TEST_F(CollectTest, ProposesNothingTwice) {
  std::set<Key> keys;
  for (const Proposal& proposal : Collect(*Make(), 40, 8)) {
    EXPECT_TRUE(keys.insert(proposal.key).second) << proposal.note;
  }
}

TEST_F(CollectTest, IsDecidedByTheSeed) {
  const auto one = Collect(*Make(), 40, 8), same = Collect(*Make(), 40, 8);
  ASSERT_EQ(one.size(), same.size());
  for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].key, same[i].key);
}

// Results of an earlier collection are not measured again.
TEST_F(CollectTest, GoesOn) {
  const auto first = Collect(*Make(), 20, 8);
  std::set<Key> keys;
  std::vector<Trial> known;
  for (const Proposal& proposal : first) {
    keys.insert(proposal.key);
    known.push_back(KnownTrial(proposal.state, 1e-3));
  }
  const auto agent = Make();
  agent->Learn(known);
  for (const Proposal& proposal : Collect(*agent, 40, 8)) {
    EXPECT_FALSE(keys.contains(proposal.key)) << proposal.note;
  }
}

// After a stop at 60 % the same command ends at the budget, with each part's share.
TEST_F(CollectTest, TheSameCommandTakesWhatIsLeft) {
  const auto first = Collect(*Make(), 24, 4);
  ASSERT_EQ(first.size(), 24u);
  std::vector<Trial> known;
  for (const Proposal& proposal : first) known.push_back(KnownAs(proposal, proposal.note));
  const auto agent = Make();
  agent->Learn(known);
  const auto rest = Collect(*agent, 80, 8);
  EXPECT_EQ(rest.size(), 16u);
  auto parts = PartsOf(first);
  for (const auto& [part, count] : PartsOf(rest)) parts[part] += count;
  EXPECT_EQ(parts, (std::map<std::string, int>{{"chance", 20}, {"bred", 10}, {"searched", 10}}));
}

TEST_F(CollectTest, AWholeCollectionIsNotMeasuredAgain) {
  std::vector<Trial> known;
  for (const Proposal& proposal : Collect(*Make(), 40, 8)) {
    known.push_back(KnownAs(proposal, proposal.note));
  }
  const auto agent = Make();
  agent->Learn(known);
  EXPECT_TRUE(agent->Propose(0, 8).empty());
}

// A larger budget draws the missing schedules of each part.
TEST_F(CollectTest, MoreTrialsExtendEachPart) {
  const auto first = Collect(*Make(), 40, 8);
  std::vector<Trial> known;
  for (const Proposal& proposal : first) known.push_back(KnownAs(proposal, proposal.note));
  setup_.budget = Budget{60};
  const auto agent = Make();
  agent->Learn(known);
  const auto parts = PartsOf(Collect(*agent, 60, 8));
  EXPECT_EQ(parts, (std::map<std::string, int>{{"chance", 10}, {"bred", 5}, {"searched", 5}}));
}

TEST_F(CollectTest, OtherAgentsAndSpacesDoNotCount) {
  std::vector<Trial> known;
  for (const Proposal& proposal : Collect(*Make(), 20, 8)) {
    known.push_back(KnownAs(proposal, ""));
    known.push_back(KnownAs(proposal, proposal.note, "schedulegym"));
  }
  const auto agent = Make();
  agent->Learn(known);
  EXPECT_EQ(Collect(*agent, 40, 8).size(), 40u);
}

TEST_F(CollectTest, RefusesSharesBeyondAll) {
  EXPECT_THAT(Refusal("collect(bred=0.6,searched=0.5)"), HasSubstr("expected at most 1"));
  EXPECT_THAT(Refusal("collect(bred=-1)"), HasSubstr("bred=-1"));
  EXPECT_THAT(Refusal("collect(population=0)"), HasSubstr("population=0"));
}

TEST_F(CollectTest, ReadsItsNotesAlone) {
  EXPECT_EQ(CollectedPart("collect(part=bred)"), "bred");
  EXPECT_EQ(CollectedPart("refine(of=x)"), "");
  EXPECT_EQ(CollectedPart(""), "");
}

}  // namespace
}  // namespace schedulegym
