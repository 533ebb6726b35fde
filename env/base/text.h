// Text: small helpers shared by every text form.
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

// Returns the shortest decimal text that parses to the same double. It contains a '.' or an 'e', or
// is "inf" or "nan", so that it never parses as an integer.
std::string FormatDouble(double value);

// Returns the known name with the smallest edit distance to `name`; nullopt if all distances exceed
// half of its length.
std::optional<std::string> NearestName(std::string_view name,
                                       const std::vector<std::string>& known);

// "unknown agent 'randon': expected one of a, b, random (did you mean 'random'?)".
std::string UnknownName(std::string_view what, std::string_view name,
                        const std::vector<std::string>& known);

// Lines without their newlines; a last empty line is omitted.
std::vector<std::string> SplitLines(std::string_view text);
std::string_view Trim(std::string_view text);
// The parts before and after the first separator; {text, ""} if there is none.
std::pair<std::string_view, std::string_view> Cut(std::string_view text, char separator);

// Parses the whole text; nullopt if it contains anything else or the integer overflows.
std::optional<int64_t> ParseInteger(std::string_view text);
std::optional<double> ParseDouble(std::string_view text);

// The value of an environment variable; nullopt if it is unset or empty, so that `NAME= command`
// unsets it for one command.
std::optional<std::string> FindVariable(const char* name);

}  // namespace schedulegym
