#include "agents/evolution/metaschedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "env/base/fault.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/grid_space.h"
#include "tests/agents/surface_space.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

std::shared_ptr<const Task> ProductTask() {
  return std::make_shared<const Task>(
      Task{DagOf("input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n"),
           Target{}, "product"});
}

// Number of changes of each kind of knob by mutations.
std::map<KnobKind, int> ChangesOf(const KnobField& field, const StateMutation& mutate,
                                  const FieldPlace& from, int mutations) {
  Rng rng(1);
  const ScheduleState state = field.State(from).value();
  const FieldPlace start = field.PlaceOf(state).value();
  std::map<KnobKind, int> changes;
  for (int i = 0; i < mutations; ++i) {
    const Result<ScheduleState> child = mutate(state, rng);
    if (!child) continue;
    const FieldPlace place = field.PlaceOf(*child).value();
    std::map<KnobKind, int> kinds;
    for (size_t knob = 0; knob < start.point.size(); ++knob) {
      if (place.point[knob] == start.point[knob]) continue;
      kinds[field.knobs(start.sketch).knob(static_cast<int>(knob)).kind] = 1;
    }
    if (kinds.size() == 1) ++changes[kinds.begin()->first];
  }
  return changes;
}

// Published shares are normalised over the kinds in the sketch: tiles, unrolling and parallel loops
// have 0.9, 0.03 and 0.02 over 0.95. The last is indistinguishable where it is no knob.
TEST(MetascheduleMutationTest, KindsAreDrawnByTheirShares) {
  const auto task = ProductTask();
  const auto space = MakeSpace(ParseSpec("ansor").value());
  const KnobField field(*space, task, "agent test");
  Rng rng(3);
  FieldPlace place = field.Draw(rng).value();
  while (!field.HasKind(place.sketch, KnobKind::kUnroll)) place = field.Draw(rng).value();
  const std::vector<MutatorShare> shares = {
      {KnobKind::kTile, 0.6}, {KnobKind::kUnroll, 0.2}, {KnobKind::kVector, 0}};
  auto changes = ChangesOf(field, MutationByKind(field, shares), place, 800);
  EXPECT_EQ(changes[KnobKind::kVector], 0);
  EXPECT_NEAR(static_cast<double>(changes[KnobKind::kTile]) /
                  (changes[KnobKind::kTile] + changes[KnobKind::kUnroll]),
              0.75, 0.08);
}

TEST(MetascheduleMutationTest, WithoutAKindToChangeThereIsNone) {
  const std::shared_ptr<const Task> task = SurfaceTask();
  const SurfaceSpace space(task);
  const KnobField field(space, task, "agent test");
  Rng rng(1);
  const ScheduleState state = field.State({0, {1, 2, 3, 4}}).value();
  EXPECT_FALSE(MutationByKind(field, PublishedMutators())(state, rng));
  EXPECT_TRUE(MutationByKind(field, {{KnobKind::kOther, 1}})(state, rng));
}

TEST(MetascheduleMutationTest, SharesAreTvms) {
  double total = 0;
  for (const MutatorShare& one : PublishedMutators()) total += one.share;
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_EQ(PublishedMutators()[0].share, 0.9);
}

class MetascheduleAgentTest : public testing::Test {
 protected:
  MetascheduleAgentTest() { grid_.has_sketch = true; }

  GridSpace grid_{12};
};

// One place at a time: all 144 are proposed once, and five empty rounds end the search.
TEST_F(MetascheduleAgentTest, EmptyRoundsEndIt) {
  const auto agent = GridAgent("metaschedule(population=200, generations=1, retries=200)", grid_);
  std::set<Key> keys;
  for (int round = 0; round < 12; ++round) {
    std::vector<Trial> trials;
    for (const Proposal& one : agent->Propose(0, 32)) {
      EXPECT_TRUE(keys.insert(one.key).second);
      trials.push_back(TimedTrial(one, AwayFrom({7, 9})(PlaceOf(one.state))));
    }
    agent->Learn(trials);
  }
  EXPECT_EQ(keys.size(), 144u);
  EXPECT_TRUE(agent->Propose(0, 1).empty());
}

TEST_F(MetascheduleAgentTest, BadOptionsAreRefused) {
  for (const char* spec :
       {"metaschedule(population=0)", "metaschedule(tile=2)", "metaschedule(mode=faithful)",
        "metaschedule(cadence=never)", "metaschedule(empty=0)", "metaschedule(trusted=0)",
        "metaschedule(tile=0,location=0,unroll=0,parallel=0)"}) {
    EXPECT_THROW(GridAgent(spec, grid_), InputError) << spec;
  }
  EXPECT_NE(GridAgent("metaschedule(tile=0,location=0,unroll=0)", grid_), nullptr);
  grid_.has_sketch = false;
  EXPECT_THROW(GridAgent("metaschedule", grid_), InputError);
}

}  // namespace
}  // namespace schedulegym
