// The command `show`: a schedule in any of its forms. A view is a function from a schedule to text,
// found by name; ir and asm are made in a worker process, since LLVM may end it. Errors: InputError
// where the schedule cannot be lowered or compiled.
#include <CLI/CLI.hpp>

#include <algorithm>

#include "backends/backend.h"
#include "backends/device_text/device_text.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/features/ansor_features.h"
#include "env/gym/actions/construct_space.h"
#include "env/ipc/worker_process.h"
#include "env/lower/lower.h"
#include "env/program/workloads/task_list.h"
#include "env/schedule/loop_structure.h"
#include "experiments/cli/chosen_state.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/resources_report.h"

namespace schedulegym {
namespace {

LoopProgram LowerOrRefuse(const ScheduleState& state) {
  Result<LoopProgram> program = Lower(state);
  if (!program) throw InputError("the schedule cannot be lowered: " + program.error().message);
  return *std::move(program);
}

std::string BackendText(const ScheduleState& state, CodeForm form) {
  const Target& target = state.task().target;
  if (target.backend != BackendKind::kLlvm && target.backend != BackendKind::kCuda) {
    throw InputError("the target " + std::string(target.BackendName()) + " has no " +
                     (form == CodeForm::kIr ? "ir" : "asm") + ": expected llvm or cuda");
  }
  Result<std::string> text = TranslateInWorker(FindWorkerProgram(), state, form);
  if (!text) throw InputError("the schedule cannot be compiled: " + text.error().message);
  return *std::move(text);
}

// For each stage, as if it were the current one: the number of each legal action of `construct`,
// and its effect.
std::string ActionsText(const ScheduleState& state) {
  const Target& target = state.task().target;
  if (target.IsGpu()) {
    throw InputError(std::string("view 'actions': construct has no rules for target ") +
                     target.BackendName() + " yet, expected llvm or interpreter");
  }
  const auto space = MakeConstructSpace(ParseSpec("construct").value());
  const std::string trace = state.TraceText();
  std::string text;
  const std::vector<int>& order = state.order();
  for (auto id = order.rbegin(); id != order.rend(); ++id) {
    const Stage& stage = state.stage(*id);
    if (stage.op->kind == StageKind::kInput) continue;
    const auto episode = space->Resume(
        state.shared_task(), "construct stage=" + std::to_string(*id) + " closed\n" + trace);
    text += "# " + stage.op->name + "\n";
    for (int action : LegalActions(*space, **episode)) {
      text += std::to_string(action) + ": " + (*episode)->Describe(action).value() + "\n";
    }
  }
  return text;
}

struct View {
  const char* name;
  std::string (*text)(const ScheduleState& state);
};

// For a device the text of its kernels, for a processor the loops.
std::string SourceText(const ScheduleState& state) {
  const LoopProgram program = LowerOrRefuse(state);
  const Target& target = state.task().target;
  if (!target.IsGpu()) return program.ToText();
  Result<DeviceProgram> device = DeviceText(program, DialectOf(target), target.gpu);
  if (!device) throw InputError("the schedule has no text: " + device.error().message);
  return std::move(device->source);
}

constexpr View kViews[] = {
    {"dag", [](const ScheduleState& state) { return state.task().dag.ToText(); }},
    {"loops", [](const ScheduleState& state) { return InferLoops(state).ToText(state); }},
    {"ir", [](const ScheduleState& state) { return BackendText(state, CodeForm::kIr); }},
    {"asm", [](const ScheduleState& state) { return BackendText(state, CodeForm::kAssembly); }},
    {"source", SourceText},
    {"features", [](const ScheduleState& state) { return AnsorFeatures(state).ToText(state); }},
    {"actions", ActionsText},
    {"trace", [](const ScheduleState& state) { return state.TraceText(); }},
};

const View& FindView(const std::string& name) {
  std::vector<std::string> known;
  for (const View& view : kViews) {
    known.push_back(view.name);
    if (view.name == name) return view;
  }
  throw InputError(UnknownName("view", name, known));
}

class ShowCommand : public Command {
 public:
  std::string name() const override { return "show"; }
  std::string help() const override {
    return "a schedule as loops, source, ir, asm, features, actions, trace, dag";
  }

  void Declare(CLI::App& app) override {
    app.add_option("WORKLOAD", workload_, "a spec or a .dag file")->required();
    choice_.Declare(app);
    app.add_option(
           "--as", view_,
           "dag, loops, ir, asm, source (explicit loops), features (a cost model's), actions "
           "(legal ones of construct), trace (default loops)")
        ->type_name("VIEW");
  }

  // Shows the given trace; without one the store's best record, or the reference schedule if there
  // is no record or the reference is faster.
  int Run(Session& session) override {
    const View& view = FindView(view_);
    const auto task = LoadTask(workload_, session.MakeTarget());
    const std::optional<ChosenState> chosen = ChooseFastest(task, choice_, session);
    const ChosenState shown = chosen ? *chosen : ChooseReference(task);
    const std::string text = view.text(shown.state);
    JsonObject fields = {
        {"workload", task->name}, {"task", TaskKey(*task).ToText()}, {"text", text}};
    for (auto& field : SourceFields(shown)) fields.push_back(std::move(field));
    if (shown.record) AddResources(shown.record->measurement, &fields);
    const std::string note = ChoiceNote(shown);
    if (!note.empty()) session.report().Note(note);
    if (shown.record && !shown.record->measurement.resources.empty()) {
      session.report().Note("measured with\n" + ResourcesLines(shown.record->measurement, 2));
    }
    session.report().Item(view.name, std::move(fields), text);
    return kExitOk;
  }

 private:
  std::string workload_;
  std::string view_ = "loops";
  StateChoice choice_;
};

}  // namespace

std::unique_ptr<Command> MakeShowCommand() { return std::make_unique<ShowCommand>(); }

}  // namespace schedulegym
