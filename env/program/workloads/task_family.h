// TaskFamily: tasks that are the same computation with different sizes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace schedulegym {

// The name of a built-in workload, such as "conv2d". For others, the form of the `.dag` text: the
// text without its numbers. Tasks of one family have equal names.
std::string FamilyOf(std::string_view workload, std::string_view dag_text);

// The distance between the sizes of two computations: the sum of |ln(a / b)| over the numbers of
// their `.dag` texts, in order; 0 for equal sizes. nullopt if the forms differ.
std::optional<double> SizeDistance(std::string_view dag_text, std::string_view other);

}  // namespace schedulegym
