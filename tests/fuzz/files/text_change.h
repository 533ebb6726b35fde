// TextChange: random changes to texts of words and signs, most of which still parse.
#pragma once

#include <string>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {

// One of the seeds, with some numbers, names, lines and signs exchanged, removed, doubled or taken
// from another seed, or a part repeated or nested very often.
std::string ChangedText(const std::vector<std::string>& seeds, Rng& rng);

// Numbers at the ends of ranges, their neighbours, and usual ones.
std::string SomeNumber(Rng& rng);

const std::string& AnyOf(const std::vector<std::string>& texts, Rng& rng);

// Flips, removes or inserts bytes.
void ChangeBytes(std::string& text, Rng& rng);

}  // namespace schedulegym
