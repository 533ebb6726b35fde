// JsonChange: JSON texts, changed by chance so that most of them are still JSON.
#pragma once

#include <string>

#include "env/base/rng.h"

namespace schedulegym {

// Some values of it exchanged, left out, doubled, of another kind, nested or repeated very often;
// now and then some bytes changed.
std::string ChangedJson(const std::string& json, Rng& rng);

}  // namespace schedulegym
