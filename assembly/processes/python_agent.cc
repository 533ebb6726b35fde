#include "assembly/processes/python_agent.h"

#include <string>
#include <vector>

#include "assembly/processes/find_program.h"
#include "assembly/processes/process_agent.h"
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

std::vector<std::string> WordsOfPythonAgent(const Spec& spec) {
  CheckPythonSpec(spec);
  return {FindPython(), "-m", "schedulegym.agent_server", spec.ToText()};
}

std::unique_ptr<Agent> MakePythonAgent(const AgentContext& context) {
  const std::vector<std::string> words = WordsOfPythonAgent(context.setup.agent);
  return MakeProcessAgent({"the Python agent"}, std::make_unique<WorkerProcess>(words[0], words),
                          context);
}

}  // namespace schedulegym
