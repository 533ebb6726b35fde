// ActionGroup: actions that belong together: those about one choice.
#pragma once

#include <string>

#include "env/search/knob.h"

namespace schedulegym {

// Consecutive actions.
struct ActionGroup {
  KnobKind kind = KnobKind::kOther;
  int slot = 0;  // which of the groups like it, such as tile 2
  int first = 0, count = 1;
  std::string name;  // such as "tile 2"

  bool operator==(const ActionGroup&) const = default;
};

}  // namespace schedulegym
