// TextChange: texts of words and signs, changed by chance so that most of them still parse.
#pragma once

#include <string>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {

// One of the seeds, with some of its numbers, names, lines and signs exchanged, left out, doubled
// or taken from another one, or something of it repeated or nested very often.
std::string ChangedText(const std::vector<std::string>& seeds, Rng& rng);

// What no reader may take for small: ends of ranges, their neighbours, and usual ones.
std::string SomeNumber(Rng& rng);

const std::string& AnyOf(const std::vector<std::string>& texts, Rng& rng);

// Bytes flipped, cut out or put in.
void ChangeBytes(std::string& text, Rng& rng);

}  // namespace schedulegym
