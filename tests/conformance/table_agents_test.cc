// Every agent searches a recorded table, whose grid or tree is a sketch like any other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "agents/builtin_agents.h"
#include "env/base/fault.h"
#include "env/gym/tables/table_space.h"
#include "tests/agents/timed_record.h"
#include "tests/conformance/agent_cases.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr const char* kMatmul =
    "input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n";

// For a grid: one more for each step from its last point, which is the fastest. The made results
// have their fastest at the origin.
double SecondsOf(const RecordedStates& states, int64_t row) {
  const KnobRows* rows = states.table().knobs();
  double seconds = 1;
  for (size_t i = 0; rows != nullptr && i < rows->knobs.size(); ++i) {
    seconds += std::abs(rows->points[row][i] - rows->points.back()[i]);
  }
  return seconds;
}

struct TableSearch {
  std::vector<int64_t> rows;  // proposed, in order
  int others = 0;             // proposals that the table does not record
};

// Proposes at most as many schedules as there are rows.
TableSearch Search(const std::string& agent, const std::shared_ptr<const RecordedStates>& states) {
  const auto& task = states->table().task();
  const auto space = MakeTableSearchSpace({states});
  SingleTaskAgent searcher(ParseSpec(agent).value(), *space, {task}, Rng(1), {}, OtherAgents());
  TableSearch search;
  for (size_t asked = 0; asked < states->rows().size(); asked += 8) {
    std::vector<Trial> trials;
    for (const Proposal& one : searcher.Propose(0, 8)) {
      const std::optional<int64_t> row = states->Find(one.state);
      search.others += !row;
      if (row) search.rows.push_back(*row);
      trials.push_back(
          TimedTrial(one, row ? std::optional(SecondsOf(*states, *row)) : std::nullopt));
    }
    searcher.Learn(trials);
  }
  return search;
}

class TableAgentsTest : public testing::Test {
 protected:
  std::shared_ptr<const Task> task_ = TaskOf(kMatmul);
  std::vector<std::shared_ptr<const RecordedStates>> tables_ = {
      std::make_shared<const RecordedStates>(MadeGrid(task_, 80)),
      std::make_shared<const RecordedStates>(MadeTree(task_, 80))};
};

TEST_F(TableAgentsTest, EveryAgentProposesWhatIsRecorded) {
  for (const std::string& name : AgentNames()) {
    for (const auto& states : tables_) {
      const TableSearch search = Search(name, states);
      EXPECT_GT(search.rows.size(), 0u) << name;
      // A refinement continues to values outside of any table.
      if (name == "dpansor") continue;
      EXPECT_EQ(search.others, 0) << name;
    }
  }
}

// A grid of blocks and threads. An agent with trees for CPUs, such as `es`, is rejected with an
// error.
TEST_F(TableAgentsTest, EveryAgentSearchesTablesOfGpus) {
  for (const char* target : {"cuda(card=a100)", "opencl"}) {
    const auto task = std::make_shared<const Task>(
        Task{task_->dag, MakeTarget(ParseSpec(target).value()), "matmul"});
    const auto states = std::make_shared<const RecordedStates>(MadeGrid(task, 80));
    for (const std::string& name : AgentNames()) {
      try {
        const TableSearch search = Search(name, states);
        EXPECT_GT(search.rows.size(), 0u) << name << " on " << target;
        EXPECT_TRUE(name == "dpansor" || search.others == 0) << name << " on " << target;
      } catch (const InputError& fault) {
        EXPECT_TRUE(std::set<std::string>({"es", "oneshot", "value"}).contains(name)) << name;
        EXPECT_THAT(fault.what(), testing::HasSubstr("expected that of a processor"));
      }
    }
  }
}

// No proposal is repeated; the search descends to the fastest.
TEST_F(TableAgentsTest, DropletDescendsOnTheGrid) {
  for (const char* agent : {"droplet(p=1)", "droplet(mode=faithful,p=1)"}) {
    const auto& states = tables_[0];
    const std::vector<int64_t> rows = Search(agent, states).rows;
    const std::set<int64_t> distinct(rows.begin(), rows.end());
    EXPECT_EQ(distinct.size(), rows.size());
    ASSERT_GT(rows.size(), 3u);
    double best = SecondsOf(*states, rows[0]);
    ASSERT_GT(best, 1);
    for (int64_t row : rows) best = std::min(best, SecondsOf(*states, row));
    EXPECT_EQ(best, 1);
  }
}

TEST_F(TableAgentsTest, DropletBeginsAtTheOrigin) {
  for (const auto& states : tables_) {
    const auto space = MakeTableSearchSpace({states});
    const std::vector<int64_t> rows = Search("droplet", states).rows;
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows[0], states->Find(space->Sketches(task_)[0].state));
  }
}

}  // namespace
}  // namespace schedulegym
