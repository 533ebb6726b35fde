// Failure: the reason not to time or trust a kernel.
#pragma once

#include <string>

#include "env/measure/outcome.h"

namespace schedulegym {

struct Failure {
  Outcome outcome = Outcome::kWrongOutput;
  std::string message;
};

}  // namespace schedulegym
