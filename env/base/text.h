// Small text helpers shared by every text form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedulegym {

// "a, b, c".
std::string Join(const std::vector<std::string>& parts, std::string_view separator);
std::string Join(const std::vector<int64_t>& parts, std::string_view separator);

// The shortest decimal text that reads back as the same double; always has a '.', an 'e',
// or is "inf" or "nan", so that it never reads as an integer.
std::string FormatDouble(double value);

// The candidate with the smallest edit distance to `name`; none if all are further than half
// of its length.
std::optional<std::string> NearestName(std::string_view name,
                                       const std::vector<std::string>& known);

// "unknown agent 'randon': expected one of a, b, random (did you mean 'random'?)".
std::string UnknownName(std::string_view what, std::string_view name,
                        const std::vector<std::string>& known);

// Lines without their newlines; a last empty line is not counted.
std::vector<std::string> SplitLines(std::string_view text);
std::string_view Trim(std::string_view text);
// What stands before and after the first separator; all and nothing where there is none.
std::pair<std::string_view, std::string_view> Cut(std::string_view text, char separator);

// Whole-text integer; none when anything else stands in it or it overflows.
std::optional<int64_t> ParseInteger(std::string_view text);
std::optional<double> ParseDouble(std::string_view text);

// The value of an environment variable; nothing where it is not set or empty: `NAME= command` takes
// it away for one command.
std::optional<std::string> FindVariable(const char* name);

}  // namespace schedulegym
