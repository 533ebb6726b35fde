// Compares an agent in a process of its own with the same agent in this one: rounds of 16 proposals
// and their results. The replay of the proposals' traces is a row of its own.
// usage: host_benchmark [ROUNDS [AGENT [confined]]]; `confined` runs it in the sandbox.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/builtin_agents.h"
#include "assembly/confinement.h"
#include "assembly/processes/hosted_agents.h"
#include "assembly/processes/process_agent.h"
#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/program/workloads/task_list.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

constexpr int kProposals = 16;
constexpr const char* kWorkload = "matmul(m=512,n=512,k=512)";

// The objects that an agent of a search needs.
class Run {
 public:
  Run(const std::string& agent, int rounds)
      : setup_({.agent = RequireSpec("agent", agent),
                .space = RequireSpec("space", "ansor"),
                .budget = Budget{int64_t{kProposals} * rounds, std::nullopt}}),
        space_(MakeSpace(setup_.space)) {
    setup_.tasks.push_back({LoadTask(kWorkload, MakeTarget({"llvm", {}}))});
  }

  const std::shared_ptr<const Task>& task() const { return setup_.tasks[0].task; }

  AgentContext Context() {
    Rng run(setup_.seed);
    return {.setup = setup_,
            .space = *space_,
            .rng = DrawAgentStream(1, run),
            .maker = maker_,
            .clock = clock_,
            .stop = {}};
  }

 private:
  AgentSetup setup_;
  std::unique_ptr<SearchSpace> space_;
  AgentMaker maker_{BuiltinAgents()};
  SteadyClock clock_;
};

// As a search makes it of a measurement.
Trial TrialOf(const Proposal& proposal, double seconds) {
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.timing = Timing{.seconds = seconds, .ratio = {1 / seconds, 1 / seconds, 1 / seconds}};
  const RecordOrigin origin{.task = DescribeTask(proposal.state.task())};
  Record record = MakeRecord(origin, proposal.state, proposal.key, std::move(measurement));
  return {0, proposal.state, proposal.key, TrialStatus::kMeasured,
          std::make_shared<const Record>(std::move(record))};
}

// Seconds of a round: proposals, then their results.
double RoundOf(Agent& agent, std::vector<Proposal>& proposals) {
  const SteadyClock clock;
  const double begin = clock.Now();
  proposals = agent.Propose(0, kProposals);
  const double proposed = clock.Now() - begin;
  std::vector<Trial> trials;
  for (size_t i = 0; i < proposals.size(); ++i) {
    trials.push_back(TrialOf(proposals[i], 1 + static_cast<double>(i)));
  }
  const double told = clock.Now();
  agent.Learn(trials);
  return proposed + clock.Now() - told;
}

double ReplayOf(const std::shared_ptr<const Task>& task, const std::vector<Proposal>& proposals) {
  std::vector<std::string> traces;
  for (const Proposal& one : proposals) traces.push_back(one.state.TraceText());
  const SteadyClock clock;
  const double begin = clock.Now();
  for (const std::string& trace : traces) {
    if (!ReplayText(task, trace)) throw MachineError("a trace that cannot be replayed");
  }
  return clock.Now() - begin;
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

ConfinedProcess StartHost(bool is_confined) {
  if (is_confined) return StartConfinedHost({"the agent", true}, Confinement());
  return {{"the agent", true}, StartAgentHost()};
}

void Compare(const std::string& agent, int rounds, bool is_confined) {
  Run run(agent, rounds);
  const auto here = AgentMaker(BuiltinAgents()).Make(run.Context());
  ConfinedProcess host = StartHost(is_confined);
  const auto there = MakeProcessAgent(std::move(host.side), std::move(host.process), run.Context());
  std::vector<double> at_home, abroad, replays, more;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Proposal> proposals;
    abroad.push_back(RoundOf(*there, proposals));
    replays.push_back(ReplayOf(run.task(), proposals));
    at_home.push_back(RoundOf(*here, proposals));
    more.push_back(abroad.back() - replays.back() - at_home.back());
    if (proposals.empty()) throw MachineError("agent " + agent + " proposes nothing any more");
  }
  std::printf("%s, %s, %d rounds of %d proposals, medians in ms\n", agent.c_str(), kWorkload,
              rounds, kProposals);
  std::printf(
      "here %.3f, in a %sprocess of its own %.3f, of which replay %.3f; more, replay apart: %.3f\n",
      Median(at_home) * 1e3, is_confined ? "confined " : "", Median(abroad) * 1e3,
      Median(replays) * 1e3, Median(more) * 1e3);
}

int Main(int argc, char** argv) {
  const std::optional<int64_t> rounds = argc > 1 ? ParseInteger(argv[1]) : 50;
  const bool is_confined = argc == 4 && std::string(argv[3]) == "confined";
  if (argc > (is_confined ? 4 : 3) || !rounds || *rounds < 1 || *rounds > 100'000) {
    std::fprintf(stderr, "usage: host_benchmark [ROUNDS [AGENT [confined]]], at least a round\n");
    return 2;
  }
  try {
    Compare(argc > 2 ? argv[2] : "random", static_cast<int>(*rounds), is_confined);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "error: %s\n", fault.what());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) { return schedulegym::Main(argc, argv); }
