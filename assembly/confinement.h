// Confinement: how agents of strangers' code live, in processes that may do little but think.
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
  FileRights files;                    // what it is made of: its folder, interpreter, packages
  std::vector<std::string> variables;  // "NAME=value": of its environment, beside what is usual
  std::optional<std::string> space;    // a spec that it is told in place of the run's
  std::string folder;                  // its own, where a command begins
  int64_t memory_bytes = int64_t{4} << 30;          // private memory of its process
  double answer_seconds = 60;                       // that an answer may take
  double loading_seconds = kLongestLoadingSeconds;  // until it has heard of the run
};

// A process that becomes the program of these words, confined, and who it is then: it is stopped
// outside of its turns, writes a folder that ends with it, and is ended where it takes too much of
// the machine. Throws MachineError where the kernel or the program `schedulegym-confined` is
// missing.
struct ConfinedProcess {
  AgentSide side;
  std::unique_ptr<WorkerProcess> process;
};
ConfinedProcess StartConfined(AgentSide side, const std::vector<std::string>& words,
                              const Confinement& confinement);
// The same of a program that speaks by its stdin and stdout and begins in the confinement's folder.
ConfinedProcess StartConfinedCommand(AgentSide side, const std::vector<std::string>& words,
                                     const Confinement& confinement);
// The same of `schedulegym-agent`, which reads itself and the library that plugins link, too.
ConfinedProcess StartConfinedHost(AgentSide side, Confinement confinement);
// The command line by which a child of this process becomes the program of these words, and starts
// others: a compiler, say. It writes what the confinement's files say, and has no other folder.
std::vector<std::string> WordsOfBuilder(const std::vector<std::string>& words,
                                        const Confinement& confinement);

// The context's, with the space that is told there.
AgentSetup SetupWithin(const Confinement& confinement, const AgentContext& context);

// Agents of the catalog that bring their own code are made confined from now on: those in Python,
// and commands, which have no shell and start no other programs.
void ConfineAgents(const std::shared_ptr<const Confinement>& confinement, Catalog& catalog);

}  // namespace schedulegym
