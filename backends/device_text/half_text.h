// HalfText: conversions of f16 and bf16 in the languages of devices.
#pragma once

#include <string>

#include "backends/device_text/dialect.h"

namespace schedulegym {

// The definition of a helper from kF16ToFloat on.
std::string HalfText(const DeviceDialect& dialect, HelperFunction helper);

}  // namespace schedulegym
