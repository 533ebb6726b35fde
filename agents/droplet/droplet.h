// The agent `droplet`: descent from the unoptimised schedule of each sketch.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Droplet Search (Canesche, Rosario, Borin, Pereira; ACM TACO 2024). Options: mode, `faithful` as
// AutoTVM has it (TVM 0.13 to 0.19) or `fixed`, which measures nothing that the space refuses; p,
// the level of its test; speculate, whether steps grow where nothing improves; sketch, a position
// among the space's sketches, or all of them in turn. Throws InputError.
std::unique_ptr<Agent> MakeDropletAgent(const AgentContext& context);

}  // namespace schedulegym
