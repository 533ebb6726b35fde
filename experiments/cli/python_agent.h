// Python agent: an agent of the command line that is a class in a Python process.
#pragma once

#include <functional>
#include <memory>

#include "agents/agent.h"
#include "env/base/spec.h"

namespace schedulegym {

// `python(module=NAME, class=NAME, ...)`: what else it has goes to the class's constructor.
bool IsPythonAgent(const Spec& spec);

// What makes the agents of a search, one for each task: the project's own, or those of a Python
// process, which begins with the first and ends with the last. Throws InputError for a bad spec;
// what is wrong with the class itself turns up as CheckTask asks it.
std::function<std::unique_ptr<Agent>(AgentContext context)> AgentMakerOf(const Spec& spec);

}  // namespace schedulegym
