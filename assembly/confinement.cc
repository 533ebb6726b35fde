// Starts agents' programs confined (see backends/runner/confinement): by the launcher, with an
// environment of 8 kept variables, a scratch folder as HOME and TMPDIR, as many threads of BLAS and
// OpenMP as there are usable cores. The kernel limits processor time (6 h), memory and files;
// threads (128) and scratch (1 GiB) are counted from outside, in /proc and the folder. Errors:
// MachineError where Landlock or the launcher is missing.
#include "assembly/confinement.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <system_error>
#include <utility>

#include "assembly/processes/command_arguments.h"
#include "assembly/processes/hosted_agents.h"
#include "assembly/processes/line_agent.h"
#include "assembly/processes/process_agent.h"
#include "assembly/processes/scratch_folder.h"
#include "backends/runner/confinement/confined_program.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr int64_t kMostCpuSeconds = int64_t{6} * 3600;
// Limit for an interpreter with its libraries. They run on the cores of the starting process, so
// more threads do not help.
constexpr int64_t kMostThreads = 128;
constexpr int64_t kMostScratchBytes = int64_t{1} << 30;
constexpr const char* kLibraryPath = "LD_LIBRARY_PATH";
// Variables for libraries, interpreters and the locale; all others are dropped.
constexpr std::array<const char*, 8> kKeptVariables = {
    "PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"};

int UsableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

std::vector<std::string> EnvironmentOf(const Confinement& confinement, const std::string& scratch) {
  std::vector<std::string> variables = confinement.variables;
  for (const char* name : kKeptVariables) {
    const char* value = std::getenv(name);
    const bool is_given = std::any_of(variables.begin(), variables.end(), [&](const auto& one) {
      return one.rfind(std::string(name) + "=", 0) == 0;
    });
    if (value != nullptr && !is_given) variables.push_back(std::string(name) + "=" + value);
  }
  for (const char* name : {"HOME", "TMPDIR"}) {
    variables.push_back(std::string(name) + "=" + scratch);
  }
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}) {
    variables.push_back(std::string(name) + "=" + std::to_string(UsableCores()));
  }
  variables.emplace_back("OMP_WAIT_POLICY=passive");
  // The same run is the same again.
  variables.emplace_back("PYTHONHASHSEED=0");
  variables.emplace_back("PYTHONDONTWRITEBYTECODE=1");
  return variables;
}

int64_t ThreadsOf(pid_t process) {
  std::error_code gone;
  const std::filesystem::directory_iterator threads("/proc/" + std::to_string(process) + "/task",
                                                    gone);
  return gone ? 0 : std::distance(begin(threads), end(threads));
}

std::string Excess(const char* what, int64_t found, int64_t most) {
  if (found <= most) return "";
  return std::string(what) + ": found " + std::to_string(found) + ", expected at most " +
         std::to_string(most);
}

std::string ExcessOf(pid_t process, const ScratchFolder& scratch) {
  const std::string threads = Excess("threads", ThreadsOf(process), kMostThreads);
  if (!threads.empty()) return threads;
  return Excess("bytes of its scratch folder", scratch.Bytes(), kMostScratchBytes);
}

std::string FindLauncher() {
  RequireLandlock();
  return FindProgramBeside("schedulegym-confined", "SCHEDULEGYM_CONFINED");
}

using Words = std::vector<std::string>;

// Beside the program, as in a wheel, or beside its folder.
std::filesystem::path LibrariesOf(const std::filesystem::path& program) {
  const std::filesystem::path folder = program.parent_path();
  std::error_code unknown;
  const bool is_beside = std::filesystem::is_directory(folder / "lib", unknown);
  return (is_beside ? folder : folder.parent_path()) / "lib";
}

// How a process is started: by a program, its words and its environment.
using Starter =
    std::function<std::unique_ptr<WorkerProcess>(const std::string&, const Words&, const Words&)>;

std::unique_ptr<WorkerProcess> StartWithSocket(const std::string& program, const Words& words,
                                               const Words& environment) {
  return std::make_unique<WorkerProcess>(program, words, environment);
}

// Starts the program through a shell that execs it immediately.
std::unique_ptr<WorkerProcess> StartWithPipes(const std::string& program, const Words& words,
                                              const Words& environment) {
  std::string text = "exec /usr/bin/env -i";
  for (const std::string& variable : environment) text += " " + QuotedForShell(variable);
  text += " " + QuotedForShell(program);
  for (size_t i = 1; i < words.size(); ++i) text += " " + QuotedForShell(words[i]);
  return std::make_unique<WorkerProcess>(ShellCommand{text});
}

ConfinedProcess StartAs(AgentSide side, ConfinedProgram program, const Confinement& confinement,
                        const Starter& start) {
  const std::string launcher = FindLauncher();
  const auto scratch = std::make_shared<const ScratchFolder>();
  program.files = confinement.files;
  program.files.reads.push_back(program.words.at(0));
  program.files.writes.push_back(scratch->path());
  program.memory_bytes = confinement.memory_bytes;
  program.cpu_seconds = kMostCpuSeconds;
  side.rests = true;
  side.patience = confinement.answer_seconds;
  side.loading = confinement.loading_seconds;
  side.excess = [scratch](pid_t process) { return ExcessOf(process, *scratch); };
  return {std::move(side),
          start(launcher, WordsOf(program, getpid()), EnvironmentOf(confinement, scratch->path()))};
}

std::unique_ptr<Agent> MakeConfinedPython(const Confinement& confinement,
                                          const AgentContext& context) {
  ConfinedProcess made =
      StartConfined({"the Python agent"}, ArgumentsOfPythonAgent(context.setup.agent), confinement);
  const AgentSetup setup = SetupWithin(confinement, context);
  return MakeProcessAgent(std::move(made.side), std::move(made.process), WithSetup(context, setup));
}

std::unique_ptr<Agent> MakeConfinedCommand(const Confinement& confinement,
                                           const AgentContext& context) {
  const std::string command = CommandOf(context.setup.agent);
  const std::vector<std::string> words = ArgumentsOfCommand(command, confinement.folder);
  if (context.setup.tasks.empty()) return MakeLineAgent(context);
  ConfinedProcess made = StartConfinedCommand({"agent '" + command + "'"}, words, confinement);
  const AgentSetup setup = SetupWithin(confinement, context);
  return MakeStartedLineAgent(std::move(made.side), std::move(made.process),
                              WithSetup(context, setup));
}

}  // namespace

ConfinedProcess StartConfined(AgentSide side, const std::vector<std::string>& words,
                              const Confinement& confinement) {
  return StartAs(std::move(side), {words}, confinement, StartWithSocket);
}

ConfinedProcess StartConfinedCommand(AgentSide side, const std::vector<std::string>& words,
                                     const Confinement& confinement) {
  ConfinedProgram program = {words};
  program.folder = confinement.folder;
  return StartAs(std::move(side), std::move(program), confinement, StartWithPipes);
}

ConfinedProcess StartConfinedHost(AgentSide side, Confinement confinement) {
  const std::string found = FindAgentProgram();
  std::error_code unknown;
  const std::filesystem::path program = std::filesystem::canonical(found, unknown);
  if (unknown) throw MachineError("cannot start '" + found + "': " + unknown.message());
  const std::filesystem::path libraries = LibrariesOf(program);
  confinement.files.reads.push_back(libraries.string());
  // The library that plugins link, wherever they were built.
  std::string variable = kLibraryPath;
  variable += "=" + libraries.string();
  if (const auto others = FindVariable(kLibraryPath)) variable.append(":").append(*others);
  confinement.variables.push_back(std::move(variable));
  return StartConfined(std::move(side), {program.string(), "agent", std::to_string(getpid())},
                       confinement);
}

std::vector<std::string> WordsOfBuilder(const std::vector<std::string>& words,
                                        const Confinement& confinement) {
  ConfinedProgram program = {words, confinement.files, confinement.memory_bytes, kMostCpuSeconds};
  program.starts_programs = true;
  std::vector<std::string> all = WordsOf(program, getpid());
  all.front() = FindLauncher();
  return all;
}

AgentSetup SetupWithin(const Confinement& confinement, const AgentContext& context) {
  AgentSetup setup = context.setup;
  if (confinement.space) setup.space = RequireSpec("space", *confinement.space);
  return setup;
}

void ConfineAgents(const std::shared_ptr<const Confinement>& confinement, Catalog& catalog) {
  catalog.agents.Replace("python", [confinement](const AgentContext& context) {
    return MakeConfinedPython(*confinement, context);
  });
  catalog.agents.Replace("process", [confinement](const AgentContext& context) {
    return MakeConfinedCommand(*confinement, context);
  });
}

}  // namespace schedulegym
