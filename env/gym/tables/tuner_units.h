// TunerUnits: times and values of parameters as other tuners write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedulegym {

// Seconds of one unit: "ms", "milliseconds", "Microseconds", ...; none of what is no unit of time.
std::optional<double> SecondsOfUnit(std::string_view unit);

// A parameter's value as one text whatever tuner wrote it: "16" of 16, 16.0 and "16"; "true" of
// True.
std::string ValueText(std::string_view written);

// Of a list in brackets of numbers, words in quotes and truths, as T1 has it; none of anything
// else, such as a formula.
std::optional<std::vector<std::string>> ParseValueList(std::string_view text);

// Numbers before words, rising.
bool IsValueBefore(const std::string& a, const std::string& b);

}  // namespace schedulegym
