// Measurer name: what a measurement is from, and whether anything ran.
#pragma once

#include <string>

#include "env/measure/measurement.h"

namespace schedulegym {

// What answers in place of a measurer names as the protocol of its sessions: nothing ran.
inline constexpr const char* kAnalyticalName = "analytical";
inline constexpr const char* kTableName = "table";

// kAnalyticalName, kTableName or "host".
std::string MeasurerOf(const Measurement& measurement);
// Whether the candidate ran. What was not measured never serves as measured.
bool WasMeasured(const Measurement& measurement);

}  // namespace schedulegym
