// OpenRounds: what rounds of `harl` that are under way hold, kept in a checkpoint.
#pragma once

#include <optional>
#include <string>

#include "agents/learned/checkpoint.h"
#include "agents/learned/harl/harl_round.h"

namespace schedulegym {

// Under `name` and names that begin so; nothing where none is open.
void PutRound(Checkpoint& checkpoint, const std::string& name,
              const std::optional<HarlRound>& round);

// None where none was open. It goes on as the other would have. Throws InputError, one line, for
// what is no round of this task.
std::optional<HarlRound> ReadRound(const Checkpoint& checkpoint, const std::string& name,
                                   const HarlRoundContext& context, int sketches);

}  // namespace schedulegym
