// TaskFamily: tasks that are one computation but for their sizes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace schedulegym {

// The name of a built-in workload, such as "conv2d"; of anything else the form of its `.dag` text:
// the text with its numbers taken out. Tasks of one family have equal names.
std::string FamilyOf(std::string_view workload, std::string_view dag_text);

// How far apart the sizes of two computations are: the sum of |ln(a / b)| over the numbers of their
// `.dag` texts, in order; 0 for equal sizes. None where the texts have another form.
std::optional<double> SizeDistance(std::string_view dag_text, std::string_view other);

}  // namespace schedulegym
