// The other side of an agent in a process of its own: answers plugin, setup, propose, learn, save
// and load, one at a time. Proposals travel as traces. States without a result are kept
// (up to 4096), so that learning replays only traces of others. The random stream is drawn from the
// seed as in a search in one process, so proposals are equal. The training host does the same for
// trainers: setup, round, save. Cost: one message a question.
#include "assembly/host/agent_host.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "assembly/catalog.h"
#include "assembly/host/plugin_loader.h"
#include "assembly/messages/agent_messages.h"
#include "assembly/messages/training_messages.h"
#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

Spec SpecOf(const std::string& text) {
  Result<Spec> spec = ParseSpec(text);
  if (!spec) throw InputError(spec.error().message);
  return *std::move(spec);
}

AgentSetup SetupOf(const AgentSetupText& text) {
  AgentSetup setup = {.agent = SpecOf(text.agent), .space = SpecOf(text.space)};
  for (const AgentTaskText& task : text.tasks) {
    setup.tasks.push_back({MakeTask(task.task), task.weight});
  }
  if (text.trials) setup.budget = Budget{*text.trials, text.seconds};
  setup.seed = text.seed;
  return setup;
}

// Proposals without a result yet, by task and trace, so that they are not replayed. Traces of
// others, such as those of earlier searches, are replayed.
class OpenProposals {
 public:
  void Add(int task, const std::string& trace, const ScheduleState& state) {
    if (states_.size() >= kMost) states_.clear();
    states_.insert_or_assign({task, trace}, state);
  }

  // Forgets it.
  Result<ScheduleState> Take(int position, const SearchTask& task, const std::string& trace) {
    auto node = states_.extract({position, trace});
    if (node.empty()) return ReplayText(task.task, trace);
    return std::move(node.mapped());
  }

 private:
  // Of some KiB each.
  static constexpr size_t kMost = 4096;

  std::map<std::pair<int, std::string>, ScheduleState> states_;
};

// The agent that the first message describes. The setup outlives it.
class HostedRun {
 public:
  HostedRun(const AgentSetupText& text, const AgentMaker& maker, const StopToken& stop)
      : setup_(SetupOf(text)), space_(NamedSpace(setup_.space, BuiltinCatalog())) {
    Rng run(setup_.seed);
    const Rng stream = DrawAgentStream(static_cast<int>(setup_.tasks.size()), run);
    agent_ = maker.Make({.setup = setup_,
                         .space = *space_,
                         .rng = stream,
                         .maker = maker,
                         .clock = clock_,
                         .stop = stop,
                         .say = [this](const std::string& line) { warnings_.push_back(line); }});
  }
  HostedRun(const HostedRun&) = delete;
  HostedRun& operator=(const HostedRun&) = delete;

  AgentReply Propose(const AgentRequest& request) {
    CheckPosition(request.task);
    AgentReply reply;
    for (const Proposal& proposal : agent_->Propose(request.task, request.count)) {
      reply.proposals.push_back({proposal.state.TraceText(), proposal.note});
      open_.Add(request.task, reply.proposals.back().trace, proposal.state);
    }
    return reply;
  }

  // Empty if it learns nothing.
  ModelState* memory() { return agent_->memory(); }

  void Learn(const AgentLesson& lesson) {
    const Result<RecordList> records = FromWire(lesson.records, lesson.trials.size());
    if (!records) throw InputError(records.error().message);
    std::vector<Trial> trials;
    for (size_t i = 0; i < records->size(); ++i) {
      trials.push_back(TrialOf(lesson.trials[i]));
      trials.back().record = (*records)[i];
    }
    agent_->Learn(trials);
  }

  // The warnings since the last call.
  std::vector<std::string> TakeWarnings() { return std::exchange(warnings_, {}); }

 private:
  void CheckPosition(int task) const {
    if (task >= 0 && task < std::ssize(setup_.tasks)) return;
    throw InputError("task: found " + std::to_string(task) + ", expected one of " +
                     std::to_string(setup_.tasks.size()));
  }

  // Without its record.
  Trial TrialOf(const AgentTrial& text) {
    CheckPosition(text.task);
    Result<ScheduleState> state = open_.Take(text.task, setup_.tasks[text.task], text.trace);
    const std::optional<Key> key = ParseKey(text.key);
    const std::optional<TrialStatus> told = ParseTrialStatus(text.told);
    if (!state) throw InputError(state.error().message);
    if (!key || !told) throw InputError("found a trial without key or kind, expected both");
    return {text.task, *std::move(state), *key, *told, nullptr};
  }

  AgentSetup setup_;
  std::unique_ptr<SearchSpace> space_;
  SteadyClock clock_;
  std::vector<std::string> warnings_;
  OpenProposals open_;
  std::unique_ptr<Agent> agent_;
};

template <typename Message>
Message Read(const Frame& frame) {
  Result<Message> message = Decode<Message>(frame.payload);
  if (!message) throw InputError(message.error().message);
  return *std::move(message);
}

class AgentHost {
 public:
  AgentHost(AgentRegistry agents, std::atomic<bool>& stop)
      : agents_(std::move(agents)), stop_(stop) {}

  // Encoded.
  std::string Answer(const Frame& frame) {
    const auto type = static_cast<AgentMessage>(frame.type);
    const bool thinks = type == AgentMessage::kPropose || type == AgentMessage::kLearn;
    if (!thinks) stop_ = false;
    try {
      if (type == AgentMessage::kPlugin) return Encode(Open(Read<PluginFile>(frame)));
      if (type == AgentMessage::kSave) return Encode(AgentModelState{ModelStateOfRun().Save()});
      AgentReply reply = AnswerOfRun(type, frame);
      reply.warnings = run_->TakeWarnings();
      return Encode(reply);
    } catch (const Interrupted&) {
      throw InputError("given up as the search ended");
    }
  }

 private:
  AgentLines Open(const PluginFile& plugin) {
    if (run_) throw InputError("found a plugin, expected it before the setup");
    AgentLines lines;
    for (const CatalogLine& agent : AddPlugin(plugin.path, agents_)) {
      lines.agents.push_back({agent.name, agent.parameters, agent.description});
    }
    return lines;
  }

  AgentReply AnswerOfRun(AgentMessage type, const Frame& frame) {
    if (type == AgentMessage::kSetup) {
      run_.reset();
      maker_ = std::make_unique<const AgentMaker>(agents_);
      run_ = std::make_unique<HostedRun>(Read<AgentSetupText>(frame), *maker_, StopToken(&stop_));
      ModelState* memory = run_->memory();
      return {.memory = memory != nullptr ? memory->Kind() : ""};
    }
    if (!run_) throw InputError("found a question, expected the setup first");
    if (type == AgentMessage::kPropose) return run_->Propose(Read<AgentRequest>(frame));
    switch (type) {
      case AgentMessage::kLearn: run_->Learn(Read<AgentLesson>(frame)); return {};
      case AgentMessage::kLoad: Load(Read<AgentModelState>(frame)); return {};
      default:
        throw InputError("found message " + std::to_string(frame.type) + ", expected another");
    }
  }

  ModelState& ModelStateOfRun() {
    ModelState* memory = run_ ? run_->memory() : nullptr;
    if (memory == nullptr) throw InputError("found no memory, expected an agent that learns");
    return *memory;
  }

  void Load(const AgentModelState& memory) {
    if (!memory.text) throw InputError("found no text, expected what was saved");
    ModelStateOfRun().Load(*memory.text);
  }

  AgentRegistry agents_;
  std::atomic<bool>& stop_;
  std::unique_ptr<const AgentMaker> maker_;
  std::unique_ptr<HostedRun> run_;
};

// One trainer, and the objects that it refers to.
class HostedTrainer {
 public:
  HostedTrainer(const TrainingSetup& setup, const TrainerMaker& maker)
      : agent_(RequireSpec("agent", setup.agent)),
        space_(MakeSpace(RequireSpec("space", setup.space))) {
    TrainerContext context = {agent_, *space_, {}, Rng(setup.seed)};
    for (const TaskText& kind : setup.kinds) context.kinds.push_back(MakeTask(kind));
    if (context.kinds.empty()) throw InputError("found no kind of task, expected at least one");
    trainer_ = maker(context);
  }
  HostedTrainer(const HostedTrainer&) = delete;
  HostedTrainer& operator=(const HostedTrainer&) = delete;

  Trainer& trainer() { return *trainer_; }

 private:
  Spec agent_;
  std::unique_ptr<SearchSpace> space_;
  std::unique_ptr<Trainer> trainer_;
};

class TrainingHost {
 public:
  explicit TrainingHost(const TrainerMaker& maker) : maker_(maker) {}

  TrainingReply Answer(const Frame& frame) {
    const auto type = static_cast<TrainingMessage>(frame.type);
    if (type == TrainingMessage::kSetup) {
      hosted_.reset();
      hosted_ = std::make_unique<HostedTrainer>(Read<TrainingSetup>(frame), maker_);
      return {};
    }
    if (!hosted_) throw InputError("found a question, expected the setup first");
    if (type == TrainingMessage::kRound) return Train(Read<TrainingRound>(frame));
    if (type != TrainingMessage::kSave) {
      throw InputError("found message " + std::to_string(frame.type) + ", expected another");
    }
    hosted_->trainer().Save(Read<TrainingFile>(frame).path);
    return {};
  }

 private:
  TrainingReply Train(const TrainingRound& text) {
    const std::optional<TrainedRound> round = hosted_->trainer().Train(MakeTask(text.task));
    if (!round) return {};
    return {true, round->visits, round->step, round->best, round->entropy, round->diverged};
  }

  const TrainerMaker& maker_;
  std::unique_ptr<HostedTrainer> hosted_;
};

}  // namespace

void RunAgentHost(Descriptor socket, AgentRegistry agents, std::atomic<bool>& stop) {
  FrameChannel channel(std::move(socket));
  AgentHost host(std::move(agents), stop);
  while (const std::optional<Frame> frame = channel.Receive()) {
    const Frame answer = AnswerOrRefuse(*frame, [&]() -> Frame {
      return {static_cast<uint16_t>(AgentMessage::kAnswer), frame->id, host.Answer(*frame)};
    });
    if (!channel.Send(answer)) return;
  }
}

void RunTrainingHost(Descriptor socket, const TrainerMaker& maker) {
  FrameChannel channel(std::move(socket));
  TrainingHost host(maker);
  while (const std::optional<Frame> frame = channel.Receive()) {
    const Frame answer = AnswerOrRefuse(*frame, [&]() -> Frame {
      return {static_cast<uint16_t>(TrainingMessage::kAnswer), frame->id,
              Encode(host.Answer(*frame))};
    });
    if (!channel.Send(answer)) return;
  }
}

}  // namespace schedulegym
