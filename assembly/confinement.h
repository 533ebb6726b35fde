// Confinement: runs agents of untrusted code in processes with restricted rights.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assembly/catalog.h"
#include "assembly/processes/process_agent.h"
#include "backends/runner/confinement/landlock.h"

namespace schedulegym {

struct Confinement {
  FileRights files;                         // of the agent: its folder, interpreter, packages
  std::vector<std::string> variables;       // "NAME=value": added to the usual environment
  std::optional<std::string> space;         // a spec that the agent gets in place of the run's
  std::string folder;                       // its own; the working folder of a command
  int64_t memory_bytes = int64_t{4} << 30;  // private memory of its process
  double answer_seconds = 60;               // limit for an answer
  double loading_seconds = kLongestLoadingSeconds;  // limit until it has received the run's setup
};

// A confined process that becomes the program of these words, and its description. It is stopped
// outside of its turns, writes to a folder that is removed with it, and is ended if it uses too
// much of the machine. Throws MachineError if the kernel or the program `schedulegym-confined` is
// missing.
struct ConfinedProcess {
  AgentSide side;
  std::unique_ptr<WorkerProcess> process;
};
ConfinedProcess StartConfined(AgentSide side, const std::vector<std::string>& words,
                              const Confinement& confinement);
// The same for a program that communicates by stdin and stdout, in the confinement's folder.
ConfinedProcess StartConfinedCommand(AgentSide side, const std::vector<std::string>& words,
                                     const Confinement& confinement);
// The same for `schedulegym-agent`, which may also read itself and the library that plugins link.
ConfinedProcess StartConfinedHost(AgentSide side, Confinement confinement);
// Command line that makes a child of this process the program of these words. It may start others,
// as a compiler does. It writes only where `files` allows, and has no other folder.
std::vector<std::string> WordsOfBuilder(const std::vector<std::string>& words,
                                        const Confinement& confinement);

// The context's setup, with the confinement's space if it has one.
AgentSetup SetupWithin(const Confinement& confinement, const AgentContext& context);

// Makes the catalog confine agents with code of their own from now on: Python agents, and commands,
// which have no shell and start no other programs.
void ConfineAgents(const std::shared_ptr<const Confinement>& confinement, Catalog& catalog);

}  // namespace schedulegym
