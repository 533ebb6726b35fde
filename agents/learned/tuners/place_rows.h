// PolicyRow: a place as a network sees it.
#pragma once

#include <vector>

#include "agents/common/knob_field.h"

namespace schedulegym {

// The numbers of KnobField::Row, logarithms of meanings scaled down, so that all are near -1 to 1.
std::vector<float> PolicyRow(const KnobField& field, const FieldPlace& place);

}  // namespace schedulegym
