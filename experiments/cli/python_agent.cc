#include "experiments/cli/python_agent.h"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "agents/builtin_agents.h"
#include "backends/runner/process/frame_channel.h"
#include "backends/runner/process/refusal.h"
#include "backends/runner/process/worker_process.h"
#include "backends/runner/wire/agent_messages.h"
#include "backends/runner/wire/encoding.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/json_lines.h"
#include "experiments/cli/find_program.h"

namespace schedulegym {
namespace {

// SCHEDULEGYM_PYTHON, or the first one in PATH.
std::string FindPython() {
  if (const char* given = std::getenv("SCHEDULEGYM_PYTHON")) return given;
  const char* path = std::getenv("PATH");
  const auto found = FindInPath("python3", path != nullptr ? path : "");
  if (!found) throw MachineError("no python3 in PATH: expected it there or in SCHEDULEGYM_PYTHON");
  return *found;
}

// `python -m schedulegym.agent_server SPEC`; one question at a time.
class PythonProcess {
 public:
  PythonProcess(const std::string& python, const Spec& spec)
      : process_(python, {python, "-m", "schedulegym.agent_server", spec.ToText()}),
        channel_(process_.TakeSocket()) {}

  template <typename Request>
  AgentReply Ask(AgentMessage type, const Request& request) {
    channel_.Send({static_cast<uint16_t>(type), ++asked_, Encode(request)});
    const std::optional<Frame> frame = channel_.Receive();
    if (!frame) throw InputError("the Python agent ended: " + LastLine(process_.Epitaph()));
    if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
    Result<AgentReply> reply = Decode<AgentReply>(frame->payload);
    if (!reply) throw InputError("the Python agent: " + reply.error().message);
    return *std::move(reply);
  }

 private:
  static std::string LastLine(const std::string& text) {
    const std::vector<std::string> lines = SplitLines(text);
    return lines.size() < 2 ? text : lines.back();
  }

  WorkerProcess process_;
  FrameChannel channel_;
  uint64_t asked_ = 0;
};

class ProcessAgent : public Agent {
 public:
  explicit ProcessAgent(std::shared_ptr<PythonProcess> python) : python_(std::move(python)) {}

  void CheckTask(const std::shared_ptr<const Task>& task) const override {
    python_->Ask(AgentMessage::kCheckTask, AgentRequest{TextOf(*task), 0});
  }

  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override {
    const AgentReply reply =
        python_->Ask(AgentMessage::kPropose, AgentRequest{TextOf(*task), count});
    std::vector<ScheduleState> states;
    for (const std::string& trace : reply.traces) {
      Result<ScheduleState> state = ReplayText(task, trace);
      if (!state) throw InputError("the Python agent: " + state.error().message);
      states.push_back(*std::move(state));
    }
    if (std::ssize(states) > count) throw InputError("the Python agent: found too many schedules");
    return states;
  }

  void Learn(std::span<const Record> records) override {
    AgentLesson lesson;
    for (const Record& record : records) lesson.records.push_back(ToLine(record));
    python_->Ask(AgentMessage::kLearn, lesson);
  }

 private:
  std::shared_ptr<PythonProcess> python_;
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

bool IsPythonAgent(const Spec& spec) { return spec.name == "python"; }

std::function<std::unique_ptr<Agent>(AgentContext context)> AgentMakerOf(const Spec& spec) {
  if (!IsPythonAgent(spec)) {
    return [spec](AgentContext context) { return MakeAgent(spec, std::move(context)); };
  }
  CheckPythonSpec(spec);
  auto python = std::make_shared<std::shared_ptr<PythonProcess>>();
  return [spec, python](const AgentContext&) -> std::unique_ptr<Agent> {
    if (!*python) *python = std::make_shared<PythonProcess>(FindPython(), spec);
    return std::make_unique<ProcessAgent>(*python);
  };
}

}  // namespace schedulegym
