// Collect: an agent that collects training data, good and bad programs, for cost models.
#pragma once

#include <memory>
#include <string>

#include "agents/agent.h"

namespace schedulegym {

// collect(bred=0.25, searched=0.25, population=2560, agent=ansor). Splits each task's share of the
// budget into three parts. First come random draws. The share `bred` are children of one generation
// under random scores, as TenSet draws its programs (Zheng et al., NeurIPS 2021 Datasets, section
// 3.2). The last share `searched` are proposals of `agent`, which has learned from all before. Each
// proposal notes its part: collect(part=chance), bred or searched. Records of earlier collections
// in the space count, for any seed: the same command proposes the rest of its budget, then nothing.
// Throws InputError.
std::unique_ptr<Agent> MakeCollectAgent(const AgentContext& context);

// Returns the note of a record of this part, "" if `part` is "".
std::string CollectedNote(const std::string& part);

// Returns the part in a record's note, "" for other notes.
std::string CollectedPart(const std::string& note);

}  // namespace schedulegym
