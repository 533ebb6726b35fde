// The other side of the command line's Python agents: a Python object answers a search's questions.
// Frames are received without the interpreter's lock and answered one at a time; what Python raises
// is the one line of an InputError. The process ends with its parent (PDEATHSIG), even where the
// object never answers.
#include <signal.h>
#include <sys/prctl.h>

#include <functional>

#include "assembly/messages/agent_messages.h"
#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "bindings/bindings_internal.h"
#include "bindings/docstring_internal.h"
#include "bindings/python_agent_internal.h"
#include "env/base/model_state_file.h"
#include "env/base/spec.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

template <typename T>
T Read(const Frame& frame) {
  return OrRefuse(Decode<T>(frame.payload));
}

class AgentServer {
 public:
  explicit AgentServer(PythonAgent& agent) : agent_(agent) {}

  // The payload of the answer.
  std::string Answer(const Frame& frame) {
    AgentReply reply;
    switch (static_cast<AgentMessage>(frame.type)) {
      case AgentMessage::kSetup:
        Begin(Read<AgentSetupText>(frame));
        if (agent_.memory() != nullptr) reply.memory = agent_.memory()->Kind();
        break;
      case AgentMessage::kPropose: Propose(Read<AgentRequest>(frame), reply); break;
      case AgentMessage::kLearn: Learn(Read<AgentLesson>(frame)); break;
      case AgentMessage::kSave: return Encode(AgentModelState{ModelStateOfAgent().Save()});
      case AgentMessage::kLoad: Load(Read<AgentModelState>(frame)); break;
      default: throw InputError("found a message of an unknown type");
    }
    return Encode(reply);
  }

 private:
  ModelState& ModelStateOfAgent() {
    if (agent_.memory() != nullptr) return *agent_.memory();
    throw InputError("found no memory, expected an agent with save and load");
  }

  void Load(const AgentModelState& memory) {
    if (!memory.text) throw InputError("found no text, expected what was saved");
    ModelStateOfAgent().Load(*memory.text);
  }

  void Begin(const AgentSetupText& text) {
    setup_ = AgentSetup();
    setup_.agent = OrRefuse(ParseSpec(text.agent));
    setup_.space = OrRefuse(ParseSpec(text.space));
    for (const AgentTaskText& one : text.tasks) {
      setup_.tasks.push_back({MakeTask(one.task), one.weight});
    }
    if (text.trials) setup_.budget = Budget{*text.trials, text.seconds};
    setup_.seed = text.seed;
    agent_.Begin(setup_);
  }

  const std::shared_ptr<const Task>& TaskAt(int32_t index) const {
    if (index >= 0 && index < std::ssize(setup_.tasks)) return setup_.tasks[index].task;
    throw InputError("found task " + std::to_string(index) + ", expected one of the " +
                     std::to_string(setup_.tasks.size()) + " of the run");
  }

  void Propose(const AgentRequest& request, AgentReply& reply) {
    TaskAt(request.task);
    for (const Proposal& proposal : agent_.Propose(request.task, request.count)) {
      reply.proposals.push_back({proposal.state.TraceText(), proposal.note});
    }
  }

  void Learn(const AgentLesson& lesson) {
    const RecordList records = OrRefuse(FromWire(lesson.records, lesson.trials.size()));
    std::vector<Trial> trials;
    for (const AgentTrial& one : lesson.trials) {
      trials.push_back({one.task, OrRefuse(ReplayText(TaskAt(one.task), one.trace)),
                        ParseKey(one.key).value_or(Key()),
                        ParseTrialStatus(one.told).value_or(TrialStatus::kSaysNothing),
                        records[trials.size()]});
    }
    agent_.Learn(trials);
  }

  PythonAgent& agent_;
  AgentSetup setup_;
};

// " (FILE:LINE)" of the line in the agent's own file that raised, or that called the raising code;
// "" where that is unknown.
std::string PlaceIn(const py::error_already_set& exception) {
  std::string file, line;
  for (py::object trace = exception.trace(); trace && !trace.is_none();
       trace = trace.attr("tb_next")) {
    const std::string here = py::str(trace.attr("tb_frame").attr("f_code").attr("co_filename"));
    if (file.empty()) file = here;
    if (here == file) line = py::str(trace.attr("tb_lineno"));
  }
  return file.empty() ? "" : " (" + file + ":" + line + ")";
}

// The answer, or what Python raised as the line of an InputError.
std::string AnswerOrName(AgentServer& server, const Frame& frame) {
  try {
    return server.Answer(frame);
  } catch (py::error_already_set& exception) {
    const std::string kind = py::str(exception.type().attr("__name__"));
    const std::string text = py::str(exception.value());
    throw InputError("the Python agent raised " + kind + ": " + text.substr(0, text.find('\n')) +
                     PlaceIn(exception));
  } catch (const py::builtin_exception& exception) {  // errors of its proposals
    throw InputError(std::string("the Python agent: ") + exception.what());
  }
}

// Answers until the other side closes, and ends with it even where the agent hangs. Without an
// agent each answer is `fault`, of the machine or of the request.
void Serve(int descriptor, const py::object& object, const std::string& fault, bool is_machine) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  FrameChannel channel{Descriptor(descriptor)};
  Interruption interruption;
  PythonAgent agent(object, interruption);
  AgentServer server(agent);
  for (;;) {
    std::optional<Frame> frame;
    {
      const py::gil_scoped_release unlocked;
      frame = channel.Receive();
    }
    if (!frame) return;
    channel.Send(AnswerOrRefuse(*frame, [&]() -> Frame {
      if (object.is_none() && is_machine) throw MachineError(fault);
      if (object.is_none()) throw InputError(fault);
      return {static_cast<uint16_t>(AgentMessage::kAnswer), frame->id,
              AnswerOrName(server, *frame)};
    }));
  }
}

}  // namespace

void BindAgentServer(py::module_& module) {
  module.def("serve_agent", &Serve, "descriptor"_a, "agent"_a, "fault"_a = "",
             "is_machine"_a = false,
             Docstring("Answers a search's questions on a socket until it is closed.")
                 .Arg("descriptor", "Of the socket.")
                 .Arg("agent", "What answers: an object with propose and learn, or None.")
                 .Arg("fault", "Where there is no agent: why, which is every answer then.")
                 .Arg("is_machine", "Whether the machine is at fault.")
                 .text());
  module.def(
      "parse_spec",
      [](const std::string& text) {
        const WorkloadHandle handle = {RequireSpec("spec", text)};
        return std::pair(handle.spec.name, ParametersOf(handle));
      },
      "text"_a,
      Docstring("Reads a spec.")
          .Arg("text", "Such as 'ansor(beam=true)'.")
          .Returns("The name, and the options by theirs.")
          .Raises("InputError", "The text is no spec; the message has the column.")
          .text());
  module.def(
      "read_memory",
      [](const std::string& path, const std::string& kind) {
        return py::bytes(ReadModelState(path, kModelFile, {kind}).text);
      },
      "path"_a, "kind"_a,
      Docstring("Reads what an agent saved.")
          .Arg("path", "A file of `tune --save-model`.")
          .Arg("kind", "The agent's kind, such as 'python MODULE.CLASS'.")
          .Returns("The bytes that its `save` gave.")
          .Raises("InputError", "The file cannot be read, or is of another kind.")
          .text());
}

}  // namespace schedulegym
