// Python agent: an agent that is a class in a Python process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agents/agent.h"

namespace schedulegym {

// `python(module=NAME, class=NAME, ...)`: what else it has goes to the class's constructor. It
// lives in a process of its own, which hears of the run at once, and is ended where the search is
// interrupted. Throws InputError for a bad spec, and for what is wrong with the class.
std::unique_ptr<Agent> MakePythonAgent(const AgentContext& context);

// The command line that starts such a process. Throws InputError for a bad spec.
std::vector<std::string> WordsOfPythonAgent(const Spec& spec);

}  // namespace schedulegym
