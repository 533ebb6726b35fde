// The command `export`: a schedule as files that C and NumPy users call, or a GPU's kernels as text
// with a table of launches, and machine code where its compiler is found. Code is made in a worker
// process; files are staged and replaced at the end.
#include <CLI/CLI.hpp>

#include "backends/device_text/device_header.h"
#include "backends/device_text/device_text.h"
#include "backends/export_kernel.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/ipc/worker_process.h"
#include "env/lower/lower.h"
#include "env/measure/store/store_file.h"
#include "env/program/workloads/task_list.h"
#include "experiments/cli/chosen_state.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"

namespace schedulegym {
namespace {

template <typename T>
T OrRefuse(Result<T> result, const std::string& what) {
  if (!result) throw InputError(what + ": " + result.error().message);
  return *std::move(result);
}

// Of the files that may be written.
std::vector<std::string> EndingsFor(const Target& target) {
  if (!target.IsGpu()) return {".so", ".o", ".h"};
  const DeviceDialect& dialect = DialectOf(target);
  if (!IsCuda(dialect)) return {dialect.extension, ".h"};
  return {dialect.extension, ".h", ".cubin"};
}

class ExportCommand : public Command {
 public:
  std::string name() const override { return "export"; }
  std::string help() const override {
    return "writes a kernel as PREFIX.so, PREFIX.o, PREFIX.h; of opencl as PREFIX.cl, PREFIX.h; of "
           "cuda as PREFIX.cu, PREFIX.h, PREFIX.cubin";
  }

  void Declare(CLI::App& app) override {
    app.add_option("WORKLOAD", workload_, "a spec or a .dag file")->required();
    choice_.Declare(app);
    app.add_flag("--reference", reference_,
                 "the schedule: the one that searches are compared with, which needs no store");
    app.add_option("-o", prefix_, "the files' place; its last part names the function")
        ->type_name("PREFIX")
        ->required();
  }

  int Run(Session& session) override {
    const Target target = session.MakeTarget();
    if (target.backend == BackendKind::kInterpreter) {
      throw InputError(
          "--target: found 'interpreter', expected llvm, opencl or cuda: only their "
          "kernels can be exported");
    }
    const std::string name = ExportName(prefix_);
    for (const std::string& ending : EndingsFor(target)) {
      const NamedOutput output = {"-o", prefix_ + ending};
      CheckOutputs({&output, 1}, session.store_path());
    }
    const auto task = LoadTask(workload_, target);
    const ChosenState chosen = Choose(task, session);
    const std::vector<std::string> files =
        target.IsGpu() ? ExportText(chosen.state, name, session) : ExportCode(chosen.state, name);
    for (const std::string& path : files) {
      JsonObject fields = {{"workload", task->name}};
      for (auto& field : SourceFields(chosen)) fields.push_back(std::move(field));
      session.report().Item(path, std::move(fields), path);
    }
    const std::string note = ChoiceNote(chosen);
    if (!note.empty()) session.report().Note("exported " + note);
    if (chosen.source == "reference" && !reference_) {
      session.report().Note(
          "exported the reference schedule, which is faster than the store's best");
    }
    return kExitOk;
  }

 private:
  std::vector<std::string> ExportCode(const ScheduleState& state, const std::string& name) const {
    const ExportedCode code = OrRefuse(ExportInWorker(FindWorkerProgram(), state, name),
                                       "the schedule cannot be compiled");
    const ExportedFiles files = WriteExport(code.object, code.header, prefix_);
    return {files.shared_object, files.object, files.header};
  }

  // The texts need neither a worker nor a driver.
  std::vector<std::string> ExportText(const ScheduleState& state, const std::string& name,
                                      Session& session) const {
    const LoopProgram program = OrRefuse(Lower(state), "the schedule cannot be lowered");
    const DeviceDialect& dialect = DialectOf(state.task().target);
    const bool is_cuda = IsCuda(dialect);
    // Kernels of two files that nvcc links must not share a name.
    const DeviceProgram device = OrRefuse(DeviceText(program, dialect, state.task().target.gpu,
                                                     is_cuda ? name + "_kernel" : "kernel"),
                                          "the schedule has no text");
    const std::optional<std::string> cubin =
        is_cuda ? MachineCode(state, name, session) : std::nullopt;
    OutputFile source(prefix_ + dialect.extension);
    OutputFile header(prefix_ + ".h");
    source.Write(is_cuda ? CudaSource(program, device, name) : device.source);
    header.Write(DeviceHeader(program, device, dialect, name));
    std::vector<std::string> files = {source.path(), header.path()};
    if (cubin) {
      OutputFile code(prefix_ + ".cubin");
      code.Write(*cubin);
      code.Commit();
      files.push_back(code.path());
    }
    source.Commit();
    header.Commit();
    return files;
  }

  // Where this machine lacks the compiler, or that the architecture, the text is enough for a user
  // of nvcc.
  static std::optional<std::string> MachineCode(const ScheduleState& state, const std::string& name,
                                                Session& session) {
    try {
      Result<ExportedCode> code = ExportInWorker(FindWorkerProgram(), state, name);
      if (!code && code.error().kind == ErrorKind::kUnsupported) {
        session.report().Note("without a cubin: " + code.error().message);
        return std::nullopt;
      }
      return OrRefuse(std::move(code), "the schedule cannot be compiled").object;
    } catch (const MachineError& missing) {
      session.report().Note("without a cubin: " + std::string(missing.what()));
      return std::nullopt;
    }
  }

  ChosenState Choose(const std::shared_ptr<const Task>& task, const Session& session) const {
    if (reference_ && (choice_.trace || choice_.record)) {
      throw InputError("--reference is given beside --trace or --record, expected one of them");
    }
    if (reference_) return ChooseReference(task);
    const std::optional<ChosenState> chosen = ChooseFastest(task, choice_, session);
    if (!chosen) throw InputError(NothingChosen(*task, session, ", --reference"));
    return *chosen;
  }

  std::string workload_;
  std::string prefix_;
  bool reference_ = false;
  StateChoice choice_;
};

}  // namespace

std::unique_ptr<Command> MakeExportCommand() { return std::make_unique<ExportCommand>(); }

}  // namespace schedulegym
