// The spaces of sketches: structures that rules derive, with lengths and annotations by chance.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Ansor's own space on CPUs. Options: one switch for each sketch rule; code, the most operations
// that a candidate's code may hold; spill (register_spill.h). Throws InputError.
std::unique_ptr<SearchSpace> MakeAnsorSpace(const Spec& spec);

}  // namespace schedulegym
