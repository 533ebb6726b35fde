// The observation `tokens`: the primitives of a schedule, a row each.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// Three numbers about the trace, then `length` rows (48 by default; 1 to 512): a mask, one number
// for each kind of primitive, 1 for its own, and `fields` numbers (20 by default; 1 to 64) of the
// primitive's fields in order, as far as they go. Of a longer trace the last primitives are kept;
// the oldest comes first. A new kind of primitive makes the rows longer by one. After TLP (Zhai et
// al., ASPLOS 2023), whose numbers are not scaled. Throws InputError.
std::unique_ptr<Observation> MakeTokensObservation(const Spec& spec);

}  // namespace schedulegym
