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
// question at a time. What the other side refuses is thrown as it is there; MachineError, or
// InputError where the process is none of ours, where it ends or says what is no answer, and where
// it says nothing for as long as its side may, at first for as long as loading may take;
// Interrupted where the search ends, or its seconds do, before it answers. Its memory is the
// agent's there.
std::unique_ptr<Agent> MakeProcessAgent(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                        const AgentContext& context);

// Of the last of the side's plugins: the agents that it adds, none of which is made. Throws as
// above, but after half a minute of silence.
std::vector<CatalogLine> LinesOfPlugin(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                       const Clock& clock);

// What its functions ask the other side for.
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

// `python(module=NAME, class=NAME, ...)`: what else it has goes to the class's constructor. It
// lives in a process of its own, which hears of the run at once, and is ended where the search is
// interrupted. Throws InputError for a bad spec, and for what is wrong with the class.
std::unique_ptr<Agent> MakePythonAgent(const AgentContext& context);

// The command line that starts such a process. Throws InputError for a bad spec.
std::vector<std::string> ArgumentsOfPythonAgent(const Spec& spec);

}  // namespace schedulegym
