// ProcessAgent: an agent in a process of its own, reached by messages.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "assembly/processes/agent_process.h"
#include "env/base/model_state_file.h"
#include "env/base/registry.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {

// Sends the context's setup, if it has tasks, as the first message (agent_messages.h), and then one
// request at a time. Rethrows errors of the other side. Throws MachineError (InputError for a
// process that is not ours) if it ends, sends an invalid answer, or is silent for longer than its
// side allows, at first for longer than loading may take. Throws Interrupted if the search or its
// time ends before the answer. Its memory is that of the agent in the process.
std::unique_ptr<Agent> MakeProcessAgent(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                        const AgentContext& context);

// The agents that the last of the side's plugins adds; makes none of them. Throws as above, but
// after half a minute of silence.
std::vector<CatalogLine> LinesOfPlugin(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                       const Clock& clock);

// A learned state that `save` and `load` exchange with the other side.
class RemoteModelState : public ModelState {
 public:
  using Saver = std::function<std::optional<std::string>()>;
  using Loader = std::function<void(std::string text)>;

  RemoteModelState(std::string kind, Saver save, Loader load)
      : kind_(std::move(kind)), save_(std::move(save)), load_(std::move(load)) {}

  std::string Kind() const override { return kind_; }
  std::optional<std::string> Save() override { return save_(); }
  void Load(std::string_view text) override { load_(std::string(text)); }

 private:
  std::string kind_;
  Saver save_;
  Loader load_;
};

// `python(module=NAME, class=NAME, ...)`: the class's constructor gets all other options. The agent
// runs in a process of its own, which receives the setup at once and is ended if the search is
// interrupted. Throws InputError for a bad spec and for errors in the class.
std::unique_ptr<Agent> MakePythonAgent(const AgentContext& context);

// The command line that starts such a process. Throws InputError for a bad spec.
std::vector<std::string> ArgumentsOfPythonAgent(const Spec& spec);

}  // namespace schedulegym
