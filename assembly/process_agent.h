// ProcessAgent: an agent in a process of its own, reached by messages.
#pragma once

#include <signal.h>

#include <memory>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "assembly/shelf.h"
#include "backends/runner/process/worker_process.h"

namespace schedulegym {

// Tells the other side to give up what it thinks about and to wait for the next question; who does
// not know that ends by it.
inline constexpr int kStopSignal = SIGUSR1;

// Who is on the other side.
struct AgentSide {
  std::string name;      // "the Python agent", which begins every message about it
  bool is_ours = false;  // its end is the machine's fault, not that of what was asked
  std::vector<std::string> plugins = {};  // what it opens before it hears of the run
};

// Sends the context's setup, if it has tasks, as the first message (agent_messages.h), and then one
// question at a time. What the other side refuses is thrown as it is there; MachineError, or
// InputError where the process is none of ours, where it ends or says what is no answer, and where
// it says nothing for ten minutes; Interrupted where the search ends before it answers, once it has
// stopped thinking (kStopSignal), or else after its process's end. Its memory is the agent's there.
std::unique_ptr<Agent> MakeProcessAgent(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                        const AgentContext& context);

// Of the last of the side's plugins: the agents that it adds, none of which is made. Throws as
// above, but after half a minute of silence.
std::vector<CatalogLine> LinesOfPlugin(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                       const Clock& clock);

}  // namespace schedulegym
