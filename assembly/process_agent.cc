#include "assembly/process_agent.h"

#include <poll.h>

#include <optional>
#include <utility>
#include <vector>

#include "assembly/remote_memory.h"
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
// Until one that is told to stop thinking has stopped; nobody waits longer for the end of a search.
constexpr double kStoppingSeconds = 0.25;

// Of one question.
struct Patience {
  double seconds = kLongestSeconds;
  bool heeds_stop = true;  // ends with the search
};
constexpr Patience kSaving = {60, /*heeds_stop=*/false};

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
  Reply Ask(AgentMessage type, const Request& request, const Patience& patience = {}) {
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
      added = Ask<AgentLines>(AgentMessage::kPlugin, PluginFile{file}, {kOpeningSeconds});
    }
    return added;
  }

  [[noreturn]] void Fail(const std::string& message) const {
    if (side_.is_ours) throw MachineError(message);
    throw InputError(message);
  }
  const std::string& name() const { return side_.name; }
  // Whether it was ended with the search.
  bool is_gone() const { return is_gone_; }

 private:
  std::optional<Frame> Await(const Patience& patience) {
    const double begin = clock_.Now();
    while (true) {
      std::optional<Frame> frame = channel_.Poll();
      if (frame || channel_.is_closed()) return frame;
      if (patience.heeds_stop && stop_.IsSet()) GiveUp();
      if (clock_.Now() - begin > patience.seconds) Abandon(patience.seconds);
      WaitForBytes();
    }
  }

  void WaitForBytes() const {
    pollfd socket = {channel_.descriptor(), POLLIN, 0};
    poll(&socket, 1, kSliceMilliseconds);
  }

  // It is busy, and would not hear that its socket is closed. One that stops thinking where it is
  // told to still has what it learned.
  [[noreturn]] void GiveUp() {
    process_->Signal(kStopSignal);
    const double begin = clock_.Now();
    bool answers = channel_.Poll().has_value();
    while (!answers && !channel_.is_closed() && clock_.Now() - begin < kStoppingSeconds) {
      WaitForBytes();
      answers = channel_.Poll().has_value();
    }
    if (!answers) {
      process_->Kill();
      is_gone_ = true;
    }
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
  bool is_gone_ = false;
};

class ProcessAgent : public Agent {
 public:
  ProcessAgent(AgentSide side, std::unique_ptr<WorkerProcess> process, const AgentContext& context)
      : tasks_(context.setup.tasks),
        link_(std::move(side), std::move(process), context.clock, context.stop) {
    if (tasks_.empty()) return;
    link_.OpenPlugins();
    const AgentReply begun = link_.Ask(AgentMessage::kSetup, TextOfSetup(context.setup));
    if (begun.memory.empty()) return;
    memory_.emplace(
        begun.memory, [this] { return SavedMemory(); },
        [this](std::string text) { link_.Ask(AgentMessage::kLoad, AgentMemory{std::move(text)}); });
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

  Memory* memory() override { return memory_ ? &*memory_ : nullptr; }

 private:
  // It is asked for once the search has ended, too, for that is when it is kept.
  std::optional<std::string> SavedMemory() {
    if (link_.is_gone()) return std::nullopt;
    return link_.Ask<AgentMemory>(AgentMessage::kSave, AgentMemory(), kSaving).text;
  }

  std::vector<SearchTask> tasks_;
  AgentLink link_;
  std::optional<RemoteMemory> memory_;
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
