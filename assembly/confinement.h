// Confinement: how agents of strangers' code live, in processes that may do little but think.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assembly/catalog.h"
#include "assembly/process_agent.h"
#include "backends/runner/confinement/landlock.h"

namespace schedulegym {

struct Confinement {
  FileRights files;                    // what it is made of: its folder, interpreter, packages
  std::vector<std::string> variables;  // "NAME=value": of its environment, beside what is usual
  std::optional<std::string> space;    // a spec that it is told in place of the run's
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

// Agents of the catalog that bring their own code are made confined from now on, or refused:
// commands, which would have to start programs.
void ConfineAgents(const std::shared_ptr<const Confinement>& confinement, Catalog& catalog);

}  // namespace schedulegym
