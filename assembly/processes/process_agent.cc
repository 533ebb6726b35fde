// The near side of an agent in another process: asks over frames and replays the traces of its
// proposals, so that, with any bytes from the process, a proposal is a legal schedule of the task.
// Its model state is fetched by a question (up to 60 s), also after the search's end. Opening a
// plugin has 30 s. Errors of the process end it with its name and reason.
#include "assembly/processes/process_agent.h"

#include "assembly/messages/agent_messages.h"
#include "assembly/processes/command_arguments.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

// Seconds for opening a library, unless its process asks for more.
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

// Opens the plugins of the other side. Returns the agents that the last one adds.
AgentLines OpenPlugins(AgentLink& link) {
  AgentLines added;
  const AgentSide& side = link.peer().side();
  const Patience patience = {side.rests ? side.loading : kOpeningSeconds};
  for (const std::string& file : side.plugins) {
    added = link.Ask<AgentLines>(AgentMessage::kPlugin, PluginFile{file}, patience);
  }
  return added;
}

class ProcessAgent : public Agent {
 public:
  ProcessAgent(AgentSide side, std::unique_ptr<WorkerProcess> process, const AgentContext& context)
      : tasks_(context.setup.tasks),
        say_(context.say),
        link_(PeerOf(std::move(side), std::move(process), context)) {
    if (tasks_.empty()) return;
    OpenPlugins(link_);
    const AgentReply begun =
        Ask(AgentMessage::kSetup, TextOfSetup(context.setup), {link_.peer().side().loading});
    if (begun.memory.empty()) return;
    memory_.emplace(
        begun.memory, [this] { return SavedModelState(); },
        [this](std::string text) { Ask(AgentMessage::kLoad, AgentModelState{std::move(text)}); });
  }

  std::vector<Proposal> Propose(int task, int count) override {
    link_.peer().BeginRun();
    const AgentReply reply = Ask(AgentMessage::kPropose, AgentRequest{task, count});
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
    RecordList records;
    for (const Trial& trial : trials) {
      lesson.trials.push_back(
          {trial.task, trial.state.TraceText(), trial.key.ToText(), TrialStatusName(trial.told)});
      records.push_back(trial.record);
    }
    lesson.records = ToWire(records);
    Ask(AgentMessage::kLearn, lesson);
  }

  ModelState* memory() override { return memory_ ? &*memory_ : nullptr; }

 private:
  // Also called after the end of the search, when it is saved.
  std::optional<std::string> SavedModelState() {
    if (link_.peer().is_given_up()) return std::nullopt;
    return link_.Ask<AgentModelState>(AgentMessage::kSave, AgentModelState(), kSaving).text;
  }

  // Passes on the warnings that come with the answer.
  template <typename Request>
  AgentReply Ask(AgentMessage type, const Request& request, const Patience& patience = {}) {
    AgentReply reply = link_.Ask<AgentReply>(type, request, patience);
    for (const std::string& line : reply.warnings) {
      if (say_) say_(line);
    }
    return reply;
  }

  std::vector<SearchTask> tasks_;
  std::function<void(const std::string&)> say_;
  AgentLink link_;
  std::optional<RemoteModelState> memory_;
};

void CheckPythonSpec(const Spec& spec) {
  for (const char* key : {"module", "class"}) {
    bool found = false;
    for (const SpecOption& option : spec.options) found = found || option.key == key;
    if (!found) {
      throw InputError(std::string("agent 'python': key '") + key +
                       "' is missing, expected python(module=NAME, class=NAME, ...)");
    }
  }
}

}  // namespace

std::unique_ptr<Agent> MakeProcessAgent(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                        const AgentContext& context) {
  return std::make_unique<ProcessAgent>(std::move(side), std::move(process), context);
}

std::vector<CatalogLine> LinesOfPlugin(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                       const Clock& clock) {
  AgentLink link(AgentProcess(std::move(side), std::move(process), clock, {}));
  std::vector<CatalogLine> lines;
  for (AgentLine& line : OpenPlugins(link).agents) {
    lines.push_back(
        {std::move(line.name), std::move(line.parameters), std::move(line.description)});
  }
  return lines;
}

std::vector<std::string> ArgumentsOfPythonAgent(const Spec& spec) {
  CheckPythonSpec(spec);
  return {FindPython(), "-m", "schedulegym.agent_server", spec.ToText()};
}

std::unique_ptr<Agent> MakePythonAgent(const AgentContext& context) {
  const std::vector<std::string> words = ArgumentsOfPythonAgent(context.setup.agent);
  return MakeProcessAgent({"the Python agent"}, std::make_unique<WorkerProcess>(words[0], words),
                          context);
}

}  // namespace schedulegym
