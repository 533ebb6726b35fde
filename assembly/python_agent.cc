#include "assembly/python_agent.h"

#include <string>
#include <vector>

#include "assembly/find_program.h"
#include "assembly/process_agent.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

void CheckPythonSpec(const Spec& spec) {
  for (const char* key : {"module", "class"}) {
    bool found = false;
    for (const SpecOption& option : spec.options) found = found || option.key == key;
    if (!found) {
      throw InputError(std::string("agent 'python': key '") + key +
                       "' is missing, expected python(module=NAME, class=NAME, ...)");
    }
  }
}

}  // namespace

std::unique_ptr<Agent> MakePythonAgent(const AgentContext& context) {
  CheckPythonSpec(context.setup.agent);
  const std::string python = FindPython();
  auto process = std::make_unique<WorkerProcess>(
      python, std::vector<std::string>{python, "-m", "schedulegym.agent_server",
                                       context.setup.agent.ToText()});
  return MakeProcessAgent({"the Python agent"}, std::move(process), context);
}

}  // namespace schedulegym
