#include "assembly/process_agent.h"

#include <optional>
#include <utility>
#include <vector>

#include "assembly/remote_memory.h"
#include "backends/runner/process/frame_channel.h"
#include "backends/runner/process/refusal.h"
#include "backends/runner/wire/agent_messages.h"
#include "backends/runner/wire/encoding.h"
#include "backends/runner/wire/task_text.h"
#include "env/measure/json_lines.h"

namespace schedulegym {
namespace {

// Of a library that is opened.
constexpr double kOpeningSeconds = 30;
constexpr Patience kSaving = {60, /*heeds_end=*/false};

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

// One question at a time.
class AgentLink {
 public:
  explicit AgentLink(AgentPeer peer)
      : peer_(std::move(peer)), channel_(peer_.process().TakeSocket()) {}

  template <typename Reply = AgentReply, typename Request>
  Reply Ask(AgentMessage type, const Request& request, const Patience& patience = {}) {
    channel_.Send({static_cast<uint16_t>(type), ++asked_, Encode(request)});
    const std::optional<Frame> frame = peer_.Await(channel_, patience);
    if (!frame) peer_.FailEnded();
    if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
    Result<Reply> reply = Decode<Reply>(frame->payload);
    if (!reply) peer_.Fail(": " + reply.error().message);
    return *std::move(reply);
  }

  // What the last of the plugins adds.
  AgentLines OpenPlugins() {
    AgentLines added;
    for (const std::string& file : peer_.side().plugins) {
      added = Ask<AgentLines>(AgentMessage::kPlugin, PluginFile{file}, {kOpeningSeconds});
    }
    return added;
  }

  AgentPeer& peer() { return peer_; }

 private:
  AgentPeer peer_;
  FrameChannel channel_;
  uint64_t asked_ = 0;
};

class ProcessAgent : public Agent {
 public:
  ProcessAgent(AgentSide side, std::unique_ptr<WorkerProcess> process, const AgentContext& context)
      : tasks_(context.setup.tasks), link_(PeerOf(std::move(side), std::move(process), context)) {
    if (tasks_.empty()) return;
    link_.OpenPlugins();
    const AgentReply begun = link_.Ask(AgentMessage::kSetup, TextOfSetup(context.setup));
    if (begun.memory.empty()) return;
    memory_.emplace(
        begun.memory, [this] { return SavedMemory(); },
        [this](std::string text) { link_.Ask(AgentMessage::kLoad, AgentMemory{std::move(text)}); });
  }

  std::vector<Proposal> Propose(int task, int count) override {
    link_.peer().BeginRun();
    const AgentReply reply = link_.Ask(AgentMessage::kPropose, AgentRequest{task, count});
    std::vector<Proposal> proposals;
    for (const AgentProposal& one : reply.proposals) {
      Result<ScheduleState> state = ReplayText(tasks_[task].task, one.trace);
      if (!state) link_.peer().Fail(": " + state.error().message);
      proposals.push_back(ProposalOf(*std::move(state)));
      proposals.back().note = one.note;
    }
    if (std::ssize(proposals) <= count) return proposals;
    link_.peer().Fail(": found too many schedules");
  }

  void Learn(std::span<const Trial> trials) override {
    if (link_.peer().is_given_up()) return;
    link_.peer().BeginRun();
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
    if (link_.peer().is_given_up()) return std::nullopt;
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
  AgentLink link(AgentPeer(std::move(side), std::move(process), clock, {}));
  std::vector<CatalogLine> lines;
  for (AgentLine& line : link.OpenPlugins().agents) {
    lines.push_back(
        {std::move(line.name), std::move(line.parameters), std::move(line.description)});
  }
  return lines;
}

}  // namespace schedulegym
