// Seconds of an agent's search for each trial: 200 trials of the twelve operators of HARL's
// figures, 16 proposals at once, in the space `ansor` on two cores, with the analytical estimate in
// place of the machine. Prints wall milliseconds for each operator and their median. Agents in
// processes of their own include their messages.
// usage: thinking_benchmark AGENT [WORKLOAD...]
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assembly/catalog.h"
#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/features/analytical_cost.h"
#include "env/measure/record.h"
#include "env/program/workloads/task_list.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

constexpr int kTrials = 200, kProposals = 16;

constexpr const char* kOperators[] = {
    "matmul(m=128,n=128,k=128)",
    "matmul(m=512,n=32,k=512)",
    "matmul(m=512,n=512,k=512)",
    "conv1d(l=256,ci=64,co=128,k=3,s=2,p=1)",
    "conv1d(l=64,ci=256,co=256,k=5,s=1,p=2)",
    "conv2d(h=224,w=224,ci=3,co=64,k=7,s=2,p=3)",
    "conv2d(h=56,w=56,ci=64,co=64,k=1,s=1,p=0)",
    "conv2d(h=14,w=14,ci=256,co=256,k=3,s=1,p=1)",
    "conv2d(h=7,w=7,ci=512,co=512,k=3,s=1,p=1)",
    "conv3d(d=16,h=56,w=56,ci=64,co=64,k=1,s=1,p=0)",
    "conv2d_transpose(h=4,w=4,ci=512,co=256,k=4,s=2,p=1)",
    "depthwise(h=7,w=7,c=1024,k=3,s=1,p=1)",
};

Trial TrialOf(const Proposal& proposal) {
  const double seconds = EstimateCost(proposal.state).Seconds();
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.timing = Timing{.seconds = seconds, .ratio = {1 / seconds, 1 / seconds, 1 / seconds}};
  const RecordOrigin origin{.task = DescribeTask(proposal.state.task())};
  Record record = MakeRecord(origin, proposal.state, proposal.key, std::move(measurement));
  return {0, proposal.state, proposal.key, TrialStatus::kMeasured,
          std::make_shared<const Record>(std::move(record))};
}

// Milliseconds of Propose and Learn for each trial; 0 where the agent proposes nothing.
double ThinkingOf(const Spec& agent, const std::string& workload) {
  const std::shared_ptr<const AgentMaker> maker = AgentsOf(BuiltinCatalog());
  const Spec target = RequireSpec("target", "llvm(cores=2)");
  AgentSetup setup = {.agent = agent,
                      .space = RequireSpec("space", "ansor"),
                      .tasks = {{LoadTask(workload, MakeTarget(target))}},
                      .budget = Budget{kTrials, std::nullopt}};
  const auto space = MakeSpace(setup.space);
  const SteadyClock clock;
  Rng run(setup.seed);
  const auto searcher = maker->Make({setup, *space, DrawAgentStream(1, run), *maker, clock});
  double seconds = 0;
  int done = 0;
  while (done < kTrials) {
    const double asked = clock.Now();
    const std::vector<Proposal> proposals =
        searcher->Propose(0, std::min(kProposals, kTrials - done));
    seconds += clock.Now() - asked;
    if (proposals.empty()) break;
    std::vector<Trial> trials;
    for (const Proposal& one : proposals) trials.push_back(TrialOf(one));
    done += static_cast<int>(trials.size());
    const double told = clock.Now();
    searcher->Learn(trials);
    seconds += clock.Now() - told;
  }
  return done > 0 ? 1e3 * seconds / done : 0;
}

int Main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: thinking_benchmark AGENT [WORKLOAD...]\n");
    return 2;
  }
  std::vector<std::string> workloads(argv + 2, argv + argc);
  if (workloads.empty()) workloads.assign(std::begin(kOperators), std::end(kOperators));
  try {
    const Spec agent = RequireSpec("agent", argv[1]);
    std::vector<double> all;
    for (const std::string& workload : workloads) {
      all.push_back(ThinkingOf(agent, workload));
      std::printf("%8.2f ms  %s\n", all.back(), workload.c_str());
      std::fflush(stdout);
    }
    std::ranges::sort(all);
    const size_t half = all.size() / 2;
    const double median = all.size() % 2 == 1 ? all[half] : (all[half - 1] + all[half]) / 2;
    std::printf("%8.2f ms  median, for each measured trial of %s\n", median, argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) { return schedulegym::Main(argc, argv); }
