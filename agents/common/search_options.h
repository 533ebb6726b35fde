// SearchOptions: numbers in a spec that several agents read alike.
#pragma once

#include <cstdint>
#include <string>

#include "env/base/spec.h"

namespace schedulegym {

// Far above what anybody wants of a count.
inline constexpr int kMostOfACount = 1'000'000;

// `retries`, 1000 unless it is given: how many draws of a space in a row may lead nowhere or repeat
// before it counts as exhausted. Throws InputError, as the other; `who` begins its line, such as
// "agent hill".
int64_t ReadRetries(SpecReader& reader, const std::string& who);
// A number from 0 to 1.
double ReadShare(SpecReader& reader, const std::string& who, const std::string& key,
                 double default_value);

}  // namespace schedulegym
