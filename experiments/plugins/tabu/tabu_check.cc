// The plugin's own test: exits with 1 where something is wrong.
#include <env/program/workloads/task_list.h>
#include <spaces/builtin_spaces.h>

#include <cstdio>
#include <set>

#include "tabu_list.h"
#include "tabu_search.h"

namespace {

using namespace schedulegym;  // NOLINT(google-build-using-namespace)

int wrong = 0;

void Expect(bool is_so, const char* what) {
  if (is_so) return;
  std::printf("wrong: %s\n", what);
  ++wrong;
}

void CheckList() {
  tabu::TabuList list(2);
  const tabu::Decisions first = {"split 4", "unroll 0"}, second = {"split 8", "unroll 0"};
  list.Move(first, second);
  Expect(list.Forbids(second, first), "what was given up is not taken back at once");
  Expect(!list.Forbids(second, {"split 8", "unroll 16"}), "what is new is free");
  Expect(!list.Forbids(second, {"unroll 0"}), "giving up is free");
  list.Move(second, {"split 2", "unroll 0"});
  Expect(list.Forbids(second, first), "two moves later it is still given up");
  list.Move({"unroll 0"}, {"unroll 0"});
  Expect(!list.Forbids(second, first), "after its tenure it is free");
  tabu::TabuList none(0);
  none.Move(first, second);
  Expect(!none.Forbids(second, first), "without a tenure nothing is forbidden");
}

// A search in which each schedule has the speed that `speed` returns.
class Search {
 public:
  explicit Search(const char* agent)
      : setup_{.agent = *ParseSpec(agent), .space = *ParseSpec("ansor")},
        space_(MakeSpace(setup_.space)) {
    setup_.tasks.push_back({LoadTask("matmul(m=64,n=64,k=64)", MakeTarget({"llvm", {}}))});
    agent_ = tabu::MakeTabuAgent(
        {.setup = setup_, .space = *space_, .rng = Rng(1), .maker = maker_, .clock = clock_});
  }

  std::vector<Proposal> Turn(double speed) {
    std::vector<Proposal> proposals = agent_->Propose(0, 16);
    std::vector<Trial> trials;
    for (const Proposal& one : proposals) {
      auto record = std::make_shared<Record>();
      record->measurement.outcome = Outcome::kOk;
      record->measurement.timing = Timing();
      record->measurement.timing->ratio.median = speed;
      trials.push_back({0, one.state, one.key, TrialStatus::kMeasured, record});
    }
    agent_->Learn(trials);
    return proposals;
  }

 private:
  AgentSetup setup_;
  std::unique_ptr<SearchSpace> space_;
  AgentMaker maker_{{}, {}};
  SteadyClock clock_;
  std::unique_ptr<Agent> agent_;
};

void CheckSearch() {
  Search search("tabu(neighbours=4)");
  std::set<Key> seen;
  size_t count = 0;
  for (int turn = 0; turn < 12; ++turn) {
    const std::vector<Proposal> proposals = search.Turn(1.0 / (1 + turn));
    Expect(!proposals.empty() && proposals.size() <= 4, "so many neighbours a move");
    count += proposals.size();
    for (const Proposal& one : proposals) seen.insert(one.key);
  }
  Expect(seen.size() == count, "nothing is proposed twice");
}

void CheckOptions() {
  for (const char* bad : {"tabu(neighbours=0)", "tabu(tenure=-1)", "tabu(tenor=3)"}) {
    try {
      const Search search(bad);
      Expect(false, bad);
    } catch (const InputError&) {
    }
  }
}

}  // namespace

int main() {
  CheckList();
  CheckSearch();
  CheckOptions();
  return wrong == 0 ? 0 : 1;
}
