// Collect: an agent that gathers programs to learn from, good and bad, rather than one good one.
#pragma once

#include <memory>
#include <string>

#include "agents/agent.h"

namespace schedulegym {

// collect(bred=0.25, searched=0.25, population=2560, agent=ansor). Of each task's share of the
// budget the first part is drawn by chance, the next share `bred` are children of one generation
// under random scores (as TenSet draws its programs; Zheng et al., NeurIPS 2021 Datasets, section
// 3.2), the last share `searched` are proposals of `agent`, which has learned from all before. Each
// proposal notes its part: collect(part=chance), bred or searched. What the store has of an earlier
// collection in the space, of any seed, counts: the same command proposes what is left of its
// budget, and then nothing. Throws InputError.
std::unique_ptr<Agent> MakeCollectAgent(const AgentContext& context);

// The note of a record of this part; "" for none.
std::string CollectedNote(const std::string& part);

// The part that a record's note names; "" for other notes.
std::string CollectedPart(const std::string& note);

}  // namespace schedulegym
