#include "assembly/process_agent.h"

#include <poll.h>

#include <utility>
#include <vector>

#include "backends/runner/process/frame_channel.h"
#include "backends/runner/process/refusal.h"
#include "backends/runner/wire/agent_messages.h"
#include "backends/runner/wire/encoding.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/json_lines.h"

namespace schedulegym {
namespace {

// How long nobody looks whether the search was interrupted.
constexpr int kSliceMilliseconds = 20;
// Of an agent that thinks, and does not hang.
constexpr double kLongestSeconds = 600;
// Of a library that is opened.
constexpr double kOpeningSeconds = 30;

AgentSetupText TextOfSetup(const AgentSetup& setup) {
  AgentSetupText text;
  text.agent = setup.agent.ToText();
  text.space = setup.space.ToText();
  for (const SearchTask& task : setup.tasks) {
    text.tasks.push_back({TextOf(*task.task), task.weight});
  }
  if (setup.budget) {
    text.trials = setup.budget->trials;
    text.seconds = setup.budget->seconds;
  }
  text.seed = setup.seed;
  return text;
}

std::string LastLine(const std::string& text) {
  const std::vector<std::string> lines = SplitLines(text);
  return lines.size() < 2 ? text : lines.back();
}

// One question at a time.
class AgentLink {
 public:
  AgentLink(AgentSide side, std::unique_ptr<WorkerProcess> process, const Clock& clock,
            StopToken stop)
      : side_(std::move(side)),
        process_(std::move(process)),
        channel_(process_->TakeSocket()),
        clock_(clock),
        stop_(stop) {}

  template <typename Reply = AgentReply, typename Request>
  Reply Ask(AgentMessage type, const Request& request, double patience = kLongestSeconds) {
    channel_.Send({static_cast<uint16_t>(type), ++asked_, Encode(request)});
    const std::optional<Frame> frame = Await(patience);
    if (!frame) Fail(side_.name + " ended: " + LastLine(process_->Epitaph()));
    if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
    Result<Reply> reply = Decode<Reply>(frame->payload);
    if (!reply) Fail(side_.name + ": " + reply.error().message);
    return *std::move(reply);
  }

  // What the last of the plugins adds.
  AgentLines OpenPlugins() {
    AgentLines added;
    for (const std::string& file : side_.plugins) {
      added = Ask<AgentLines>(AgentMessage::kPlugin, PluginFile{file}, kOpeningSeconds);
    }
    return added;
  }

  [[noreturn]] void Fail(const std::string& message) const {
    if (side_.is_ours) throw MachineError(message);
    throw InputError(message);
  }
  const std::string& name() const { return side_.name; }

 private:
  std::optional<Frame> Await(double patience) {
    const double begin = clock_.Now();
    while (true) {
      std::optional<Frame> frame = channel_.Poll();
      if (frame || channel_.is_closed()) return frame;
      if (stop_.IsSet()) GiveUp();
      if (clock_.Now() - begin > patience) Abandon(patience);
      pollfd socket = {channel_.descriptor(), POLLIN, 0};
      poll(&socket, 1, kSliceMilliseconds);
    }
  }

  // It is busy, and would not hear that its socket is closed.
  [[noreturn]] void GiveUp() {
    process_->Kill();
    throw Interrupted();
  }

  [[noreturn]] void Abandon(double patience) {
    process_->Kill();
    Fail(side_.name + " said nothing for " + FormatDouble(patience) + " seconds");
  }

  AgentSide side_;
  std::unique_ptr<WorkerProcess> process_;
  FrameChannel channel_;
  const Clock& clock_;
  StopToken stop_;
  uint64_t asked_ = 0;
};

class ProcessAgent : public Agent {
 public:
  ProcessAgent(AgentSide side, std::unique_ptr<WorkerProcess> process, const AgentContext& context)
      : tasks_(context.setup.tasks),
        link_(std::move(side), std::move(process), context.clock, context.stop) {
    if (tasks_.empty()) return;
    link_.OpenPlugins();
    link_.Ask(AgentMessage::kSetup, TextOfSetup(context.setup));
  }

  std::vector<Proposal> Propose(int task, int count) override {
    const AgentReply reply = link_.Ask(AgentMessage::kPropose, AgentRequest{task, count});
    std::vector<Proposal> proposals;
    for (const AgentProposal& one : reply.proposals) {
      Result<ScheduleState> state = ReplayText(tasks_[task].task, one.trace);
      if (!state) link_.Fail(link_.name() + ": " + state.error().message);
      proposals.push_back(ProposalOf(*std::move(state)));
      proposals.back().note = one.note;
    }
    if (std::ssize(proposals) <= count) return proposals;
    link_.Fail(link_.name() + ": found too many schedules");
  }

  void Learn(std::span<const Trial> trials) override {
    AgentLesson lesson;
    for (const Trial& trial : trials) {
      lesson.trials.push_back({trial.task, trial.state.TraceText(), trial.key.ToText(),
                               ToldName(trial.told), trial.record ? ToLine(*trial.record) : ""});
    }
    link_.Ask(AgentMessage::kLearn, lesson);
  }

 private:
  std::vector<SearchTask> tasks_;
  AgentLink link_;
};

}  // namespace

std::unique_ptr<Agent> MakeProcessAgent(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                        const AgentContext& context) {
  return std::make_unique<ProcessAgent>(std::move(side), std::move(process), context);
}

std::vector<CatalogLine> LinesOfPlugin(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                       const Clock& clock) {
  AgentLink link(std::move(side), std::move(process), clock, {});
  std::vector<CatalogLine> lines;
  for (AgentLine& line : link.OpenPlugins().agents) {
    lines.push_back(
        {std::move(line.name), std::move(line.parameters), std::move(line.description)});
  }
  return lines;
}

}  // namespace schedulegym
