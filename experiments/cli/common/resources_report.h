// AddResources: the resources of a measurement's kernels, for reports.
#pragma once

#include <string>

#include "env/measure/measurement.h"
#include "experiments/cli/common/json.h"

namespace schedulegym {

// Adds `resources`, a list with an object a kernel; nothing where the compiler reported none.
void AddResources(const Measurement& measurement, JsonObject* fields);
// A line for each kernel, indented by `indent` blanks; "" without kernels.
std::string ResourcesLines(const Measurement& measurement, int indent);

}  // namespace schedulegym
