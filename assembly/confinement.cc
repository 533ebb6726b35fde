#include "assembly/confinement.h"

#include <sched.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "assembly/python_agent.h"
#include "assembly/scratch_folder.h"
#include "backends/runner/confinement/confined_program.h"
#include "env/base/fault.h"
#include "env/base/required_spec.h"

namespace schedulegym {
namespace {

constexpr int64_t kMostCpuSeconds = int64_t{6} * 3600;
// Of an interpreter with its libraries; more only keep the machine busy.
constexpr int64_t kMostThreads = 128;
constexpr int64_t kMostScratchBytes = int64_t{1} << 30;
// Where libraries and interpreters lie, and in which words they speak; nothing else of ours.
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
    if (value != nullptr) variables.push_back(std::string(name) + "=" + value);
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

}  // namespace

ConfinedProcess StartConfined(AgentSide side, const std::vector<std::string>& words,
                              const Confinement& confinement) {
  RequireLandlock();
  const std::string launcher = FindProgramBeside("schedulegym-confined", "SCHEDULEGYM_CONFINED");
  const auto scratch = std::make_shared<const ScratchFolder>();
  ConfinedProgram program = {words, confinement.files, confinement.memory_bytes, kMostCpuSeconds};
  program.files.writes.push_back(scratch->path());
  side.rests = true;
  side.patience = confinement.answer_seconds;
  side.loading = confinement.loading_seconds;
  side.excess = [scratch](pid_t process) { return ExcessOf(process, *scratch); };
  return {std::move(side),
          std::make_unique<WorkerProcess>(launcher, WordsOf(program, getpid()),
                                          EnvironmentOf(confinement, scratch->path()))};
}

void ConfineAgents(const std::shared_ptr<const Confinement>& confinement, Catalog& catalog) {
  catalog.agents.Replace("python", [confinement](const AgentContext& context) {
    ConfinedProcess made =
        StartConfined({"the Python agent"}, WordsOfPythonAgent(context.setup.agent), *confinement);
    AgentSetup setup = context.setup;
    if (confinement->space) setup.space = RequireSpec("space", *confinement->space);
    return MakeProcessAgent(std::move(made.side), std::move(made.process),
                            WithSetup(context, setup));
  });
  catalog.agents.Replace("process", [](const AgentContext& context) -> std::unique_ptr<Agent> {
    throw InputError("found agent " + context.setup.agent.ToText() +
                     ", expected python(...): commands cannot be confined");
  });
}

}  // namespace schedulegym
