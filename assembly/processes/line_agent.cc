// An agent in any language that speaks lines of JSON on its stdin and stdout (setup, propose,
// learn). Refused proposals are sent back at once, with a new request, until one is
// taken, it has none, or 1000 in a row were refused. Learn sends the trials of each task with the
// proposals they came from. A line longer than the limit, or one that is no answer, ends the agent
// with the reason.
#include "assembly/processes/line_agent.h"

#include <string>
#include <utility>
#include <vector>

#include "agents/agent_maker.h"
#include "assembly/processes/agent_process.h"
#include "assembly/processes/command_arguments.h"
#include "assembly/processes/offered_schedules.h"
#include "env/base/fault.h"
#include "env/ipc/line_channel.h"

namespace schedulegym {
namespace {

// Limit of refused offers in a row.
constexpr int64_t kMostRefused = 1000;

// With a random stream of its own, as hosted agents have, as an integer that every language has.
AgentSetup SetupFor(const AgentContext& context) {
  AgentSetup setup = context.setup;
  setup.seed = Rng(context.rng).Next() >> 11;
  return setup;
}

// The number of schedules in these offers.
int64_t Asked(std::span<const Offer> offers) {
  int64_t asked = 0;
  for (const Offer& offer : offers) {
    const auto* sample = std::get_if<SampleOffer>(&offer.what);
    asked += sample != nullptr ? sample->count : 1;
  }
  return asked;
}

class LineAgent : public Agent {
 public:
  LineAgent(AgentSide side, std::unique_ptr<WorkerProcess> process, const AgentContext& context)
      : peer_(PeerOf(std::move(side), std::move(process), context)),
        channel_(peer_.process().TakePipes()) {
    std::vector<std::vector<Sketch>> sketches;
    std::vector<Rng> streams = TaskStreams(context);
    for (size_t i = 0; i < streams.size(); ++i) {
      searches_.push_back(
          std::make_unique<OfferedSchedules>(context, static_cast<int>(i), streams[i]));
      sketches.push_back(searches_.back()->sketches());
    }
    Ask(SetupLine(++asked_, SetupFor(context), sketches), /*has_proposals=*/false,
        {peer_.side().loading});
  }

  std::vector<Proposal> Propose(int task, int count) override {
    peer_.BeginRun();
    OfferedSchedules& search = *searches_[static_cast<size_t>(task)];
    for (int64_t refused = 0;;) {
      const std::vector<Offer> offers =
          Ask(ProposeLine(++asked_, task, count), /*has_proposals=*/true);
      CheckCount(Asked(offers), count);
      std::vector<Proposal> proposals = search.Take(offers);
      if (offers.empty() || !proposals.empty() || search.is_exhausted()) return proposals;
      refused += std::ssize(offers);
      if (refused >= kMostRefused) {
        peer_.Fail(": " + std::to_string(refused) +
                   " proposals in a row were refused, the last: " + search.LastRefusal());
      }
      std::vector<LineTrial> told;
      search.Tell({}, told);
      Teach(told);
    }
  }

  void Learn(std::span<const Trial> trials) override {
    if (peer_.is_given_up()) return;
    peer_.BeginRun();
    std::vector<LineTrial> told;
    while (!trials.empty()) {
      const int task = trials.front().task;
      size_t some = 1;
      while (some < trials.size() && trials[some].task == task) ++some;
      searches_[static_cast<size_t>(task)]->Tell(trials.first(some), told);
      trials = trials.subspan(some);
    }
    if (!told.empty()) Teach(told);
  }

 private:
  std::vector<Offer> Ask(const std::string& line, bool has_proposals,
                         const Patience& patience = {}) {
    peer_.Wake();
    channel_.Send(line);
    const std::optional<std::string> answer = peer_.Await(channel_, patience);
    if (!answer && channel_.is_too_long()) {
      peer_.Fail(": found a line of more than " + std::to_string(LineChannel::kMostBytes) +
                 " bytes");
    }
    if (!answer) peer_.FailEnded();
    Result<std::vector<Offer>> offers = ParseAnswer(*answer, asked_, has_proposals);
    if (!offers) peer_.Fail(": " + offers.error().message);
    return *std::move(offers);
  }

  void Teach(std::span<const LineTrial> told) {
    Ask(LearnLine(++asked_, told), /*has_proposals=*/false);
  }

  void CheckCount(int64_t asked, int count) const {
    if (asked <= count) return;
    peer_.Fail(": proposals: found " + std::to_string(asked) + " schedules, expected at most " +
               std::to_string(count));
  }

  AgentProcess peer_;
  LineChannel channel_;
  std::vector<std::unique_ptr<OfferedSchedules>> searches_;  // by task
  int64_t asked_ = 0;
};

// Where only the specs are to be checked.
class NoAgent : public Agent {
 public:
  std::vector<Proposal> Propose(int, int) override { return {}; }
};

}  // namespace

std::string CommandOf(const Spec& agent) {
  SpecReader reader(agent, "agent");
  std::string command = reader.Word("command", "");
  if (!command.empty()) return command;
  throw InputError(
      "agent 'process': key 'command' is missing, expected process(command=\"...\", ...)");
}

std::unique_ptr<Agent> MakeLineAgent(const AgentContext& context) {
  const std::string command = CommandOf(context.setup.agent);
  if (context.setup.tasks.empty()) return std::make_unique<NoAgent>();
  return MakeStartedLineAgent(
      {"agent '" + command + "'"},
      std::make_unique<WorkerProcess>(ShellCommand{ReplacingShell(command)}), context);
}

std::unique_ptr<Agent> MakeStartedLineAgent(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                            const AgentContext& context) {
  return std::make_unique<LineAgent>(std::move(side), std::move(process), context);
}

}  // namespace schedulegym
