// TunerInput: the kernel and the tuning parameters of a T1 file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/gym/tables/table.h"

namespace schedulegym {

struct TunerInput {
  std::string kernel;  // the benchmark's name, or else the kernel's; may be empty
  std::string device;
  std::vector<TableKnob> parameters;                 // without values where those are no list
  std::vector<std::optional<std::string>> defaults;  // by parameter
};

// Throws InputError for a text that is no T1 file.
TunerInput ParseTunerInput(std::string_view text);

// Seconds of one unit: "ms", "milliseconds", "Microseconds", ...; nullopt for other units.
std::optional<double> SecondsOfUnit(std::string_view unit);

// A parameter's value in one form for all tuners: "16" of 16, 16.0 and "16"; "true" of True.
std::string ValueText(std::string_view written);

// Of a list in brackets of numbers, words in quotes and truths, as T1 has it; none of anything
// else, such as a formula.
std::optional<std::vector<std::string>> ParseValueList(std::string_view text);

// Numbers before words, rising.
bool IsValueBefore(const std::string& a, const std::string& b);

}  // namespace schedulegym
