// JsonChange: random changes to JSON texts, most of which stay JSON.
#pragma once

#include <string>

#include "env/base/rng.h"

namespace schedulegym {

// Exchanges, removes, nests or repeats some values, or changes their kind; sometimes changes bytes.
std::string ChangedJson(const std::string& json, Rng& rng);

}  // namespace schedulegym
